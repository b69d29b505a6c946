//! Why coded data could not be read.

use super::forecast::ForecastError;
use crate::bits::BitsError;

/// Why a column, a dictionary or a pressed byte string could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// The data break a rule of the format.
    #[error("damaged data: {0}")]
    Damaged(&'static str),
    /// Reading on would pass a bound that the caller has set.
    #[error("limit reached: {0}")]
    Limit(&'static str),
    /// A value is cut short or malformed.
    #[error("damaged data: {0}")]
    Bits(#[from] BitsError),
    /// Symbols, or a table of what is expected of them, are none.
    #[error("damaged data: {0}")]
    Forecast(#[from] ForecastError),
}
