//! A range coder: symbols whose probabilities change from one to the next, each
//! at a cost of about −log2 of its probability (`spec/models.md`, "Range
//! coder").
//!
//! After G. N. N. Martin, *Range encoding* (1979). A model gives shares, the
//! coder gives bytes. Of all byte strings that tell the same symbols exactly one
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

/// Why bytes are not what an encoder writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// The bytes stand for no symbol.
    #[error("range coder: no symbol")]
    NoSymbol,
    /// The symbols have other bytes, which are shorter or lower.
    #[error("range coder: not the shortest bytes")]
    NotShortest,
    /// Bytes follow the last symbol.
    #[error("range coder: trailing bytes")]
    Trailing,
}
