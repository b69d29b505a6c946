//! Errors of decoding.

use super::distributions::DistributionError;
use crate::bits::BitsError;

/// Errors in a column, a dictionary or a compressed byte string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// The data violate a rule of the format.
    #[error("damaged data: {0}")]
    Damaged(&'static str),
    /// Decoding would exceed a bound that the caller has set.
    #[error("limit reached: {0}")]
    Limit(&'static str),
    /// A value is truncated or malformed.
    #[error("damaged data: {0}")]
    Bits(#[from] BitsError),
    /// Symbols or distributions could not be decoded.
    #[error("damaged data: {0}")]
    Distribution(#[from] DistributionError),
}
