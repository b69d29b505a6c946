//! Share links of Xiangqi: any text, and any game.
#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| pgna_fuzz::xiangqi::check_link(input));
