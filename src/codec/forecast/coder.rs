//! Coders. One function describes a field. Its coder decides whether it counts,
//! writes, measures or reads.

use super::super::range::{Decoder, Encoder, Share};
use super::levels::bits as cost;
use super::number::{join, join_signed, split, split_signed};
use super::shares::TOTAL;
use super::{Forecast, ForecastError, Place, Tally};
use std::num::NonZeroU32;

/// A coder of fields. A reader ignores the given values and returns the decoded
/// ones. All others return the given values.
pub trait Coder {
    /// Codes a symbol.
    fn symbol(&mut self, place: Place, symbol: u8) -> Result<u8, ForecastError>;

    /// Codes a symbol that is known to be at least `least`. The default, for
    /// coders that neither read nor write, ignores `least`.
    fn symbol_from(&mut self, place: Place, least: u8, symbol: u8) -> Result<u8, ForecastError> {
        let _ = least;
        self.symbol(place, symbol)
    }

    /// Codes an unsigned integer of `count` uniformly distributed bits, at most
    /// 64.
    fn bits(&mut self, count: u32, value: u64) -> Result<u64, ForecastError>;

    /// Codes a number, in a family of numbers.
    fn number(&mut self, place: Place, number: u64) -> Result<u64, ForecastError> {
        let (symbol, rest) = split(number);
        let (least, open) = join(self.symbol(place, symbol)?);
        Ok(least | self.bits(open, rest)?)
    }

    /// Codes a signed number, in a family of numbers.
    fn signed(&mut self, place: Place, number: i64) -> Result<i64, ForecastError> {
        let (symbol, rest) = split_signed(number);
        let (is_negative, least, open) = join_signed(self.symbol(place, symbol)?);
        let size = (least | self.bits(open, rest)?).cast_signed();
        Ok(if is_negative { !size } else { size })
    }
}

/// A coder that counts symbols.
#[derive(Debug)]
pub struct Counter<'a>(pub &'a mut Tally);

impl Coder for Counter<'_> {
    fn symbol(&mut self, place: Place, symbol: u8) -> Result<u8, ForecastError> {
        self.0.count(place, symbol).ok_or(ForecastError::NoPlace)?;
        Ok(symbol)
    }

    fn bits(&mut self, _: u32, value: u64) -> Result<u64, ForecastError> {
        Ok(value)
    }
}

/// A coder that writes.
#[derive(Debug)]
pub struct Writer<'a>(pub &'a Forecast, pub &'a mut Encoder);

impl Coder for Writer<'_> {
    fn symbol(&mut self, place: Place, symbol: u8) -> Result<u8, ForecastError> {
        let share = self.0.at(place)?.share(symbol);
        self.1.encode(share.ok_or(ForecastError::NoPlace)?);
        Ok(symbol)
    }

    fn symbol_from(&mut self, place: Place, least: u8, symbol: u8) -> Result<u8, ForecastError> {
        let share = self.0.at(place)?.share_from(least, symbol);
        self.1.encode(share.ok_or(ForecastError::NoPlace)?);
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, ForecastError> {
        for (width, piece) in pieces(count).map(|(shift, width)| (width, value >> shift)) {
            let (part, total) = piece_of(piece, width)?;
            let share = Share::new(part, 1, total);
            self.1.encode(share.ok_or(ForecastError::NoPlace)?);
        }
        Ok(value)
    }
}

/// A coder that reads.
#[derive(Debug)]
pub struct Reader<'a, 'b>(pub &'a Forecast, pub &'a mut Decoder<'b>);

impl Coder for Reader<'_, '_> {
    #[inline]
    fn symbol(&mut self, place: Place, _: u8) -> Result<u8, ForecastError> {
        let distribution = self.0.at(place)?;
        let few = distribution.symbol_of_few(|start| self.1.reaches(start, TOTAL));
        let symbol = match few {
            Some(symbol) => symbol,
            None => {
                let symbol = distribution.symbol(self.1.part(TOTAL)?);
                symbol.ok_or(ForecastError::NoPlace)?
            }
        };
        let share = distribution.share(symbol);
        self.1.take(share.ok_or(ForecastError::NoPlace)?)?;
        Ok(symbol)
    }

    fn symbol_from(&mut self, place: Place, least: u8, _: u8) -> Result<u8, ForecastError> {
        let distribution = self.0.at(place)?;
        let (below, total) = distribution.from(least).ok_or(ForecastError::NoPlace)?;
        let symbol = distribution.symbol(below + self.1.part(total)?);
        let symbol = symbol.ok_or(ForecastError::NoPlace)?;
        let share = distribution.share_from(least, symbol);
        self.1.take(share.ok_or(ForecastError::NoPlace)?)?;
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, _: u64) -> Result<u64, ForecastError> {
        let mut value = 0;
        // Most numbers have no uniform bits.
        if count == 0 {
            return Ok(value);
        }
        for (_, width) in pieces(count) {
            let (_, total) = piece_of(0, width)?;
            let part = self.1.part(total)?;
            let share = Share::new(part, 1, total);
            self.1.take(share.ok_or(ForecastError::NoPlace)?)?;
            value = value << width | u64::from(part);
        }
        Ok(value)
    }
}

/// A coder that adds up the size of the output.
#[derive(Debug)]
pub struct Meter<'a> {
    forecast: &'a Forecast,
    /// In 1/1024 bit.
    pub cost: u64,
}

impl<'a> Meter<'a> {
    /// A meter with cost 0.
    pub fn new(forecast: &'a Forecast) -> Self {
        Meter { forecast, cost: 0 }
    }
}

impl Coder for Meter<'_> {
    fn symbol(&mut self, place: Place, symbol: u8) -> Result<u8, ForecastError> {
        let share = self.forecast.at(place)?.share(symbol);
        self.cost += cost(share.ok_or(ForecastError::NoPlace)?.size());
        Ok(symbol)
    }

    fn symbol_from(&mut self, place: Place, least: u8, symbol: u8) -> Result<u8, ForecastError> {
        let from = self.forecast.at(place)?.from(least);
        let (_, total) = from.ok_or(ForecastError::NoPlace)?;
        self.symbol(place, symbol)?;
        self.cost = self.cost.saturating_sub(cost(total.get()));
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, ForecastError> {
        self.cost += u64::from(count) << 10;
        Ok(value)
    }
}

/// The maximum number of uniform bits that are coded at once.
const PIECE: u32 = 16;

/// The shift and the width, in bits, of each piece of a number of `count` bits.
/// The highest piece comes first; all others have 16 bits.
fn pieces(count: u32) -> impl Iterator<Item = (u32, u32)> {
    let whole = count.div_ceil(PIECE);
    (0..whole).rev().map(move |piece| {
        let shift = piece * PIECE;
        (shift, PIECE.min(count - shift))
    })
}

/// The lowest `width` bits of a number, and the number of values that they can
/// have.
fn piece_of(piece: u64, width: u32) -> Result<(u32, NonZeroU32), ForecastError> {
    let values = 1u32.checked_shl(width).and_then(NonZeroU32::new);
    let values = values.ok_or(ForecastError::NoPlace)?;
    let part = u32::try_from(piece & u64::from(values.get() - 1));
    Ok((part.map_err(|_| ForecastError::NoPlace)?, values))
}
