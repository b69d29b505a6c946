use std::num::NonZeroU32;

use proptest::prelude::*;

use super::*;
use crate::testing::examples::assert_shown;

fn share(start: u32, size: u32, total: u32) -> Share {
    let total = NonZeroU32::new(total).expect("a total");
    Share::new(start, size, total).expect("a share")
}

fn encode(shares: &[Share]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    for share in shares {
        encoder.encode(*share);
    }
    encoder.finish()
}

/// Decodes the symbols of these shares and fails if the bytes encode others.
fn decode(bytes: &[u8], shares: &[Share]) -> Result<(), RangeError> {
    let mut decoder = Decoder::new(bytes);
    for share in shares {
        let part = decoder.part(share.total)?;
        if part < share.start || part - share.start >= share.size.get() {
            return Err(RangeError::InvalidSymbol);
        }
        decoder.consume(*share)?;
    }
    decoder.finish()
}

/// Shares of all sizes, including those of small totals, of the largest totals,
/// and near-certain ones.
fn any_share() -> impl Strategy<Value = Share> {
    let total = prop_oneof![1u32..4, 1u32..2000, Just(1 << 30), 1..=u32::MAX];
    let parts = total.prop_flat_map(|total| (0..total, 0..total, Just(total)));
    let spread = parts.prop_map(|(a, b, total)| share(a.min(b), a.abs_diff(b) + 1, total));
    let rare = (0u32..1 << 30).prop_map(|start| share(start, 1, 1 << 30));
    let likely = Just(share(0, (1 << 20) - 1, 1 << 20));
    let highest = Just(share((1 << 20) - 1, 1, 1 << 20));
    prop_oneof![spread, rare, likely, highest]
}

/// The cost of the shares in bits, by the bound of the specification.
fn bound_bits(shares: &[Share]) -> f64 {
    let bits = |share: &Share| {
        let [size, total] = [share.size, share.total].map(|n| f64::from(n.get()));
        (total / size).log2() - (1.0 - total / f64::from(1 << 16).powi(2)).log2()
    };
    shares.iter().map(bits).sum()
}

/// Checks that the specification contains the bytes as an example.
fn assert_in_spec(name: &str, bytes: &[u8]) {
    assert_shown(include_str!("../../../spec/models.md"), name, bytes);
}

#[test]
fn examples_of_the_specification() {
    let sixths = [share(1, 2, 6), share(3, 3, 6), share(0, 1, 6)];
    assert_in_spec("range-sixths", &encode(&sixths));
    let mut certain = [share(0, 5, 5); 101];
    certain[100] = share(1, 1, 2);
    assert_in_spec("range-certain", &encode(&certain));
    let settled = [
        share(1, 1, 3),
        share((1 << 30) - 1, 1, 1 << 30),
        share(1, 1, 3),
    ];
    assert_in_spec("range-settled", &encode(&settled));
    let mut carry = [share(1, 1, 3); 23];
    carry[21..].fill(share(2, 1, 3));
    assert_in_spec("range-carry", &encode(&carry));
}

#[test]
fn a_share_lies_within_its_total() {
    let of_ten = |start, size| Share::new(start, size, NonZeroU32::new(10).expect("ten"));
    assert!(of_ten(0, 10).is_some() && of_ten(9, 1).is_some());
    for (start, size) in [(0, 0), (0, 11), (10, 1), (u32::MAX, 1)] {
        assert_eq!(of_ten(start, size), None);
    }
}

#[test]
fn each_fault_has_its_name() {
    let halves = [share(1, 1, 2)];
    assert_eq!(encode(&halves), [0x80]);
    assert_eq!(decode(&[0x80], &halves), Ok(()));
    assert_eq!(decode(&[0x81], &halves), Err(RangeError::NotCanonical));
    assert_eq!(decode(&[0x80, 0], &halves), Err(RangeError::NotCanonical));
    assert_eq!(decode(&[0x80, 1], &halves), Err(RangeError::NotCanonical));
    assert_eq!(decode(&[0x40], &halves), Err(RangeError::InvalidSymbol));
    assert_eq!(decode(&[0], &[]), Err(RangeError::NotCanonical));
    let mut long = vec![0x80; 9];
    assert_eq!(decode(&long, &halves), Err(RangeError::Trailing));
    long.fill(0xff);
    assert_eq!(decode(&long, &halves), Err(RangeError::InvalidSymbol));
}

#[test]
fn another_symbols_share_is_not_taken() {
    let mut decoder = Decoder::new(&[0x80]);
    let twice = decoder.clone().consume(share(0, 1, 2));
    assert_eq!(twice, Err(RangeError::InvalidSymbol));
    assert_eq!(decoder.consume(share(1, 1, 2)), Ok(()));
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn shares_come_back_at_their_cost(
        shares in prop::collection::vec(any_share(), 0..200),
    ) {
        let bytes = encode(&shares);
        prop_assert_eq!(decode(&bytes, &shares), Ok(()));
        let bits = 8.0 * f64::from(u32::try_from(bytes.len()).expect("short"));
        prop_assert!(bits < bound_bits(&shares) + 8.0);
    }

    /// Accepted bytes are those that the decoded symbols encode to.
    #[test]
    fn only_the_encoders_bytes_are_accepted(
        bytes in prop::collection::vec(prop_oneof![Just(0), Just(255), any::<u8>()], 0..20),
        totals in prop::collection::vec(prop_oneof![1u32..9, 1..=u32::MAX], 0..20),
    ) {
        let mut decoder = Decoder::new(&bytes);
        let mut shares = Vec::new();
        for total in totals {
            let total = NonZeroU32::new(total).expect("a total");
            let Ok(part) = decoder.part(total) else {
                return Ok(());
            };
            prop_assert!(decoder.is_at_least(part, total) && !decoder.is_at_least(part + 1, total));
            let share = Share::new(part, 1, total).expect("a share");
            prop_assert_eq!(decoder.consume(share), Ok(()));
            shares.push(share);
        }
        let accepted = decoder.finish().is_ok();
        prop_assert_eq!(accepted, encode(&shares) == bytes);
    }

    /// A stream in which one byte is changed, added or removed is invalid or
    /// decodes to other symbols.
    #[test]
    fn other_bytes_are_other_symbols(
        shares in prop::collection::vec(any_share(), 0..20),
        at in any::<prop::sample::Index>(),
        change in 1u8..,
    ) {
        let bytes = encode(&shares);
        let mut longer = bytes.clone();
        longer.push(change);
        prop_assert!(decode(&longer, &shares).is_err());
        if !bytes.is_empty() {
            prop_assert!(decode(&bytes[..bytes.len() - 1], &shares).is_err());
            let mut changed = bytes;
            let at = at.index(changed.len());
            changed[at] ^= change;
            prop_assert!(decode(&changed, &shares).is_err());
        }
    }
}
