//! Any bytes as a book of openings: no panic, and what is read comes back.

use pgna::Limits;
use pgna::internals::tags::Openings;

pub(super) fn check(input: &[u8]) {
    let Some((bytes, keys)) = crate::arbitrary::<(&[u8], Vec<u32>)>(input) else {
        return;
    };
    let Ok(book) = Openings::read(bytes, &Limits::default()) else {
        return;
    };
    let again = Openings::read(&book.write(), &Limits::default());
    assert_eq!(again.as_ref(), Ok(&book));
    let _ = book.foresee(keys);
}
