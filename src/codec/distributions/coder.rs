//! Coders. One function describes a field. Its coder decides whether it counts,
//! writes, measures or reads.

use super::super::range::{Decoder, Encoder, Share};
use super::levels::share_cost as cost;
use super::number::{join, join_signed, split, split_signed};
use super::{DistributionError, Distributions, SymbolContext, Tally};
use std::num::NonZeroU32;

/// A coder of fields. A reader ignores the given values and returns the decoded
/// ones. All others return the given values.
pub trait SymbolCoder {
    /// Codes a symbol.
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError>;

    /// Codes a symbol that is known to be at least `least`. The default, for
    /// coders that neither read nor write, ignores `least`.
    fn symbol_from(
        &mut self,
        place: SymbolContext,
        minimum: u8,
        symbol: u8,
    ) -> Result<u8, DistributionError> {
        let _ = minimum;
        self.symbol(place, symbol)
    }

    /// Codes an unsigned integer of `count` uniformly distributed bits, at most
    /// 64.
    fn bits(&mut self, count: u32, value: u64) -> Result<u64, DistributionError>;

    /// Codes a number, in a family of numbers.
    fn number(&mut self, place: SymbolContext, number: u64) -> Result<u64, DistributionError> {
        let (symbol, rest) = split(number);
        let (least, open) = join(self.symbol(place, symbol)?);
        Ok(least | self.bits(open, rest)?)
    }

    /// Codes a signed number, in a family of numbers.
    fn signed(&mut self, place: SymbolContext, number: i64) -> Result<i64, DistributionError> {
        let (symbol, rest) = split_signed(number);
        let (is_negative, least, open) = join_signed(self.symbol(place, symbol)?);
        let size = (least | self.bits(open, rest)?).cast_signed();
        Ok(if is_negative { !size } else { size })
    }
}

/// A coder that counts symbols.
#[derive(Debug)]
pub struct SymbolCounter<'a>(pub &'a mut Tally);

impl SymbolCoder for SymbolCounter<'_> {
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError> {
        self.0
            .count(place, symbol)
            .ok_or(DistributionError::UnknownContext)?;
        Ok(symbol)
    }

    fn bits(&mut self, _: u32, value: u64) -> Result<u64, DistributionError> {
        Ok(value)
    }
}

/// A coder that writes.
#[derive(Debug)]
pub struct SymbolWriter<'a>(pub &'a Distributions, pub &'a mut Encoder);

impl SymbolCoder for SymbolWriter<'_> {
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError> {
        let share = self.0.distribution(place)?.share(symbol);
        self.1
            .encode(share.ok_or(DistributionError::UnknownContext)?);
        Ok(symbol)
    }

    fn symbol_from(
        &mut self,
        place: SymbolContext,
        least: u8,
        symbol: u8,
    ) -> Result<u8, DistributionError> {
        let share = self.0.distribution(place)?.share_from(least, symbol);
        self.1
            .encode(share.ok_or(DistributionError::UnknownContext)?);
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, DistributionError> {
        for (width, piece) in chunks(count).map(|(shift, width)| (width, value >> shift)) {
            let (part, total) = low_bits(piece, width)?;
            let share = Share::new(part, 1, total);
            self.1
                .encode(share.ok_or(DistributionError::UnknownContext)?);
        }
        Ok(value)
    }
}

/// A coder that reads.
#[derive(Debug)]
pub struct SymbolReader<'a, 'b>(pub &'a Distributions, pub &'a mut Decoder<'b>);

impl SymbolCoder for SymbolReader<'_, '_> {
    #[inline]
    fn symbol(&mut self, place: SymbolContext, _: u8) -> Result<u8, DistributionError> {
        let distribution = self.0.distribution(place)?;
        let (symbol, share) = distribution.symbol_and_share(self.1)?;
        self.1.consume(share)?;
        Ok(symbol)
    }

    fn symbol_from(
        &mut self,
        place: SymbolContext,
        least: u8,
        _: u8,
    ) -> Result<u8, DistributionError> {
        let distribution = self.0.distribution(place)?;
        let (below, total) = distribution
            .split_below(least)
            .ok_or(DistributionError::UnknownContext)?;
        let symbol = distribution.symbol(below + self.1.part(total)?);
        let symbol = symbol.ok_or(DistributionError::UnknownContext)?;
        let share = distribution.share_from(least, symbol);
        self.1
            .consume(share.ok_or(DistributionError::UnknownContext)?)?;
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, _: u64) -> Result<u64, DistributionError> {
        let mut value = 0;
        // Most numbers have no uniform bits.
        if count == 0 {
            return Ok(value);
        }
        for (_, width) in chunks(count) {
            let (_, total) = low_bits(0, width)?;
            let part = self.1.part(total)?;
            let share = Share::new(part, 1, total);
            self.1
                .consume(share.ok_or(DistributionError::UnknownContext)?)?;
            value = value << width | u64::from(part);
        }
        Ok(value)
    }
}

/// A coder that adds up the size of the output.
#[derive(Debug)]
pub struct CostMeter<'a> {
    distributions: &'a Distributions,
    /// In 1/1024 bit.
    pub cost: u64,
}

impl<'a> CostMeter<'a> {
    /// A meter with cost 0.
    pub fn new(distributions: &'a Distributions) -> Self {
        CostMeter {
            distributions,
            cost: 0,
        }
    }
}

impl SymbolCoder for CostMeter<'_> {
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError> {
        let share = self.distributions.distribution(place)?.share(symbol);
        self.cost += cost(share.ok_or(DistributionError::UnknownContext)?.size());
        Ok(symbol)
    }

    fn symbol_from(
        &mut self,
        place: SymbolContext,
        least: u8,
        symbol: u8,
    ) -> Result<u8, DistributionError> {
        let from = self.distributions.distribution(place)?.split_below(least);
        let (_, total) = from.ok_or(DistributionError::UnknownContext)?;
        self.symbol(place, symbol)?;
        self.cost = self.cost.saturating_sub(cost(total.get()));
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, DistributionError> {
        self.cost += u64::from(count) << 10;
        Ok(value)
    }
}

/// The maximum number of uniform bits that are coded at once.
const CHUNK_BITS: u32 = 16;

/// The shift and the width, in bits, of each piece of a number of `count` bits.
/// The highest piece comes first; all others have 16 bits.
fn chunks(count: u32) -> impl Iterator<Item = (u32, u32)> {
    let whole = count.div_ceil(CHUNK_BITS);
    (0..whole).rev().map(move |piece| {
        let shift = piece * CHUNK_BITS;
        (shift, CHUNK_BITS.min(count - shift))
    })
}

/// The lowest `width` bits of a number, and the number of values that they can
/// have.
fn low_bits(piece: u64, width: u32) -> Result<(u32, NonZeroU32), DistributionError> {
    let values = 1u32.checked_shl(width).and_then(NonZeroU32::new);
    let values = values.ok_or(DistributionError::UnknownContext)?;
    let part = u32::try_from(piece & u64::from(values.get() - 1));
    Ok((part.map_err(|_| DistributionError::UnknownContext)?, values))
}
