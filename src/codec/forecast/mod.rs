//! What is expected of a field: distributions of symbols in contexts, fitted to
//! a segment and kept in its tables.
//!
//! A [`Family`] is a set of distributions over one alphabet: one for each
//! context, an outer and an inner number. What an inner context says too little
//! of is taken from its outer one, and what that says too little of from the
//! family. A writer counts ([`Tally`]), fits ([`Tally::fit`]) and writes with the
//! [`Forecast`] that the table's bytes give, a reader reads with the same.
//! One function describes a field for all of that, by a [`Coder`].
//!
//! The layout is that of `spec/columns.md`, section "Forecasts".

mod adaptive;
mod coder;
mod fit;
mod levels;
mod number;
mod shares;
mod table;
mod tally;
#[cfg(test)]
mod tests;
mod tree;

pub use coder::{Coder, Counter, Meter, Reader, Writer};
pub use number::NUMBER_SYMBOLS;
pub use shares::Forecast;
pub use tally::Tally;

use super::range::RangeError;

/// The distributions of one kind of symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// How many symbols there are, 1 to 256.
    pub symbols: u16,
    /// How many outer contexts there are, at least 1.
    pub outer: u32,
    /// How many inner contexts each outer one has, at least 1.
    pub inner: u32,
}

impl Family {
    /// A family without contexts.
    pub const fn of(symbols: u16) -> Family {
        Family {
            symbols,
            outer: 1,
            inner: 1,
        }
    }

    /// A family of numbers ([`Coder::number`]).
    pub const fn of_numbers(outer: u32, inner: u32) -> Family {
        Family {
            symbols: NUMBER_SYMBOLS,
            outer,
            inner,
        }
    }

    /// How many contexts it has.
    fn contexts(&self) -> u64 {
        u64::from(self.outer) * u64::from(self.inner)
    }
}

/// Where a symbol stands: its family and its context there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Number of the family.
    pub family: usize,
    /// The outer context, below the family's `outer`.
    pub outer: u32,
    /// The inner context, below the family's `inner`.
    pub inner: u32,
}

impl Place {
    /// A place in a family without contexts.
    pub const fn in_family(family: usize) -> Place {
        Place {
            family,
            outer: 0,
            inner: 0,
        }
    }

    /// The number of its context in its family.
    fn context(&self, family: &Family) -> Option<usize> {
        if self.outer >= family.outer || self.inner >= family.inner {
            return None;
        }
        let context = u64::from(self.outer) * u64::from(family.inner) + u64::from(self.inner);
        usize::try_from(context).ok()
    }
}

/// Why a field or a table of forecasts could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ForecastError {
    /// The bytes are none that a range coder has written.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// There is no such family, context or symbol.
    #[error("forecast: no such place")]
    NoPlace,
    /// A number does not fit into 64 bits.
    #[error("forecast: a number too large")]
    TooLarge,
    /// The table would take more memory than the caller allows.
    #[error("forecast: a table beyond the limit")]
    Limit,
}
