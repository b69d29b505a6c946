//! Decoded distributions: the share of each symbol in each context.

use super::super::range::{Decoder, Share};
use super::levels::{self, UNFITTED};
use super::table::{Depth, TableReader};
use super::tree::{Levels, MAX_SYMBOLS, SymbolNode, UNFITTED_LEVELS};
use super::{DistributionError, Family, SymbolContext};
use crate::limits::Limits;
use std::num::NonZeroU32;
use std::sync::OnceLock;

/// The total of the shares of a distribution.
pub(super) const TOTAL: NonZeroU32 = match NonZeroU32::new(1 << 16) {
    Some(total) => total,
    None => NonZeroU32::MIN,
};

/// The number of entries in the search index of a distribution.
const INDEX_ENTRIES: usize = 32;
/// The distance of these entries in the total.
const INDEX_STEP: u32 = TOTAL.get() >> INDEX_ENTRIES.ilog2();

/// Families of at most this many symbols have no search index.
const UNINDEXED_SYMBOLS: usize = 8;

/// The distributions of some families.
#[derive(Debug, Clone, Default)]
pub struct Distributions {
    families: Vec<FamilyDistributions>,
}

/// The distributions of a family. Contexts without levels of their own share the
/// distribution of the coarser context.
#[derive(Debug, Clone)]
struct FamilyDistributions {
    family: Family,
    /// The number of the distribution of each context.
    contexts: Vec<u32>,
    distributions: Vec<LazyDistribution>,
}

/// A distribution that is computed when it is first used: to read one game takes few of those of a
/// segment.
#[derive(Debug, Clone)]
struct LazyDistribution {
    /// The levels of the nodes, by number.
    levels: Box<[u8]>,
    shares: OnceLock<SymbolShares>,
}

/// The shares of the symbols of a distribution.
#[derive(Debug, Clone)]
struct SymbolShares {
    /// The start of the share of each symbol.
    starts: Box<[u16]>,
    /// The search index: the symbols at every multiple of 2,048 in the total. It narrows the
    /// search. `None` if there are few symbols.
    search_index: Option<[u8; INDEX_ENTRIES]>,
}

impl Distributions {
    /// Reads the table of these families.
    ///
    /// # Errors
    /// The table is damaged, or the distributions would exceed
    /// [`Limits::tables_bytes`].
    pub fn read(
        bytes: &[u8],
        families: &[Family],
        limits: &Limits,
    ) -> Result<Self, DistributionError> {
        let mut table = TableReader::new(bytes);
        let mut budget = limits.tables_bytes;
        let families = families
            .iter()
            .map(|family| FamilyDistributions::read(*family, &mut table, &mut budget))
            .collect::<Result<_, _>>()?;
        table.finish()?;
        Ok(Distributions { families })
    }

    /// The memory that the distributions take, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        let of_family = |family: &FamilyDistributions| {
            let distributions =
                distribution_bytes(&family.family) * family.distributions.len() as u64;
            4 * family.contexts.len() as u64 + distributions
        };
        self.families.iter().map(of_family).sum()
    }

    /// The distribution in a context.
    pub(super) fn distribution(
        &self,
        place: SymbolContext,
    ) -> Result<Distribution<'_>, DistributionError> {
        self.find(place).ok_or(DistributionError::UnknownContext)
    }

    fn find(&self, place: SymbolContext) -> Option<Distribution<'_>> {
        let family = self.families.get(place.family)?;
        let context = place.context(&family.family)?;
        let number = usize::try_from(*family.contexts.get(context)?).ok()?;
        let distribution = family.distributions.get(number)?;
        let new = || SymbolShares::new(&family.family, &distribution.levels);
        let shares = distribution.shares.get_or_init(new);
        Some(Distribution {
            starts: &shares.starts,
            guides: shares.search_index.as_ref(),
        })
    }
}

/// The shares of all symbols in one context.
#[derive(Debug, Clone, Copy)]
pub(super) struct Distribution<'a> {
    starts: &'a [u16],
    /// `None` if there are few symbols.
    guides: Option<&'a [u8; INDEX_ENTRIES]>,
}

impl Distribution<'_> {
    /// The start and the end of the share of a symbol.
    fn bounds(&self, symbol: u8) -> Option<(u32, u32)> {
        let symbol = usize::from(symbol);
        let start = u32::from(*self.starts.get(symbol)?);
        let end = self.starts.get(symbol + 1);
        Some((start, end.map_or(TOTAL.get(), |end| u32::from(*end))))
    }

    /// The share of a symbol.
    pub(super) fn share(&self, symbol: u8) -> Option<Share> {
        let (start, end) = self.bounds(symbol)?;
        Share::new(start, end - start, TOTAL)
    }

    /// The symbol whose share contains a point of the total.
    pub(super) fn symbol(&self, part: u32) -> Option<u8> {
        // The symbol is between this guide and the next one, inclusive.
        let [guide, next] = match self.guides {
            Some(guides) => {
                let at = index_entry(part);
                let next = guides.get(at + 1).copied();
                [*guides.get(at)?, next.unwrap_or(u8::MAX)]
            }
            None => [0, u8::MAX],
        };
        let [first, last] = [guide, next].map(usize::from);
        let above = self.starts.get(first + 1..)?;
        let above = above.get(..last - first).unwrap_or(above);
        let beyond = above.partition_point(|start| u32::from(*start) <= part);
        u8::try_from(first + beyond).ok()
    }

    /// The symbol whose share contains the number of a decoder, and this share.
    ///
    /// The search is linear, from the start or from an entry of the search index: of few symbols
    /// it takes less time than the division that finds a part, and most symbols that an index
    /// entry precedes are near it.
    #[inline]
    pub(super) fn symbol_and_share(
        &self,
        decoder: &Decoder<'_>,
    ) -> Result<(u8, Share), DistributionError> {
        let first = match self.guides {
            None => Some(0),
            Some(guides) => guides.get(index_entry(decoder.part(TOTAL)?)).copied(),
        };
        let found = first.and_then(|first| self.search_from(first.into(), decoder));
        found.ok_or(DistributionError::UnknownContext)
    }

    /// As [`Self::symbol_and_share`], from this symbol on, whose share is not after the number.
    #[inline]
    fn search_from(&self, first: usize, decoder: &Decoder<'_>) -> Option<(u8, Share)> {
        let (start, above) = self.starts.get(first..)?.split_first()?;
        let mut start = u32::from(*start);
        let mut end = TOTAL.get();
        let mut symbol = first;
        for next in above {
            let next = u32::from(*next);
            if !decoder.is_at_least(next, TOTAL) {
                end = next;
                break;
            }
            start = next;
            symbol += 1;
        }
        let share = Share::new(start, end - start, TOTAL)?;
        Some((u8::try_from(symbol).ok()?, share))
    }

    /// The shares of all symbols below `least` together, and the remainder of the
    /// total.
    pub(super) fn split_below(&self, least: u8) -> Option<(u32, NonZeroU32)> {
        let (below, _) = self.bounds(least)?;
        Some((below, NonZeroU32::new(TOTAL.get() - below)?))
    }

    /// The share of a symbol that is known to be at least `least`.
    pub(super) fn share_from(&self, least: u8, symbol: u8) -> Option<Share> {
        let (below, total) = self.split_below(least)?;
        let (start, end) = self.bounds(symbol)?;
        Share::new(start.checked_sub(below)?, end - start, total)
    }
}

impl FamilyDistributions {
    fn read(
        family: Family,
        table: &mut TableReader<'_>,
        budget: &mut u64,
    ) -> Result<FamilyDistributions, DistributionError> {
        reserve(budget, 4 * family.contexts())?;
        let mut shares = FamilyDistributions {
            family,
            contexts: Vec::new(),
            distributions: Vec::new(),
        };
        let root = SymbolNode::root(&family);
        let mut of_family = UNFITTED_LEVELS;
        table.tree(Depth::Family, root, &mut of_family)?;
        let whole = shares.add(&of_family, budget)?;
        for _ in 0..family.outer {
            let mut of_outer = of_family;
            let mut number = whole;
            if family.outer > 1 && table.tree(Depth::Outer, root, &mut of_outer)? {
                number = shares.add(&of_outer, budget)?;
            }
            let any = family.inner > 1 && table.any()?;
            for _ in 0..family.inner {
                let mut of_inner = of_outer;
                let own = any && table.tree(Depth::Inner, root, &mut of_inner)?;
                let number = if own {
                    shares.add(&of_inner, budget)?
                } else {
                    number
                };
                shares.contexts.push(number);
            }
        }
        Ok(shares)
    }

    /// Adds a distribution and returns its number.
    fn add(&mut self, levels: &Levels, budget: &mut u64) -> Result<u32, DistributionError> {
        reserve(budget, distribution_bytes(&self.family))?;
        let number = u32::try_from(self.distributions.len());
        let levels = levels.iter().take(levels_of(&self.family));
        self.distributions.push(LazyDistribution {
            levels: levels.copied().collect(),
            shares: OnceLock::new(),
        });
        number.map_err(|_| DistributionError::Limit)
    }
}

/// The number of levels of a family: one more than the number of nodes that are not leaves.
fn levels_of(family: &Family) -> usize {
    family.symbols.next_power_of_two().into()
}

/// The memory that a distribution of a family takes, in bytes, at most (`spec/columns.md`,
/// section 8): fewer than 2 levels and one start a symbol, and the rest.
fn distribution_bytes(family: &Family) -> u64 {
    const OVERHEAD: usize = 96;
    const { assert!(size_of::<LazyDistribution>() <= OVERHEAD) };
    4 * u64::from(family.symbols) + OVERHEAD as u64
}

impl SymbolShares {
    #[cold]
    fn new(family: &Family, levels: &[u8]) -> SymbolShares {
        let mut start: u32 = 0;
        let symbols = usize::from(family.symbols);
        let sizes = divide(family.symbols.into(), levels).into_iter();
        let starts = sizes.take(symbols).map(|size| {
            let of_symbol = u16::try_from(start);
            start += size;
            of_symbol.unwrap_or(u16::MAX)
        });
        let starts: Box<[u16]> = starts.collect();
        let has_index = starts.len() > UNINDEXED_SYMBOLS;
        SymbolShares {
            search_index: has_index.then(|| search_index(&starts)),
            starts,
        }
    }
}

/// The entry of a search index for a part of the total.
#[inline]
fn index_entry(part: u32) -> usize {
    usize::try_from(part / INDEX_STEP).unwrap_or(usize::MAX)
}

/// The last symbol that starts at or below each multiple of the step.
fn search_index(starts: &[u16]) -> [u8; INDEX_ENTRIES] {
    let mut starts = starts.iter().zip(0..=u8::MAX).peekable();
    let (mut part, mut last) = (0, 0);
    std::array::from_fn(|_| {
        while let Some((_, symbol)) = starts.next_if(|(start, _)| u32::from(**start) <= part) {
            last = symbol;
        }
        part += INDEX_STEP;
        last
    })
}

/// The sizes of the shares of the symbols, at least 1 each.
///
/// All nodes of a depth are divided in one loop. A recursion over the nodes took 2 million
/// of the 34 million instructions of a `view`.
pub(super) fn divide(symbols: u32, levels: &[u8]) -> [u32; MAX_SYMBOLS] {
    let mut sizes = [0; MAX_SYMBOLS];
    if let Some(whole) = sizes.first_mut() {
        *whole = TOTAL.get();
    }
    let mut span = symbols.next_power_of_two();
    // The number of the first node of a depth.
    let mut number = 1;
    while span > 1 {
        let (of_nodes, of_depth) = (sizes, levels.get(number..).unwrap_or_default());
        let nodes = of_nodes.iter().zip(of_depth);
        // The number of symbols below this node and those after it.
        let mut remaining = symbols;
        for ((size, level), children) in nodes.zip(sizes.as_chunks_mut().0) {
            if remaining == 0 {
                break;
            }
            let existing = remaining.min(span);
            remaining -= existing;
            let on_left = existing.min(span / 2);
            let left = match *level {
                UNFITTED => size * on_left / existing,
                level => part(*size, (1 << 16) - levels::right_share(level)),
            };
            let left = left.clamp(on_left, size - (existing - on_left));
            *children = [left, size - left];
        }
        number *= 2;
        span /= 2;
    }
    sizes
}

/// `size` × `share` / 65536, rounded down. A size is at most 65,536, a share less.
fn part(size: u32, share: u32) -> u32 {
    (size * share) >> 16
}

fn reserve(budget: &mut u64, bytes: u64) -> Result<(), DistributionError> {
    *budget = budget.checked_sub(bytes).ok_or(DistributionError::Limit)?;
    Ok(())
}
