//! The lengths of moves, coded as residuals against a prediction from the ply
//! count.
//!
//! With a model codec, most games of a collection take about the same number of
//! bits per ply. The residuals then take half the space of the lengths.

/// The number of plies that a rate refers to.
const RATE_PLIES: u64 = 256;

/// The length of the moves of a record, and the ply count that predicts it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveLength {
    /// The number of plies of the moves, as far as the columns give it.
    pub(crate) plies: u64,
    pub(crate) bytes: u64,
}

/// The rate of some lengths: the mean number of bytes per `RATE_PLIES` plies,
/// rounded down; 0 if the columns give no plies.
pub(crate) fn rate(lengths: &[MoveLength]) -> u64 {
    let sum = |part: fn(&MoveLength) -> u64| lengths.iter().map(part).fold(0, u64::saturating_add);
    let bytes = sum(|length| length.bytes).saturating_mul(RATE_PLIES);
    bytes.checked_div(sum(|length| length.plies)).unwrap_or(0)
}

fn predicted_bytes(plies: u64, rate: u64) -> u64 {
    plies.saturating_mul(rate) / RATE_PLIES
}

impl MoveLength {
    /// The length as a zigzag residual: even if the length is at least the predicted
    /// one, odd if it is smaller. At rate 0 the length itself.
    pub(crate) fn encode(self, rate: u64) -> u64 {
        if rate == 0 {
            return self.bytes;
        }
        let predicted = predicted_bytes(self.plies, rate);
        match self.bytes.checked_sub(predicted) {
            Some(more) => more.saturating_mul(2),
            None => (predicted - self.bytes).saturating_mul(2) - 1,
        }
    }
}

/// Decodes a length in bytes; `None` if the residual gives no valid length.
pub(crate) fn decode_length(value: u64, plies: u64, rate: u64) -> Option<u64> {
    let predicted = predicted_bytes(plies, rate);
    match value {
        _ if rate == 0 => Some(value),
        more if more.is_multiple_of(2) => predicted.checked_add(more / 2),
        less => predicted.checked_sub(less / 2 + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_come_back() {
        for rate in [0, 1, 85, 256, 5000] {
            for (plies, bytes) in [(0, 0), (0, 7), (80, 30), (80, 27), (80, 0), (1000, 320)] {
                let length = MoveLength { plies, bytes };
                assert_eq!(decode_length(length.encode(rate), plies, rate), Some(bytes));
            }
        }
    }

    #[test]
    fn predictable_lengths_have_small_residuals() {
        let lengths = [(80, 27), (100, 33), (20, 6), (0, 0)];
        let lengths = lengths.map(|(plies, bytes)| MoveLength { plies, bytes });
        let rate = rate(&lengths);
        assert_eq!(rate, 84);
        assert_eq!(lengths.map(|length| length.encode(rate)), [2, 2, 0, 0]);
    }

    #[test]
    fn negative_lengths_are_refused() {
        assert_eq!(decode_length(1, 0, 84), None);
        assert_eq!(decode_length(53, 80, 84), None);
        assert_eq!(decode_length(51, 80, 84), Some(0));
        assert_eq!(decode_length(u64::MAX, u64::MAX, u64::MAX), None);
        assert_eq!(super::rate(&[]), 0);
    }
}
