#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| pgna_fuzz::target(env!("CARGO_BIN_NAME"))(input));
