//! Distributions of symbols in contexts, fitted to a segment and stored in its
//! tables.
//!
//! A [`Family`] is a set of distributions over one alphabet, one for each
//! context. A context is a pair of an outer and an inner number. An inner context
//! inherits from its outer context what it does not define, and an outer context
//! from the family. A writer counts symbols ([`Tally`]), fits distributions
//! ([`Tally::fit`]), and writes with the [`Distributions`] that it reads back from the
//! table. A reader uses the same one. For all of these, a field is described by
//! one function that is generic over a [`SymbolCoder`].
//!
//! `spec/columns.md`, section "Distributions", defines the layout.

mod coder;
mod decoded;
mod fit;
mod levels;
mod number;
mod table;
mod tally;
#[cfg(test)]
mod tests;
mod traced;
mod tree;

pub use coder::{CostMeter, SymbolCoder, SymbolCounter, SymbolReader, SymbolWriter};
pub use decoded::Distributions;
pub use number::{NUMBER_SYMBOLS, signed_symbol};
pub use tally::Tally;
pub use traced::Traced;

use super::range::RangeError;
use super::trace::OffTrace;

/// The distributions of one kind of symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// The number of symbols, 1 to 256.
    pub symbols: u16,
    /// The number of outer contexts, at least 1.
    pub outer: u32,
    /// The number of inner contexts in each outer context, at least 1.
    pub inner: u32,
}

impl Family {
    /// A family without contexts.
    pub const fn without_contexts(symbols: u16) -> Family {
        Family {
            symbols,
            outer: 1,
            inner: 1,
        }
    }

    /// A family of numbers ([`Coder::number`]).
    pub const fn numbers(outer: u32, inner: u32) -> Family {
        Family {
            symbols: NUMBER_SYMBOLS,
            outer,
            inner,
        }
    }

    /// The number of contexts.
    fn contexts(&self) -> u64 {
        u64::from(self.outer) * u64::from(self.inner)
    }
}

/// The family and the context of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymbolContext {
    /// The number of the family.
    pub family: usize,
    /// The outer context, below the family's `outer`.
    pub outer: u32,
    /// The inner context, below the family's `inner`.
    pub inner: u32,
}

impl SymbolContext {
    /// A place in a family without contexts.
    pub const fn only(family: usize) -> SymbolContext {
        SymbolContext {
            family,
            outer: 0,
            inner: 0,
        }
    }

    /// The index of the context in its family; `None` if there is no such
    /// context.
    fn context(&self, family: &Family) -> Option<usize> {
        if self.outer >= family.outer || self.inner >= family.inner {
            return None;
        }
        let context = u64::from(self.outer) * u64::from(family.inner) + u64::from(self.inner);
        usize::try_from(context).ok()
    }
}

/// Errors in fields and in tables of distributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DistributionError {
    /// The bytes are not the output of a range coder.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The decoded symbol is not that of a trace.
    #[error(transparent)]
    OffTrace(#[from] OffTrace),
    /// The family, context or symbol does not exist.
    #[error("distributions: no such context")]
    UnknownContext,
    /// A number does not fit into 64 bits.
    #[error("distributions: a number too large")]
    TooLarge,
    /// The table would take more memory than the limits allow.
    #[error("distributions: a table beyond the limit")]
    Limit,
}
