//! Values of tags that are derived from the moves, so that filters on these tags need not
//! decode moves.

use super::sections::IndexOrder;
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::error::CodecError;
use crate::codec::string_list::StringList;
use crate::codec::{ints, strings};
use crate::limits::Limits;
use foldhash::HashMap;

/// An upper bound of the memory per value besides its bytes, in bytes.
const MAX_VALUE_OVERHEAD_BYTES: u64 = 32;
/// The memory per game and tag, in bytes.
const CELL_BYTES: u64 = 4;

/// The values of one tag in the games of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedTag {
    name: u32,
    values: StringList,
    /// The number of each game's value plus 1; 0 if the game does not have the tag.
    numbers: Vec<u32>,
}

impl DerivedTag {
    /// Creates the column of the tag whose name has this number in the segment. `games`
    /// yields the value of each game.
    pub fn new<V: AsRef<[u8]>>(name: u32, games: impl IntoIterator<Item = Option<V>>) -> Self {
        let mut known: HashMap<Vec<u8>, u32> = HashMap::default();
        let mut tag = DerivedTag {
            name,
            values: StringList::default(),
            numbers: Vec::new(),
        };
        for value in games {
            let number = value.map_or(0, |value| {
                let value = value.as_ref();
                if let Some(number) = known.get(value) {
                    return *number;
                }
                tag.values.push(value);
                let number = u32::try_from(tag.values.len()).unwrap_or(u32::MAX);
                known.insert(value.to_vec(), number);
                number
            });
            tag.numbers.push(number);
        }
        tag
    }

    /// The number of the tag's name in the segment.
    pub fn name(&self) -> u32 {
        self.name
    }

    /// The distinct values.
    pub fn values(&self) -> &StringList {
        &self.values
    }

    /// For each game, the index of its value in [`values`](DerivedTag::values); `None` if
    /// it has none.
    pub fn games(&self) -> impl Iterator<Item = Option<u32>> {
        self.numbers.iter().map(|number| number.checked_sub(1))
    }

    /// The value of the game with this index, from 0; `None` if it has none.
    pub fn value(&self, game: usize) -> Option<&[u8]> {
        let number = usize::try_from(*self.numbers.get(game)?).ok()?;
        self.values.get(number.checked_sub(1)?)
    }

    fn write(&self, order: &[u32], out: &mut Vec<u8>) {
        let mut values: Vec<&[u8]> = Vec::new();
        // Values are renumbered in the order in which they first occur.
        let mut known: HashMap<u32, u64> = HashMap::default();
        let numbers = order.iter().map(|game| {
            let index = usize::try_from(*game).unwrap_or(usize::MAX);
            let number = self.numbers.get(index).copied().unwrap_or(0);
            let Some(value) = usize::try_from(number).ok().and_then(|n| n.checked_sub(1)) else {
                return 0;
            };
            *known.entry(number).or_insert_with(|| {
                values.push(self.values.get(value).unwrap_or_default());
                values.len() as u64
            })
        });
        let numbers: Vec<u64> = numbers.collect();
        put_varint(out, self.name.into());
        put_varint(out, values.len() as u64);
        put_bytes(out, &strings::encode(&values, None));
        put_bytes(out, &ints::encode_smallest(&numbers));
    }
}

/// The tags of a segment whose values may be derived from the moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedTags {
    tags: Vec<DerivedTag>,
    unindexed_games: Vec<u32>,
}

impl DerivedTags {
    /// Encodes the section. `tags` must be in ascending order of their name numbers.
    pub fn build(order: &IndexOrder, tags: &[DerivedTag]) -> Vec<u8> {
        let order = order.games();
        let mut out = Vec::new();
        put_varint(&mut out, order.len() as u64);
        put_varint(&mut out, tags.len() as u64);
        tags.iter().for_each(|tag| tag.write(&order, &mut out));
        out
    }

    /// Decodes the section. `order` is that of the indexes of the same segment.
    ///
    /// # Errors
    /// The section is damaged or belongs to another segment, or a limit is exceeded.
    pub fn parse(
        payload: &[u8],
        index_order: &IndexOrder,
        limits: &Limits,
    ) -> Result<DerivedTags, CodecError> {
        let order = index_order.games();
        let mut reader = ByteReader::new(payload);
        if reader.length()? != order.len() {
            return Err(CodecError::Damaged("tags of another number of games"));
        }
        let count = reader.length()?;
        let mut budget = limits.index_bytes;
        let mut tags: Vec<DerivedTag> = Vec::new();
        for _ in 0..count {
            let tag = read(&mut reader, &order, &mut budget, limits)?;
            if tags.last().is_some_and(|last| last.name >= tag.name) {
                return Err(CodecError::Damaged("tags that do not rise"));
            }
            tags.push(tag);
        }
        reader.finish()?;
        Ok(DerivedTags {
            tags,
            unindexed_games: index_order.unindexed_games.clone(),
        })
    }

    /// The tag whose name has this number in the segment.
    pub fn tag(&self, name: u32) -> Option<&DerivedTag> {
        let at = self.tags.binary_search_by_key(&name, DerivedTag::name);
        self.tags.get(at.ok()?)
    }

    /// The tags, in ascending order of their name numbers.
    pub fn tags(&self) -> &[DerivedTag] {
        &self.tags
    }

    /// The games, counted from 0, that are not in the opening tree. They include every game
    /// with a verbatim tail.
    pub fn outside(&self) -> &[u32] {
        &self.unindexed_games
    }
}

impl IndexOrder {
    /// The order in which the section stores the games. It places games with equal values next
    /// to each other.
    fn games(&self) -> Vec<u32> {
        [self.unindexed_games.as_slice(), &self.tree_games].concat()
    }
}

/// Decodes a tag and deducts its memory from `budget`.
fn read(
    reader: &mut ByteReader<'_>,
    order: &[u32],
    budget: &mut u64,
    limits: &Limits,
) -> Result<DerivedTag, CodecError> {
    const TOO_LARGE: CodecError = CodecError::Limit("tags of an index");
    let mut take = |bytes: u64| match budget.checked_sub(bytes) {
        Some(left) => {
            *budget = left;
            Ok(left)
        }
        None => Err(TOO_LARGE),
    };
    let name = u32::try_from(reader.length()?);
    let name = name.map_err(|_| CodecError::Damaged("a tag name that is none"))?;
    let count = reader.length()?;
    if count > order.len() {
        return Err(CodecError::Damaged("more values than games"));
    }
    take(CELL_BYTES * order.len() as u64)?;
    let left = take((count as u64).saturating_mul(MAX_VALUE_OVERHEAD_BYTES))?;
    let values = strings::decode(reader.bytes()?, count, None, left, limits)?;
    take(values.total_bytes() as u64)?;
    let by_order = ints::decode(reader.bytes()?, order.len(), limits)?;
    let mut numbers = vec![0; order.len()];
    for (game, number) in order.iter().zip(by_order) {
        let at = numbers.get_mut(usize::try_from(*game).unwrap_or(usize::MAX));
        let number = u32::try_from(number)
            .ok()
            .filter(|_| number <= count as u64);
        if let (Some(at), Some(number)) = (at, number) {
            *at = number;
        } else {
            return Err(CodecError::Damaged("a value of a tag that is none"));
        }
    }
    Ok(DerivedTag {
        name,
        values,
        numbers,
    })
}

#[cfg(test)]
mod tests {
    use super::super::line::{IndexLine, IndexMoves};
    use super::super::sections::IndexBuilder;
    use super::*;
    use crate::chess::{PlyKind, Square};

    /// The order of seven games: 1, 4, 0, 2, 3, 5, 6. The first two are outside the tree.
    fn tree() -> IndexOrder {
        let line = |from: u32| {
            let ply = PlyKind::Move {
                from: Square::new(from),
                to: Square::A1,
                promotion: None,
            };
            IndexMoves::Line(IndexLine::new([ply].into_iter(), false).unwrap())
        };
        let none = || IndexMoves::Unknown;
        let games = [line(8), none(), line(7), line(8), none(), line(8), line(8)];
        IndexBuilder::new(&games).unwrap().order().clone()
    }

    fn tags() -> Vec<DerivedTag> {
        let eco = [
            Some("B90"),
            None,
            Some("A00"),
            Some("B90"),
            Some("x"),
            None,
            Some("B91"),
        ];
        let opening: [Option<&str>; 7] = [None; 7];
        vec![DerivedTag::new(2, eco), DerivedTag::new(5, opening)]
    }

    fn parse(payload: &[u8]) -> Result<DerivedTags, CodecError> {
        DerivedTags::parse(payload, &tree(), &Limits::default())
    }

    fn contents(tags: &[DerivedTag]) -> Vec<(u32, Vec<Option<&[u8]>>)> {
        let texts = |tag| {
            let value = |number: u32| DerivedTag::values(tag).get(number as usize);
            let values: Vec<_> = tag.games().map(|it| it.and_then(value)).collect();
            assert!(
                (0..7)
                    .map(|game| tag.value(game))
                    .eq(values.iter().copied())
            );
            values
        };
        tags.iter().map(|tag| (tag.name(), texts(tag))).collect()
    }

    #[test]
    fn values_round_trip() {
        let (tree, tags) = (tree(), tags());
        let payload = DerivedTags::build(&tree, &tags);
        let read = parse(&payload).unwrap();
        assert_eq!(read.outside(), [1, 4]);
        assert_eq!(contents(read.tags()), contents(&tags));
        // The encoding does not depend on the previous numbering of the values.
        assert_eq!(DerivedTags::build(&tree, read.tags()), payload);
        let first: Vec<&[u8]> = read.tags()[0].values().iter().collect();
        assert_eq!(first, [&b"x"[..], b"B90", b"A00", b"B91"]);
    }

    #[test]
    fn damaged_sections_are_refused() {
        let payload = DerivedTags::build(&tree(), &tags());
        for cut in 0..payload.len() {
            assert!(parse(&payload[..cut]).is_err(), "{cut}");
        }
        let longer = [&payload[..], b"\0"].concat();
        assert!(parse(&longer).is_err());
        let other_games = [&[8], &payload[1..]].concat();
        assert!(parse(&other_games).is_err());
        let mut tags = tags();
        tags.reverse();
        let falling = DerivedTags::build(&tree(), &tags);
        assert!(parse(&falling).is_err());
        let no_value = {
            let mut out = vec![7, 1];
            put_varint(&mut out, 1);
            put_varint(&mut out, 0);
            put_bytes(&mut out, &strings::encode(&[], None));
            put_bytes(&mut out, &ints::encode_smallest(&[1; 7]));
            out
        };
        assert!(parse(&no_value).is_err());
    }

    #[test]
    fn memory_is_bounded() {
        let limits = Limits {
            index_bytes: 7 * CELL_BYTES,
            ..Limits::default()
        };
        let one = |tag: DerivedTag| DerivedTags::build(&tree(), &[tag]);
        let parse = |payload: &[u8]| DerivedTags::parse(payload, &tree(), &limits);
        assert!(parse(&one(DerivedTag::new(0, [None::<&str>; 7]))).is_ok());
        let large = parse(&one(DerivedTag::new(0, [Some("a"); 7])));
        assert!(matches!(large, Err(CodecError::Limit(_))));
    }
}
