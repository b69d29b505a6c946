//! The lengths of moves: told as how far they are from what the plies foresee.
//!
//! With a model most games of a collection take about as many bits a ply, so
//! that this takes half as much as the lengths themselves.

/// Bytes of moves are foreseen by this many plies.
const RATE_PLIES: u64 = 256;

/// What is foreseen and what is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Length {
    /// Plies that the moves have, as far as columns tell.
    pub(super) plies: u64,
    pub(super) bytes: u64,
}

/// Bytes of that many plies at which as much is foreseen as there is; 0 where
/// no plies are told.
pub(super) fn rate(lengths: &[Length]) -> u64 {
    let sum = |part: fn(&Length) -> u64| lengths.iter().map(part).fold(0, u64::saturating_add);
    let bytes = sum(|length| length.bytes).saturating_mul(RATE_PLIES);
    bytes.checked_div(sum(|length| length.plies)).unwrap_or(0)
}

fn foreseen(plies: u64, rate: u64) -> u64 {
    plies.saturating_mul(rate) / RATE_PLIES
}

/// How a length is told at a rate: even where it is not less than foreseen,
/// odd where it is. At the rate 0 it is told as it is.
pub(super) fn tell(length: Length, rate: u64) -> u64 {
    if rate == 0 {
        return length.bytes;
    }
    let foreseen = foreseen(length.plies, rate);
    match length.bytes.checked_sub(foreseen) {
        Some(more) => more.saturating_mul(2),
        None => (foreseen - length.bytes).saturating_mul(2) - 1,
    }
}

/// The length in bytes that was told; none if there is no such length.
pub(super) fn told(value: u64, plies: u64, rate: u64) -> Option<u64> {
    let foreseen = foreseen(plies, rate);
    match value {
        _ if rate == 0 => Some(value),
        more if more.is_multiple_of(2) => foreseen.checked_add(more / 2),
        less => foreseen.checked_sub(less / 2 + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_come_back() {
        for rate in [0, 1, 85, 256, 5000] {
            for (plies, bytes) in [(0, 0), (0, 7), (80, 30), (80, 27), (80, 0), (1000, 320)] {
                let length = Length { plies, bytes };
                assert_eq!(told(tell(length, rate), plies, rate), Some(bytes));
            }
        }
    }

    #[test]
    fn what_is_foreseen_is_told_by_small_numbers() {
        let lengths = [(80, 27), (100, 33), (20, 6), (0, 0)];
        let lengths = lengths.map(|(plies, bytes)| Length { plies, bytes });
        let rate = rate(&lengths);
        assert_eq!(rate, 84);
        assert_eq!(lengths.map(|length| tell(length, rate)), [2, 2, 0, 0]);
    }

    #[test]
    fn no_length_is_less_than_nothing() {
        assert_eq!(told(1, 0, 84), None);
        assert_eq!(told(53, 80, 84), None);
        assert_eq!(told(51, 80, 84), Some(0));
        assert_eq!(told(u64::MAX, u64::MAX, u64::MAX), None);
        assert_eq!(super::rate(&[]), 0);
    }
}
