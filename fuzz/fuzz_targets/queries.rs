//! Filters and boards as text: any text.
#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| pgna_fuzz::query::check(input));
