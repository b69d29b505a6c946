//! All fuzz targets in one program, which runs the one that `PGNA_FUZZ_TARGET` names: 46
//! programs take many times as long to link. Flags are those of libFuzzer.
#![no_main]

use std::env;
use std::sync::LazyLock;

static TARGET: LazyLock<pgna_fuzz::Target> = LazyLock::new(|| {
    let name = env::var("PGNA_FUZZ_TARGET").expect("PGNA_FUZZ_TARGET is the name of a target");
    pgna_fuzz::target(&name)
});

libfuzzer_sys::fuzz_target!(
    // An unknown name fails before anything is run.
    init: {
        LazyLock::force(&TARGET);
    },
    |input: &[u8]| TARGET(input)
);
