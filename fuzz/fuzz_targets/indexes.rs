//! Indexes: any bytes, and those of any games.
#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| pgna_fuzz::index::check(input));
