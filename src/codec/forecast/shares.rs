//! Forecasts ready for use: the share of each symbol in each context.

use super::super::range::Share;
use super::levels::{self, UNFITTED};
use super::table::{Depth, TableReader};
use super::tree::{Levels, NOTHING_SAID, Node};
use super::{Family, ForecastError, Place};
use crate::limits::Limits;
use std::num::NonZeroU32;

/// All shares of a distribution together.
pub(super) const TOTAL: NonZeroU32 = match NonZeroU32::new(1 << 16) {
    Some(total) => total,
    None => NonZeroU32::MIN,
};

/// The distributions of some families.
#[derive(Debug, Clone, Default)]
pub struct Forecast {
    families: Vec<Shares>,
}

/// The distributions of a family. Contexts that have nothing of their own share
/// that of the coarser context.
#[derive(Debug, Clone)]
struct Shares {
    family: Family,
    /// Of each context, the number of its distribution.
    contexts: Vec<u32>,
    /// Where the shares of each symbol of each distribution begin.
    starts: Vec<u16>,
}

impl Forecast {
    /// Reads the table of these families.
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

    /// What it takes in memory, in bytes.
    pub fn grown_bytes(&self) -> u64 {
        let of_family =
            |family: &Shares| 4 * family.contexts.len() as u64 + 2 * family.starts.len() as u64;
        self.families.iter().map(of_family).sum()
    }

    /// The share of a symbol.
    pub(super) fn share(&self, place: Place, symbol: u8) -> Option<Share> {
        let starts = self.starts(place)?;
        let symbol = usize::from(symbol);
        let start = u32::from(*starts.get(symbol)?);
        let end = starts
            .get(symbol + 1)
            .map_or(TOTAL.get(), |end| u32::from(*end));
        Share::new(start, end - start, TOTAL)
    }

    /// The symbol whose share holds a part of the total, and that share.
    pub(super) fn symbol(&self, place: Place, part: u32) -> Option<(u8, Share)> {
        let starts = self.starts(place)?;
        let above = starts.partition_point(|start| u32::from(*start) <= part);
        let symbol = u8::try_from(above.checked_sub(1)?).ok()?;
        Some((symbol, self.share(place, symbol)?))
    }

    fn starts(&self, place: Place) -> Option<&[u16]> {
        let shares = self.families.get(place.family)?;
        let context = place.context(&shares.family)?;
        let number = usize::try_from(*shares.contexts.get(context)?).ok()?;
        let symbols = usize::from(shares.family.symbols);
        shares.starts.get(number * symbols..(number + 1) * symbols)
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

    /// Adds a distribution; gives its number.
    fn add(&mut self, levels: &Levels, room: &mut u64) -> Result<u32, ForecastError> {
        let symbols = usize::from(self.family.symbols);
        take(room, 2 * u64::from(self.family.symbols))?;
        let number = u32::try_from(self.starts.len() / symbols.max(1));
        self.spread(Node::root(&self.family), 0, TOTAL.get(), levels);
        number.map_err(|_| ForecastError::Limit)
    }

    /// Deals an interval out to the symbols below a node, at least 1 to each.
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
