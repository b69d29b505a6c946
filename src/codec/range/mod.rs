//! A range coder: it codes symbols whose probabilities change from one to the
//! next, each at a cost of about −log2 of its probability (`spec/models.md`,
//! "Range coder").
//!
//! After G. N. N. Martin, *Range encoding* (1979). A model supplies the shares
//! of symbols. Of all byte strings that decode to the same symbols, exactly one
//! is accepted.

mod decoder;
mod encoder;
mod interval;
mod share;
#[cfg(test)]
mod tests;

pub use decoder::Decoder;
pub use encoder::Encoder;
pub use share::Share;

/// Errors in encoded bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// The bytes do not decode to a symbol.
    #[error("range coder: no symbol")]
    InvalidSymbol,
    /// The bytes are not the canonical ones for the symbols, which are shorter
    /// or lower.
    #[error("range coder: not the shortest bytes")]
    NotCanonical,
    /// Bytes follow the last symbol.
    #[error("range coder: trailing bytes")]
    Trailing,
}
