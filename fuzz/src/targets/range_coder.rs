//! Decodes arbitrary bytes with arbitrary shares: accepted bytes encode to the same bytes, and
//! encoded symbols round-trip.

use pgna::internals::codec::range::{Decoder, Encoder, RangeError, Share};
use std::num::NonZeroU32;

/// The symbols before the first error, and whether the bytes decode to the end.
fn decode(bytes: &[u8], totals: &[(u32, u32)]) -> (Vec<Share>, Result<(), RangeError>) {
    let mut decoder = Decoder::new(bytes);
    let mut shares = Vec::new();
    for (total, size) in totals {
        let total = NonZeroU32::new(*total).unwrap_or(NonZeroU32::MIN);
        let size = *size % total + 1;
        let part = match decoder.part(total) {
            Ok(part) => part,
            Err(error) => return (shares, Err(error)),
        };
        // The total is divided into shares of this size and a possibly smaller last one.
        let start = part / size * size;
        let size = size.min(total.get() - start);
        let share = Share::new(start, size, total).unwrap();
        decoder.consume(share).unwrap();
        shares.push(share);
    }
    (shares, decoder.finish())
}

pub(super) fn check(input: &[u8]) {
    let Some((bytes, totals)) = crate::arbitrary::<(Vec<u8>, Vec<(u32, u32)>)>(input) else {
        return;
    };
    let (shares, accepted) = decode(&bytes, &totals);
    let mut encoder = Encoder::new();
    for share in &shares {
        encoder.encode(*share);
    }
    let encoded = encoder.finish();
    if shares.len() == totals.len() {
        assert_eq!(accepted.is_ok(), encoded == bytes);
    }
    let (again, accepted) = decode(&encoded, &totals[..shares.len()]);
    assert_eq!((again, accepted), (shares, Ok(())));
}
