use super::*;
use crate::codec::golden::{assert_in_spec, assert_row_in_spec};
use proptest::prelude::*;
use strum::VariantArray;

fn read(bytes: &[u8], count: usize) -> Result<Vec<u64>, CodecError> {
    decode(bytes, count, &Limits::default())
}

/// Checks that the column round-trips and has this encoding.
fn check(values: &[u64], encoding: Encoding) -> Vec<u8> {
    let bytes = encode(values);
    assert_eq!(bytes[0], encoding.number());
    assert_eq!(read(&bytes, values.len()).as_deref(), Ok(values));
    bytes
}

#[test]
fn numbers_are_those_of_the_spec() {
    for &encoding in Encoding::VARIANTS {
        assert_row_in_spec(encoding.number(), &format!("{encoding:?}"));
    }
}

#[test]
fn golden_constant() {
    let bytes = check(&[300; 256], Encoding::Constant);
    assert_eq!(bytes, [0, 0xac, 0x02]);
    assert_in_spec("ints-constant", &bytes);
}

#[test]
fn golden_runs() {
    let values = [[7; 20], [500; 20]].concat();
    let bytes = check(&values, Encoding::Runs);
    assert_eq!(bytes, [1, 0, 7, 20, 0xf4, 0x03, 20]);
    assert_in_spec("ints-runs", &bytes);
}

#[test]
fn golden_rice() {
    let values = [5, 6, 3, 0, 6, 5, 7, 4, 5, 6, 5, 4, 7, 5, 40];
    let bytes = check(&values, Encoding::Rice);
    assert_eq!(bytes[..3], [2, 3, 0b1101_1110]);
    assert_in_spec("ints-rice", &bytes);
}

#[test]
fn golden_adaptive() {
    let values = [5, 6, 3, 0, 6, 5, 7, 4, 5, 6, 5, 4, 7, 5, 40, 70_000];
    let bytes = adaptive::encode(&values).unwrap();
    assert_eq!(read(&bytes, values.len()).as_deref(), Ok(&values[..]));
    assert_in_spec("ints-adaptive", &bytes);
}

#[test]
fn adaptive_codes_are_chosen_where_they_are_smaller() {
    let values: Vec<u64> = (0..300u64)
        .map(|n| [2400, 7, 0, 2401][((n * n * n * 0x9e37_79b9) >> 32) as usize % 4])
        .collect();
    let bytes = encode_smallest(&values);
    assert_eq!(bytes[0], Encoding::Adaptive.number());
    assert_eq!(read(&bytes, values.len()), Ok(values.clone()));
    assert!(bytes.len() < encode(&values).len());
    assert_eq!(encode_smallest(&[7; 300]), encode(&[7; 300]));
    // Values of 64 bits have no adaptive code.
    assert_eq!(encode_smallest(&[u64::MAX, 0]), encode(&[u64::MAX, 0]));
    assert_eq!(adaptive::encode(&[u64::MAX, 0]), None);
}

#[test]
fn adaptive_codes_do_not_expand_without_bound() {
    assert_eq!(adaptive::encode(&[0; 10_000]), None);
    assert_eq!(read(&[3], 64), Ok(vec![i64::MAX.unsigned_abs(); 64]));
    assert!(read(&[3], 65).is_err());
    assert_in_spec("ints-adaptive, too many", &[3]);
    assert!(read(&[3, 0], 1).is_err(), "not the shortest stream");
    assert_in_spec("ints-adaptive, wrong", &[3, 0]);
}

#[test]
fn an_empty_column_is_no_bytes() {
    assert!(encode(&[]).is_empty());
    assert_eq!(read(&[], 0), Ok(vec![]));
    assert!(read(&[0, 0], 0).is_err());
    assert!(read(&[], 1).is_err());
}

#[test]
fn a_count_is_bounded_before_memory_is_taken() {
    let limit = Err(CodecError::Limit("values in a column"));
    assert_eq!(read(&[0, 0], usize::MAX), limit);
    assert_eq!(read(&[1, 0, 1, 2], usize::MAX), limit);
}

#[test]
fn hostile_columns_are_refused() {
    let refused: [(&str, &[u8], usize); 10] = [
        ("unknown encoding", &[4, 0], 1),
        ("trailed constant", &[0, 0, 0], 2),
        ("run of none", &[1, 0, 1, 0, 1, 2], 2),
        ("runs too long", &[1, 0, 1, 3], 2),
        ("runs too short", &[1, 0, 1, 1], 2),
        (
            "remainder of 64 bits",
            &[2, 64, 0x80, 0, 0, 0, 0, 0, 0, 0, 0],
            1,
        ),
        ("Rice code cut", &[2, 0, 0], 1),
        ("remainder cut", &[2, 8, 0x80], 1),
        ("Rice trailed", &[2, 0, 0x80, 0], 1),
        ("beyond 64 bits", &[2, 63, 0x20, 0, 0, 0, 0, 0, 0, 0, 0], 1),
    ];
    for (name, bytes, count) in refused {
        assert!(read(bytes, count).is_err(), "{name}");
    }
}

fn column() -> impl Strategy<Value = Vec<u64>> {
    let value = prop_oneof![any::<u64>(), 0..4u64, 1000..1100u64, 0..100_000u64];
    let runs = prop::collection::vec((value, 1..20usize), 0..60);
    runs.prop_map(|runs| {
        runs.into_iter()
            .flat_map(|(value, run)| std::iter::repeat_n(value, run))
            .collect()
    })
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn columns_come_back(values in column()) {
        prop_assert_eq!(read(&encode(&values), values.len()), Ok(values));
    }

    #[test]
    fn values_without_runs_come_back(values in prop::collection::vec(0..3000u64, 0..300)) {
        prop_assert_eq!(read(&encode(&values), values.len()), Ok(values));
    }

    #[test]
    fn every_encoding_comes_back_by_itself(values in column()) {
        prop_assume!(!values.is_empty());
        let rice = rice::encode(&values, usize::MAX);
        let forms = [Some(runs(&values)), rice, adaptive::encode(&values)];
        for bytes in forms.into_iter().flatten() {
            prop_assert_eq!(read(&bytes, values.len()), Ok(values.clone()));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn cut_columns_are_refused(values in column(), cut in any::<prop::sample::Index>()) {
        let bytes = encode(&values);
        prop_assume!(!bytes.is_empty());
        prop_assert!(read(&bytes[..cut.index(bytes.len())], values.len()).is_err());
    }

    #[test]
    fn any_bytes_are_safe(
        encoding in 0u8..5,
        bytes in prop::collection::vec(any::<u8>(), 0..100),
        count in 0..2000usize,
    ) {
        let column = [&[encoding], &bytes[..]].concat();
        if let Ok(values) = read(&column, count) {
            prop_assert_eq!(values.len(), count);
        }
    }
}
