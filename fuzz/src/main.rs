//! One program with all fuzz targets, which runs the target named by `PGNA_FUZZ_TARGET`. Linking
//! one program for each of the 47 targets takes many times as long. The flags are those of
//! libFuzzer.
#![no_main]

use std::env;
use std::sync::LazyLock;

static TARGET: LazyLock<pgna_fuzz::Target> = LazyLock::new(|| {
    let name = env::var("PGNA_FUZZ_TARGET").expect("PGNA_FUZZ_TARGET is the name of a target");
    pgna_fuzz::target(&name)
});

libfuzzer_sys::fuzz_target!(
    // An unknown name fails before the first run.
    init: {
        LazyLock::force(&TARGET);
    },
    |input: &[u8]| TARGET(input)
);
