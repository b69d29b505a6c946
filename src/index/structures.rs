//! The structures of pawns that the games of each group have after the trunk, as hashes: they rule out
//! most groups that do not have a position. Games outside the tree are in groups of their own.

use super::framed::{Records, checked, write_section};
use super::gaps::{add_gaps, gaps};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::chess::mix;
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;
use std::ops::Range;

/// The most structures of a bucket on average: about 1,400 bytes, of which a search reads one. The head
/// takes 2.5 bytes for each bucket.
const BUCKET_STRUCTURES: usize = 2048;

/// Of the groups that do not have a structure, at most one in so many seems to have it, and more than
/// one in twice as many. Twice as many cost 2.1 bytes a game.
const MIN_SELECTIVITY: usize = 32;

/// The most games outside the tree of a group.
pub(super) const OUTSIDE_GROUP_GAMES: usize = 256;

/// An upper bound of the memory per bucket while the head is read, in bytes.
const BUCKET_BYTES: u64 = 32;

/// The most bits of the number of a bucket.
const MAX_BUCKET_BITS: u32 = 24;
/// The most bits of a hash that are stored.
const MAX_REST_BITS: u32 = 31;

/// The squares of White's and of Black's pawns, one bit per square, a1 lowest.
pub type PawnStructure = [u64; 2];

/// The groups that have or seem to have a structure, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StructureGroups {
    /// Those of the tree.
    pub(super) tree: Vec<usize>,
    /// Those outside it, from 0; `None` if nothing is known of them.
    pub(super) outside: Option<Vec<usize>>,
}

/// How hashes are divided: into the number of a bucket, then bits that are stored in it.
#[derive(Debug, Clone, Copy)]
struct HashBits {
    bucket: u32,
    rest: u32,
}

/// The head of a section of structures.
#[derive(Debug, Clone)]
pub(super) struct Structures {
    bits: HashBits,
    /// The number of groups of the tree.
    tree_groups: usize,
    /// The number of all groups.
    groups: u32,
    /// The number of structures of each bucket.
    counts: Vec<u32>,
    buckets: Records,
    limits: Limits,
}

pub(super) fn hash([white, black]: PawnStructure) -> u64 {
    mix(white ^ mix(black))
}

impl HashBits {
    /// The division for so many structures, counted once in each group.
    fn new(structures: usize, groups: usize) -> HashBits {
        let bits_below = |count: usize| count.checked_ilog2().map_or(0, |bits| bits + 1);
        let bucket = bits_below(structures / BUCKET_STRUCTURES).min(MAX_BUCKET_BITS);
        let all = bits_below(MIN_SELECTIVITY * (structures / groups.max(1)));
        let most = 32 - bits_below(groups).clamp(1, 32);
        HashBits {
            bucket,
            rest: all.saturating_sub(bucket).min(most),
        }
    }

    /// The bucket of a hash, and the bits that are stored in it.
    fn divide(self, hash: u64) -> (usize, u32) {
        let highest = |hash: u64, bits: u32| hash.checked_shr(64 - bits).unwrap_or(0);
        let rest = highest(hash << self.bucket, self.rest);
        (
            usize::try_from(highest(hash, self.bucket)).unwrap_or(usize::MAX),
            u32::try_from(rest).unwrap_or(u32::MAX),
        )
    }
}

impl Structures {
    /// Encodes the section, from the hashes of each group of the tree, and of those outside it if these are
    /// known. Returns `None` if there are too many groups.
    pub(super) fn write(tree: &[Vec<u64>], outside: Option<Vec<Vec<u64>>>) -> Option<Vec<u8>> {
        let outside = outside.unwrap_or_default();
        let groups: Vec<&[u64]> = tree.iter().chain(&outside).map(Vec::as_slice).collect();
        let structures: usize = groups.iter().map(|hashes| hashes.len()).sum();
        let bits = HashBits::new(structures, groups.len());
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); 1 << bits.bucket];
        for (group, hashes) in (0u32..).zip(&groups) {
            for hash in *hashes {
                let (bucket, rest) = bits.divide(*hash);
                buckets.get_mut(bucket)?.push(group << bits.rest | rest);
            }
        }
        let encode = |bucket: &mut Vec<u32>| {
            bucket.sort_unstable();
            bucket.dedup();
            ints::encode(&gaps(bucket).collect::<Vec<_>>())
        };
        let records: Vec<Vec<u8>> = buckets.iter_mut().map(encode).collect();
        let column = |value: &dyn Fn(usize) -> usize| {
            let values = (0..buckets.len()).map(|bucket| value(bucket) as u64);
            ints::encode(&values.collect::<Vec<_>>())
        };
        let mut head = Vec::new();
        put_varint(&mut head, bits.bucket.into());
        put_varint(&mut head, bits.rest.into());
        put_varint(&mut head, outside.len() as u64);
        put_bytes(
            &mut head,
            &column(&|at| buckets.get(at).map_or(0, Vec::len)),
        );
        put_bytes(
            &mut head,
            &column(&|at| records.get(at).map_or(0, Vec::len)),
        );
        Some(write_section(&head, records))
    }

    /// Decodes the head of the section of a segment whose tree has so many groups, and with so many games
    /// outside it.
    ///
    /// # Errors
    /// The head is damaged.
    pub(super) fn parse(
        head: &[u8],
        tree_groups: usize,
        outside_games: usize,
        limits: &Limits,
    ) -> Result<Structures, CodecError> {
        const TOO_MANY: CodecError = CodecError::Damaged("too many buckets of structures");
        let head = checked(head)?;
        let mut reader = ByteReader::new(head);
        let bits = [reader.varint()?, reader.varint()?];
        let [bucket, rest] = bits.map(|bits| u32::try_from(bits).unwrap_or(u32::MAX));
        if bucket > MAX_BUCKET_BITS || rest > MAX_REST_BITS {
            return Err(TOO_MANY);
        }
        let outside = reader.length()?;
        if outside != 0 && outside != outside_games.div_ceil(OUTSIDE_GROUP_GAMES) {
            return Err(CodecError::Damaged(
                "other groups of games outside the tree",
            ));
        }
        let groups = tree_groups + outside;
        // The number of a group and the bits of a hash are stored as one integer.
        let most = (groups as u64).checked_mul(1 << rest);
        let most = most
            .filter(|most| *most <= u64::from(u32::MAX))
            .ok_or(TOO_MANY)?;
        let groups = u32::try_from(groups).map_err(|_| TOO_MANY)?;
        let buckets = 1usize << bucket;
        if (buckets as u64).saturating_mul(BUCKET_BYTES) > limits.index_bytes {
            return Err(CodecError::Limit("buckets of an index"));
        }
        let counts = ints::decode(reader.bytes()?, buckets, limits)?;
        let sizes = ints::decode(reader.bytes()?, buckets, limits)?;
        reader.finish()?;
        let counts = counts.into_iter().map(|count| match count <= most {
            true => u32::try_from(count).map_err(|_| TOO_MANY),
            false => Err(CodecError::Damaged("a bucket with too many structures")),
        });
        Ok(Structures {
            bits: HashBits { bucket, rest },
            tree_groups,
            groups,
            counts: counts.collect::<Result<_, _>>()?,
            buckets: Records::new(head, sizes),
            limits: limits.clone(),
        })
    }

    /// The range of the bucket of a structure in the section.
    pub(super) fn range(&self, structure: PawnStructure) -> Range<u64> {
        let (bucket, _) = self.bits.divide(hash(structure));
        self.buckets.range(bucket)
    }

    /// What has or seems to have a structure, by its bucket.
    ///
    /// # Errors
    /// The bucket is damaged.
    pub(super) fn groups_with(
        &self,
        structure: PawnStructure,
        bucket: &[u8],
    ) -> Result<StructureGroups, CodecError> {
        let (number, sought) = self.bits.divide(hash(structure));
        let count = self.counts.get(number).copied().unwrap_or(0);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let gaps = ints::decode(checked(bucket)?, count, &self.limits)?;
        let mut set = Vec::with_capacity(count);
        let end = self.groups << self.bits.rest;
        add_gaps(gaps, end, &mut set)
            .ok_or(CodecError::Damaged("a structure of a group that is none"))?;
        let is_it = |it: &u32| it & ((1 << self.bits.rest) - 1) == sought;
        let group = |it: u32| usize::try_from(it >> self.bits.rest).unwrap_or(usize::MAX);
        let groups: Vec<usize> = set.into_iter().filter(is_it).map(group).collect();
        let (tree, outside) = groups.split_at(groups.partition_point(|it| *it < self.tree_groups));
        let has_outside = u64::from(self.groups) > self.tree_groups as u64;
        Ok(StructureGroups {
            tree: tree.to_vec(),
            outside: has_outside.then(|| outside.iter().map(|it| it - self.tree_groups).collect()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::section_head;

    fn structure(number: u64) -> PawnStructure {
        [number << 8, number << 40]
    }

    /// Groups of `size` structures, of which each shares a quarter with the one before.
    fn groups(count: u64, size: u64) -> Vec<Vec<PawnStructure>> {
        let group = |group: u64| (0..size).map(move |at| structure(3 * size / 4 * group + at));
        (0..count).map(|number| group(number).collect()).collect()
    }

    fn written(groups: &[Vec<PawnStructure>]) -> Vec<u8> {
        let hashes = groups
            .iter()
            .map(|group| group.iter().map(|it| hash(*it)).collect());
        Structures::write(&hashes.collect::<Vec<_>>(), None).unwrap()
    }

    fn found(section: &[u8], groups: usize, sought: PawnStructure) -> Vec<usize> {
        let head = section_head(section);
        let structures = Structures::parse(head, groups, 0, &Limits::default()).unwrap();
        let range = structures.range(sought);
        let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap());
        structures
            .groups_with(sought, &section[start..end])
            .unwrap()
            .tree
    }

    #[test]
    fn groups_with_a_structure_are_found_and_few_others() {
        for (count, size) in [(1, 10), (1, 5000), (7, 300), (60, 1000)] {
            let groups = groups(count, size);
            let section = written(&groups);
            let (mut others, mut all) = (0, 0);
            for sought in (0..count * size * 2).step_by(97).map(structure) {
                let found = found(&section, groups.len(), sought);
                assert!(found.is_sorted());
                for (number, group) in groups.iter().enumerate() {
                    let is_found = found.contains(&number);
                    match group.contains(&sought) {
                        true => assert!(is_found),
                        false => others += usize::from(is_found),
                    }
                    all += 1;
                }
            }
            assert!(
                MIN_SELECTIVITY * others <= all + MIN_SELECTIVITY * 4,
                "{others} of {all}"
            );
        }
    }

    #[test]
    fn no_games_have_no_structures() {
        let section = written(&[]);
        assert!(found(&section, 0, structure(1)).is_empty());
    }

    #[test]
    fn damaged_heads_are_refused() {
        let parse_outside = |bits: [u64; 2], outside: u64, count: u64, groups| {
            let mut head = Vec::new();
            bits.iter().for_each(|bits| put_varint(&mut head, *bits));
            put_varint(&mut head, outside);
            let buckets = 1usize
                .checked_shl(u32::try_from(bits[0]).unwrap())
                .unwrap_or(1);
            let column = |value| ints::encode(&vec![value; buckets.min(1 << 20)]);
            put_bytes(&mut head, &column(count));
            put_bytes(&mut head, &column(1));
            let section = crate::index::write_section(&head, [[]; 0]);
            Structures::parse(section_head(&section), groups, 257, &Limits::default())
        };
        let parse = |bits, count, groups| parse_outside(bits, 0, count, groups);
        assert!(parse_outside([3, 5], 2, 32 * 3, 1).is_ok());
        assert!(parse_outside([3, 5], 2, 32 * 3 + 1, 1).is_err());
        assert!(parse_outside([3, 5], 1, 32, 1).is_err());
        assert!(parse_outside([3, 5], 3, 32, 1).is_err());
        assert!(parse_outside([3, 5], u64::MAX, 32, 1).is_err());
        assert!(parse([3, 5], 32, 1).is_ok());
        assert!(parse([3, 5], 33, 1).is_err());
        assert!(parse([25, 5], 1, 1).is_err());
        assert!(parse([3, 32], 1, 1).is_err());
        assert!(parse([3, 31], 1, 3).is_err());
        assert!(parse([3, 64], 1, 1).is_err());
    }
}
