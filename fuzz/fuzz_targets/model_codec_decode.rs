//! `model`, of each level: any bits, and any game.
#![no_main]
use libfuzzer_sys::fuzz_target;
use pgna::moves::Codec;

fuzz_target!(|input: &[u8]| {
    let [level, rest @ ..] = input else {
        return;
    };
    let levels = [Codec::ModelFast, Codec::ModelDefault, Codec::ModelMax];
    let level = levels[usize::from(*level) % levels.len()];
    pgna_fuzz::moves::check(level, rest);
});
