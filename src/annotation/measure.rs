//! Measuring the coded size of marks.

use super::families::Use;
use super::notation::Notation;
use super::slots::SlotKind;
use crate::codec::distributions::{
    CostMeter, DistributionError, SymbolCoder, SymbolContext, SymbolReader,
};

/// The number and coded size of values of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ValueBits {
    /// The number of values.
    pub count: u64,
    /// Coded size in 1/1024 bit.
    pub cost: u64,
}

impl ValueBits {
    /// Coded size in bits.
    pub fn bits(&self) -> u64 {
        self.cost >> 10
    }

    /// Coded size in whole bytes.
    pub fn bytes(&self) -> u64 {
        self.bits() >> 3
    }
}

/// The coded size of marks by kind of content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MarkBits {
    /// The number of marks.
    pub marks: usize,
    /// The sequence of marks and the templates of comments; `count` is the
    /// number of groups.
    pub layout: ValueBits,
    /// Times.
    pub clocks: ValueBits,
    /// Numbers of `%eval` commands.
    pub evals: ValueBits,
    /// Other numbers.
    pub numbers: ValueBits,
    /// Coloured squares and arrows.
    pub squares: ValueBits,
}

impl MarkBits {
    /// Adds the measurements of another instance.
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

/// A reader that adds up the coded size by purpose.
pub(super) struct Gauge<'g, 'b> {
    notation: &'g Notation,
    reader: SymbolReader<'g, 'b>,
    measured: &'g mut MarkBits,
    family: Use,
}

impl<'g, 'b> Gauge<'g, 'b> {
    pub(super) fn new(
        notation: &'g Notation,
        reader: SymbolReader<'g, 'b>,
        measured: &'g mut MarkBits,
    ) -> Self {
        Gauge {
            notation,
            reader,
            measured,
            family: Use::Any,
        }
    }

    /// The sum for the current family.
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

impl SymbolCoder for Gauge<'_, '_> {
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError> {
        self.family = Use::of(place.family);
        let symbol = self.reader.symbol(place, symbol)?;
        let mut meter = CostMeter::new(&self.notation.distributions);
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

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, DistributionError> {
        self.sum().cost += u64::from(count) << 10;
        self.reader.bits(count, value)
    }
}
