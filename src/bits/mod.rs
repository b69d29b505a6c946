//! Bit and byte input and output.
//!
//! Bit strings are written most significant bit first and padded with zeros to
//! a whole byte; integers of fixed width are little-endian; variable-length
//! integers are LEB128 in their shortest form.

mod bytes;
mod reader;
mod string;
mod writer;

pub use bytes::{ByteReader, put_bytes, put_decimal, put_varint};
pub use reader::BitReader;
pub use string::{BitString, TextDecodeError, from_base64, from_hex};
pub use writer::BitWriter;

/// Errors of reading bits or bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BitsError {
    /// The input ended inside a value.
    #[error("input ends early")]
    EndOfInput,
    /// A variable-length integer is longer than needed or exceeds 64 bits.
    #[error("variable-length integer is not in its shortest form or exceeds 64 bits")]
    Varint,
    /// Bytes or bits follow the end of the value.
    #[error("trailing data")]
    Trailing,
}
