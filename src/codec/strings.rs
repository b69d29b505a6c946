//! A column of byte strings whose count the reader knows. Strings may be in a
//! dictionary.
//!
//! `spec/columns.md`, section 5, defines the layout.

use super::dictionary::{Dictionary, StringIds};
use super::error::CodecError;
use super::string_list::StringList;
use super::{ints, pack};
use crate::bits::{ByteReader, put_bytes};
use crate::limits::Limits;

/// The number of a literal. A string in the dictionary has its ID plus 1.
pub const LITERAL: u64 = 0;

/// Encodes a column. Values that `ids` contains are stored as IDs.
pub fn encode(values: &[&[u8]], ids: Option<&StringIds>) -> Vec<u8> {
    encode_with(values, ids, |literals| {
        pack::compress(literals, pack::LEVEL)
    })
}

/// Like [`encode`], with `press` as the compressor of the literals.
pub fn encode_with(
    values: &[&[u8]],
    ids: Option<&StringIds>,
    compress: impl FnOnce(&[u8]) -> Vec<u8>,
) -> Vec<u8> {
    let mut numbers = Vec::with_capacity(values.len());
    let mut lengths = Vec::new();
    let mut literals = Vec::new();
    for value in values {
        if let Some(id) = ids.and_then(|ids| ids.id_of(value)) {
            numbers.push(u64::from(id) + 1);
        } else {
            numbers.push(LITERAL);
            lengths.push(value.len() as u64);
            literals.extend_from_slice(value);
        }
    }
    let mut out = Vec::new();
    put_bytes(&mut out, &ints::encode(&numbers));
    if !lengths.is_empty() {
        put_bytes(&mut out, &ints::encode(&lengths));
        out.extend(compress(&literals));
    }
    out
}

/// Decodes a column of `count` values, which are at most `max_raw` bytes in
/// total.
///
/// # Errors
/// [`CodecError::Limit`] if the values exceed `max_raw` or another bound,
/// otherwise damaged data in the column or in the dictionary.
pub fn decode(
    bytes: &[u8],
    count: usize,
    dictionary: Option<&Dictionary>,
    max_raw: u64,
    limits: &Limits,
) -> Result<StringList, CodecError> {
    let first = FirstStrings {
        wanted: count,
        count,
    };
    decode_first(bytes, first, dictionary, max_raw, limits, |literals, _| {
        pack::decompress(literals, max_raw, limits)
    })
}

/// The first strings of a column.
#[derive(Debug, Clone, Copy)]
pub struct FirstStrings {
    /// The number of strings to read.
    pub wanted: usize,
    /// The number of strings of the column.
    pub count: usize,
}

/// Decodes the first values of a column, which are at most `max_raw` bytes in total.
/// `decompress` is the inverse of `compress` in [`encode_with`]: it restores at most `max_raw`
/// bytes, at least the first ones whose number it is given.
///
/// # Errors
/// As [`decode`]; damage after these values may not be found.
pub fn decode_first(
    bytes: &[u8],
    first: FirstStrings,
    dictionary: Option<&Dictionary>,
    max_raw: u64,
    limits: &Limits,
    decompress: impl FnOnce(&[u8], usize) -> Result<Vec<u8>, CodecError>,
) -> Result<StringList, CodecError> {
    let mut reader = ByteReader::new(bytes);
    let mut numbers = ints::decode(reader.bytes()?, first.count, limits)?;
    let literals = count_literals(&numbers);
    numbers.truncate(first.wanted);
    let wanted = count_literals(&numbers);
    let (lengths, text) = match literals {
        0 => {
            reader.finish()?;
            (Vec::new(), Vec::new())
        }
        _ => {
            let mut lengths = read_lengths(reader.bytes()?, literals, limits)?;
            lengths.truncate(wanted);
            let sum = |sum: usize, length: &usize| sum.saturating_add(*length);
            let bytes = match wanted < literals {
                true => lengths.iter().fold(0, sum),
                false => usize::MAX,
            };
            let mut text = decompress(reader.rest(), bytes)?;
            text.truncate(bytes);
            (lengths, text)
        }
    };
    if wanted == numbers.len() {
        // A large column typically has only literals, so they are not copied.
        return StringList::split(text, lengths).ok_or(CodecError::Damaged("literal length"));
    }
    let mut lengths = lengths.into_iter();
    let mut text = ByteReader::new(&text);
    let mut strings = StringList::with_capacity(numbers.len());
    for number in numbers {
        let value = match number.checked_sub(1) {
            None => text.take(lengths.next().unwrap_or_default())?,
            Some(id) => look_up(dictionary, id)?,
        };
        if (strings.total_bytes() as u64).saturating_add(value.len() as u64) > max_raw {
            return Err(CodecError::Limit("size of a column"));
        }
        strings.push(value);
    }
    text.finish()?;
    Ok(strings)
}

/// The packed literals of an encoded column; `None` if it has none, or is damaged.
pub fn packed_literals(bytes: &[u8]) -> Option<&[u8]> {
    let mut reader = ByteReader::new(bytes);
    reader.bytes().and_then(|_| reader.bytes()).ok()?;
    Some(reader.rest()).filter(|literals| !literals.is_empty())
}

fn count_literals(numbers: &[u64]) -> usize {
    let is_literal = |number: &&u64| **number == LITERAL;
    numbers.iter().filter(is_literal).count()
}

fn read_lengths(bytes: &[u8], count: usize, limits: &Limits) -> Result<Vec<usize>, CodecError> {
    let lengths = ints::decode(bytes, count, limits)?.into_iter();
    lengths
        .map(|length| usize::try_from(length).map_err(|_| CodecError::Damaged("literal length")))
        .collect()
}

fn look_up(dictionary: Option<&Dictionary>, id: u64) -> Result<&[u8], CodecError> {
    let id = u32::try_from(id).map_err(|_| CodecError::Damaged("dictionary ID"))?;
    dictionary
        .ok_or(CodecError::Damaged("column needs a dictionary"))?
        .get(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::context_mixing;
    use crate::codec::dictionary::build;
    use crate::codec::golden::assert_in_spec;
    use crate::testing::sized;
    use proptest::prelude::*;

    const ANY: u64 = 1 << 20;

    fn check(values: &[&[u8]], known: &[&[u8]]) -> Vec<u8> {
        let limits = Limits::default();
        let (table, ids) = build(known.iter().map(|value| value.to_vec()).collect());
        let dictionary = Dictionary::parse(&table, &limits).unwrap();
        let bytes = encode(values, Some(&ids));
        let strings = decode(&bytes, values.len(), Some(&dictionary), ANY, &limits).unwrap();
        assert_eq!(strings.iter().collect::<Vec<_>>(), values);
        for wanted in 0..=values.len() {
            let count = values.len();
            let first = FirstStrings { wanted, count };
            let mut asked = None;
            let read = |literals: &[u8], wanted| {
                asked = Some(wanted);
                pack::decompress(literals, ANY, &limits)
            };
            let strings = decode_first(&bytes, first, Some(&dictionary), ANY, &limits, read);
            let strings = strings.unwrap();
            assert_eq!(strings.iter().collect::<Vec<_>>(), values[..wanted]);
            let is_literal = |value: &&&[u8]| ids.id_of(value).is_none();
            let literals = values[..wanted].iter().filter(is_literal);
            let bytes: usize = literals.map(|value| value.len()).sum();
            let are_all = values[wanted..].iter().all(|value| !is_literal(&value));
            let expected = if are_all { usize::MAX } else { bytes };
            assert!(asked.is_none_or(|asked| asked == expected), "{wanted}");
        }
        bytes
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn golden_column() {
        let values: [&[u8]; 4] = [b"B07", b"C42", b"A00", b"C42"];
        let bytes = check(&values, &[b"B07", b"C42"]);
        assert_in_spec("strings", &bytes);
    }

    #[test]
    fn an_empty_column_comes_back() {
        assert_eq!(check(&[], &[]), [0]);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn a_constant_column_is_tiny() {
        let values = [&b"1-0"[..]; 256];
        assert_eq!(check(&values, &[b"1-0"]), [2, 0, 1]);
        assert_eq!(check(&[&b""[..]; 256], &[]), [2, 0, 0, 2, 0, 0, 0]);
    }

    #[test]
    fn hostile_columns_are_refused() {
        let limits = Limits::default();
        let (table, _) = build(vec![b"x".to_vec()]);
        let dictionary = Dictionary::parse(&table, &limits).unwrap();
        let refused: [(&str, &[u8]); 7] = [
            ("cut", &[2, 0]),
            ("trailed", &[2, 0, 1, 0]),
            ("ID past the dictionary", &[2, 0, 2]),
            ("ID above 32 bits", &[7, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
            ("no literals", &[2, 0, 0]),
            ("literals too short", &[2, 0, 0, 2, 0, 2, 0, 65, 66, 67]),
            ("literals too long", &[2, 0, 0, 2, 0, 1, 0, 65, 66, 67]),
        ];
        for (name, bytes) in refused {
            assert!(
                decode(bytes, 2, Some(&dictionary), ANY, &limits).is_err(),
                "{name}"
            );
        }
        assert!(decode(&[2, 0, 1], 2, None, ANY, &limits).is_err());
        assert!(decode(&[2, 0, 1], 2, Some(&dictionary), ANY, &limits).is_ok());
    }

    /// A pack that is longer than the lengths, or has bytes after it, is refused if all of the
    /// column is read, also where the first strings could be read alone.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn whole_columns_of_prose_are_checked() {
        let limits = Limits::default();
        let words = [
            "a strong move}",
            "the knight",
            " is better placed on d5}",
            "if 12.Nf3? ",
        ];
        let word = |n: usize| format!("{}{n}", words[n * n % 7 % 4]);
        let text = (0..400).map(word).collect::<String>().into_bytes();
        let values = [&text[..500], &text[500..]];
        let mix = |literals: &[u8]| context_mixing::compress(literals, None);
        let read = |bytes: &[u8], wanted| {
            let first = FirstStrings { wanted, count: 2 };
            let restore = |prose: &[u8], wanted| {
                context_mixing::decompress_first(prose, wanted, || Ok(None), ANY, &limits)
            };
            decode_first(bytes, first, None, ANY, &limits, restore)
        };
        let whole = encode_with(&values, None, mix);
        assert!(context_mixing::is_mixed(packed_literals(&whole).unwrap()));
        assert!(read(&whole, 2).unwrap().iter().eq(values));
        let longer = encode_with(&values, None, |literals| mix(&[literals, b"x"].concat()));
        let trailed = [&whole[..], b"x"].concat();
        for bytes in [longer, trailed] {
            assert!(read(&bytes, 2).is_err());
            assert!(read(&bytes, 1).unwrap().iter().eq([values[0]]));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn a_column_is_bounded_by_its_caller() {
        let limits = Limits::default();
        let (table, ids) = build(vec![vec![b'x'; 200]]);
        let dictionary = Dictionary::parse(&table, &limits).unwrap();
        let value = [b'x'; 200];
        let bytes = encode(&[&value[..]; 50], Some(&ids));
        let limit = Err(CodecError::Limit("size of a column"));
        assert!(decode(&bytes, 50, Some(&dictionary), 10_000, &limits).is_ok());
        assert_eq!(decode(&bytes, 50, Some(&dictionary), 9_999, &limits), limit);
    }

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "takes minutes")]
        fn columns_round_trip(
            values in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..12), 0..sized(80, 300)),
            from in any::<prop::sample::Index>(),
        ) {
            let values: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
            let known = values.get(from.index(values.len() + 1)..).unwrap_or_default();
            check(&values, known);
        }

        #[test]
        fn any_bytes_are_safe(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            lead in 0..8u8,
            count in 0..300usize,
        ) {
            let column = [&[lead], &bytes[..]].concat();
            if let Ok(strings) = decode(&column, count, None, ANY, &Limits::default()) {
                prop_assert_eq!(strings.len(), count);
            }
        }
    }
}
