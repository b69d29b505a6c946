//! Text as people write it: bytes that are not UTF-8, letters in upper and lower case and with
//! accents.

mod encoding;
mod fold;

pub use encoding::{TextEncoding, UnknownEncoding};
pub(crate) use fold::{fold, holds};
