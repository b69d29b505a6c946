//! Any bytes as a book of openings: no panic, and what is read comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgna::limits::Limits;
use pgna::tags::Openings;

fuzz_target!(|input: (&[u8], Vec<u32>)| {
    let (bytes, keys) = input;
    let Ok(book) = Openings::read(bytes, &Limits::default()) else {
        return;
    };
    let again = Openings::read(&book.write(), &Limits::default());
    assert_eq!(again.as_ref(), Ok(&book));
    let _ = book.foresee(keys);
});
