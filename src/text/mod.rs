//! Text as people write it: bytes that are not UTF-8, letters in upper and lower case and with
//! accents, addresses with passwords.

mod aliases;
mod date;
mod encoding;
mod fold;
mod nearest;
mod secrets;

pub use aliases::Aliases;
pub(crate) use aliases::letters;
pub(crate) use date::Days;
pub use encoding::{TextEncoding, UnknownEncoding};
pub(crate) use fold::{fold, holds};
pub(crate) use nearest::hint;
#[cfg(feature = "cli")]
pub(crate) use nearest::nearest;
pub use secrets::without_secrets;
