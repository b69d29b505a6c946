//! Where the bits of marks go.

use super::families::Use;
use super::notation::Notation;
use super::slots::SlotKind;
use crate::codec::forecast::{Coder, ForecastError, Meter, Place, Reader};

/// Values of one kind, and what they take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ValueBits {
    /// How many values there are.
    pub count: u64,
    /// Bits, in 1/1024.
    pub cost: u64,
}

impl ValueBits {
    /// Bits of all values.
    pub fn bits(&self) -> u64 {
        self.cost >> 10
    }

    /// Whole bytes of all values.
    pub fn bytes(&self) -> u64 {
        self.bits() >> 3
    }
}

/// Where the bits of marks go, by what they tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MarkBits {
    /// How many marks there are.
    pub marks: usize,
    /// Which marks stand where, and the templates of comments; patterns counted.
    pub layout: ValueBits,
    /// Times.
    pub clocks: ValueBits,
    /// Numbers of the command `%eval`.
    pub evals: ValueBits,
    /// Other numbers.
    pub numbers: ValueBits,
    /// Coloured squares and arrows.
    pub squares: ValueBits,
}

impl MarkBits {
    /// Adds what was measured elsewhere.
    pub fn add(&mut self, other: &MarkBits) {
        let pairs = [
            (&mut self.layout, other.layout),
            (&mut self.clocks, other.clocks),
            (&mut self.evals, other.evals),
            (&mut self.numbers, other.numbers),
            (&mut self.squares, other.squares),
        ];
        self.marks = self.marks.saturating_add(other.marks);
        for (sum, other) in pairs {
            sum.count = sum.count.saturating_add(other.count);
            sum.cost = sum.cost.saturating_add(other.cost);
        }
    }
}

/// Reads, and adds up what is read by what it is for.
pub(super) struct Gauge<'g, 'b> {
    notation: &'g Notation,
    reader: Reader<'g, 'b>,
    measured: &'g mut MarkBits,
    family: Use,
}

impl<'g, 'b> Gauge<'g, 'b> {
    pub(super) fn new(
        notation: &'g Notation,
        reader: Reader<'g, 'b>,
        measured: &'g mut MarkBits,
    ) -> Self {
        Gauge {
            notation,
            reader,
            measured,
            family: Use::Any,
        }
    }

    /// The sum to which the family adds.
    fn sum(&mut self) -> &mut ValueBits {
        match self.family {
            Use::IsMate(slot) | Use::Mate(slot) | Use::Difference(slot) => {
                match self.notation.slot(slot).0.kind {
                    SlotKind::Clock => &mut self.measured.clocks,
                    SlotKind::Eval => &mut self.measured.evals,
                    SlotKind::Other => &mut self.measured.numbers,
                }
            }
            Use::More | Use::Colour | Use::Square | Use::Target => &mut self.measured.squares,
            _ => &mut self.measured.layout,
        }
    }
}

impl Coder for Gauge<'_, '_> {
    fn symbol(&mut self, place: Place, symbol: u8) -> Result<u8, ForecastError> {
        self.family = Use::of(place.family);
        let symbol = self.reader.symbol(place, symbol)?;
        let mut meter = Meter::new(&self.notation.forecast);
        meter.symbol(place, symbol)?;
        let counts = matches!(
            self.family,
            Use::Pattern | Use::Mate(_) | Use::Difference(_) | Use::Colour
        );
        let sum = self.sum();
        sum.cost += meter.cost;
        sum.count += u64::from(counts);
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, ForecastError> {
        self.sum().cost += u64::from(count) << 10;
        self.reader.bits(count, value)
    }
}
