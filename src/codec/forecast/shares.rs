//! Decoded distributions: the share of each symbol in each context.

use super::super::range::Share;
use super::levels::{self, UNFITTED};
use super::table::{Depth, TableReader};
use super::tree::{Levels, NOTHING_SAID, Node};
use super::{Family, ForecastError, Place};
use crate::limits::Limits;
use std::num::NonZeroU32;

/// The total of the shares of a distribution.
pub(super) const TOTAL: NonZeroU32 = match NonZeroU32::new(1 << 16) {
    Some(total) => total,
    None => NonZeroU32::MIN,
};

/// The number of entries in the search index of a distribution.
const GUIDES: usize = 32;
/// The distance of these entries in the total.
const GUIDED: u32 = TOTAL.get() >> GUIDES.ilog2();

/// Families of at most this many symbols are searched linearly.
const FEW: usize = 8;

/// The distributions of some families.
#[derive(Debug, Clone, Default)]
pub struct Forecast {
    families: Vec<Shares>,
}

/// The distributions of a family. Contexts without levels of their own share the
/// distribution of the coarser context.
#[derive(Debug, Clone)]
struct Shares {
    family: Family,
    /// The number of the distribution of each context.
    contexts: Vec<u32>,
    /// The start of the share of each symbol, by distribution.
    starts: Vec<u16>,
    /// The search index of each distribution: the symbols at every multiple of
    /// 2,048 in the total. It narrows the binary search.
    guides: Vec<u8>,
}

impl Forecast {
    /// Reads the table of these families.
    ///
    /// # Errors
    /// The table is damaged, or the distributions would exceed
    /// [`Limits::tables_bytes`].
    pub fn read(bytes: &[u8], families: &[Family], limits: &Limits) -> Result<Self, ForecastError> {
        let mut table = TableReader::new(bytes);
        let mut room = limits.tables_bytes;
        let families = families
            .iter()
            .map(|family| Shares::read(*family, &mut table, &mut room))
            .collect::<Result<_, _>>()?;
        table.finish()?;
        Ok(Forecast { families })
    }

    /// The memory that the distributions take, in bytes.
    pub fn grown_bytes(&self) -> u64 {
        let of_family = |family: &Shares| {
            let shares = 2 * family.starts.len() + family.guides.len();
            (4 * family.contexts.len() + shares) as u64
        };
        self.families.iter().map(of_family).sum()
    }

    /// The distribution in a context.
    pub(super) fn at(&self, place: Place) -> Result<Distribution<'_>, ForecastError> {
        self.find(place).ok_or(ForecastError::NoPlace)
    }

    fn find(&self, place: Place) -> Option<Distribution<'_>> {
        let shares = self.families.get(place.family)?;
        let context = place.context(&shares.family)?;
        let number = usize::try_from(*shares.contexts.get(context)?).ok()?;
        let symbols = usize::from(shares.family.symbols);
        let starts = shares.starts.get(number * symbols..)?;
        let guides = match symbols {
            ..=FEW => None,
            _ => shares.guides.get(number * GUIDES..)?.first_chunk(),
        };
        Some(Distribution {
            starts: starts.get(..symbols)?,
            guides,
        })
    }
}

/// The shares of all symbols in one context.
#[derive(Debug, Clone, Copy)]
pub(super) struct Distribution<'a> {
    starts: &'a [u16],
    /// `None` if there are few symbols.
    guides: Option<&'a [u8; GUIDES]>,
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
                let at = usize::try_from(part / GUIDED).ok()?;
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

    /// The same for distributions of few symbols, else `None`. Comparing with the
    /// start of each share takes less time than the division that finds the point.
    #[inline]
    pub(super) fn symbol_of_few(&self, reaches: impl Fn(u32) -> bool) -> Option<u8> {
        if self.guides.is_some() {
            return None;
        }
        let (_, above) = self.starts.split_first()?;
        let reached = above.iter().take_while(|start| reaches(u32::from(**start)));
        u8::try_from(reached.count()).ok()
    }

    /// The shares of all symbols below `least` together, and the remainder of the
    /// total.
    pub(super) fn from(&self, least: u8) -> Option<(u32, NonZeroU32)> {
        let (below, _) = self.bounds(least)?;
        Some((below, NonZeroU32::new(TOTAL.get() - below)?))
    }

    /// The share of a symbol that is known to be at least `least`.
    pub(super) fn share_from(&self, least: u8, symbol: u8) -> Option<Share> {
        let (below, total) = self.from(least)?;
        let (start, end) = self.bounds(symbol)?;
        Share::new(start.checked_sub(below)?, end - start, total)
    }
}

impl Shares {
    fn read(
        family: Family,
        table: &mut TableReader<'_>,
        room: &mut u64,
    ) -> Result<Shares, ForecastError> {
        take(room, 4 * family.contexts())?;
        let mut shares = Shares {
            family,
            contexts: Vec::new(),
            starts: Vec::new(),
            guides: Vec::new(),
        };
        let root = Node::root(&family);
        let mut of_family = NOTHING_SAID;
        table.tree(Depth::Family, root, &mut of_family)?;
        let whole = shares.add(&of_family, room)?;
        for _ in 0..family.outer {
            let mut of_outer = of_family;
            let mut number = whole;
            if family.outer > 1 && table.tree(Depth::Outer, root, &mut of_outer)? {
                number = shares.add(&of_outer, room)?;
            }
            let any = family.inner > 1 && table.any()?;
            for _ in 0..family.inner {
                let mut of_inner = of_outer;
                let own = any && table.tree(Depth::Inner, root, &mut of_inner)?;
                let number = if own {
                    shares.add(&of_inner, room)?
                } else {
                    number
                };
                shares.contexts.push(number);
            }
        }
        Ok(shares)
    }

    /// Adds a distribution and returns its number.
    fn add(&mut self, levels: &Levels, room: &mut u64) -> Result<u32, ForecastError> {
        let symbols = usize::from(self.family.symbols);
        take(room, 2 * u64::from(self.family.symbols) + GUIDES as u64)?;
        let number = u32::try_from(self.starts.len() / symbols.max(1));
        self.spread(Node::root(&self.family), 0, TOTAL.get(), levels);
        if symbols > FEW {
            self.guide(symbols);
        }
        number.map_err(|_| ForecastError::Limit)
    }

    /// Builds the search index of the distribution that was added last.
    fn guide(&mut self, symbols: usize) {
        let first = self.starts.len() - symbols;
        let starts = self.starts.get(first..).unwrap_or_default();
        let guides = (0..TOTAL.get()).step_by(GUIDED as usize).map(|part| {
            let above = starts.partition_point(|start| u32::from(*start) <= part);
            u8::try_from(above.saturating_sub(1)).unwrap_or(u8::MAX)
        });
        self.guides.extend(guides);
    }

    /// Divides an interval among the symbols below a node, at least 1 for each.
    fn spread(&mut self, node: Node, start: u32, size: u32, levels: &Levels) {
        if node.symbol().is_some() {
            self.starts.push(u16::try_from(start).unwrap_or(u16::MAX));
            return;
        }
        let (left, right) = node.children();
        let Some(right) = right else {
            return self.spread(left, start, size, levels);
        };
        let (on_left, on_right) = (left.width(), right.width());
        let of_left = match levels.get(node.number).copied().unwrap_or(UNFITTED) {
            UNFITTED => size * on_left / (on_left + on_right),
            level => part(size, (1 << 16) - levels::right(level)),
        };
        let of_left = of_left.clamp(on_left, size - on_right);
        self.spread(left, start, of_left, levels);
        self.spread(right, start + of_left, size - of_left, levels);
    }
}

/// `size` × `share` / 65536, rounded down.
fn part(size: u32, share: u32) -> u32 {
    u32::try_from((u64::from(size) * u64::from(share)) >> 16).unwrap_or(size)
}

fn take(room: &mut u64, bytes: u64) -> Result<(), ForecastError> {
    *room = room.checked_sub(bytes).ok_or(ForecastError::Limit)?;
    Ok(())
}
