//! Arbitrary bytes as a book of openings: no panic, and a valid book round-trips.

use pgna::Limits;
use pgna::internals::columns::OpeningBook;

pub(super) fn check(input: &[u8]) {
    let Some((bytes, keys)) = crate::arbitrary::<(&[u8], Vec<u32>)>(input) else {
        return;
    };
    let Ok(book) = OpeningBook::read(bytes, &Limits::default()) else {
        return;
    };
    let again = OpeningBook::read(&book.write(), &Limits::default());
    assert_eq!(again.as_ref(), Ok(&book));
    let _ = book.predict(&keys);
}
