//! The parts of sources that a segment holds, stored in one table of the segment
//! (spec/format.md, “Source parts”).

use super::error::{ContainerError, FilePlace};
use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};

/// A run of one source's bytes that a segment holds.
///
/// The name is the one that the source had when the segment was written. If the
/// directory gives another name, because archives were merged, the directory's name
/// applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePart {
    /// Name of the source.
    pub name: String,
    /// Offset of the run in the source, in bytes.
    pub offset: u64,
    /// Length of the run in bytes.
    pub bytes: u64,
    /// The number of games in the run.
    pub games: u64,
    /// The number of records in the run.
    pub records: u64,
}

/// The minimum size of an encoded part in bytes: five varints.
const MIN_PART_BYTES: u64 = 5;

impl SourcePart {
    /// Encodes a table that lists `parts`.
    pub fn encode_all(parts: &[SourcePart]) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, parts.len() as u64);
        for part in parts {
            put_bytes(&mut out, part.name.as_bytes());
            for number in [part.offset, part.bytes, part.games, part.records] {
                put_varint(&mut out, number);
            }
        }
        out
    }

    /// Decodes a table that lists parts.
    pub(super) fn parse_all(table: &[u8], place: FilePlace) -> Result<Vec<Self>, ContainerError> {
        let mut reader = ByteReader::new(table);
        let count = reader.varint().map_err(|error| place.decode_error(error))?;
        let max_parts = reader.rest().len() as u64 / MIN_PART_BYTES;
        if count > max_parts {
            return Err(place.invalid("more source parts than its table can hold"));
        }
        let parts = (0..count)
            .map(|_| SourcePart::read(&mut reader, place))
            .collect::<Result<_, _>>()?;
        reader.finish().map_err(|error| place.decode_error(error))?;
        Ok(parts)
    }

    fn read(reader: &mut ByteReader<'_>, place: FilePlace) -> Result<Self, ContainerError> {
        let (name, [offset, bytes, games, records]) =
            fields(reader).map_err(|error| place.decode_error(error))?;
        let name = std::str::from_utf8(name)
            .map_err(|_| place.invalid("the name of a source is not UTF-8"))?;
        if games > records || records > bytes || offset.checked_add(bytes).is_none() {
            return Err(place.invalid("a source part that cannot be"));
        }
        Ok(SourcePart {
            name: name.to_owned(),
            offset,
            bytes,
            games,
            records,
        })
    }
}

fn fields<'a>(reader: &mut ByteReader<'a>) -> Result<(&'a [u8], [u64; 4]), BitsError> {
    let name = reader.bytes()?;
    let mut numbers = [0; 4];
    for number in &mut numbers {
        *number = reader.varint()?;
    }
    Ok((name, numbers))
}

#[cfg(test)]
mod tests {
    use super::super::error::FilePart;
    use super::*;
    use proptest::prelude::*;

    const PLACE: FilePlace = FilePlace {
        part: FilePart::Tables,
        offset: 0,
    };

    fn part(name: &str, offset: u64, bytes: u64) -> SourcePart {
        SourcePart {
            name: name.to_owned(),
            offset,
            bytes,
            games: 1,
            records: 2,
        }
    }

    #[test]
    fn golden_bytes() {
        let expected = [
            1, // parts
            5, b'a', b'.', b'p', b'g', b'n', // name
            0x80, 0x01, // offset 128
            7, 1, 2, // bytes, games, records
        ];
        assert_eq!(SourcePart::encode_all(&[part("a.pgn", 128, 7)]), expected);
    }

    #[test]
    fn impossible_parts_are_refused() {
        for bad in [
            part("a", 0, 1),
            part("a", u64::MAX, 5),
            SourcePart {
                games: 3,
                ..part("a", 0, 9)
            },
        ] {
            let table = SourcePart::encode_all(&[bad]);
            assert!(SourcePart::parse_all(&table, PLACE).is_err());
        }
        assert!(SourcePart::parse_all(&[1, 1, 0xff, 0, 1, 0, 1], PLACE).is_err());
        assert!(SourcePart::parse_all(&[0xff, 0xff, 0xff, 0x0f, 0], PLACE).is_err());
        assert!(SourcePart::parse_all(&[0, 0], PLACE).is_err());
    }

    #[test]
    fn counts_beyond_the_table_are_refused_at_once() {
        let table = [2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let error = SourcePart::parse_all(&table, PLACE).unwrap_err();
        assert!(error.to_string().contains("more source parts"), "{error}");
    }

    proptest! {
        #[test]
        fn parts_round_trip(list in prop::collection::vec((".{0,9}", 0..1u64 << 60, 2u64..1 << 40), 0..6)) {
            let parts: Vec<_> = list.iter().map(|(name, offset, bytes)| part(name, *offset, *bytes)).collect();
            let table = SourcePart::encode_all(&parts);
            prop_assert_eq!(SourcePart::parse_all(&table, PLACE).unwrap(), parts);
        }
    }
}
