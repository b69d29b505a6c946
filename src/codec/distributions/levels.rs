//! Probabilities quantized to 64 levels with equal steps of the logit.

use super::super::log::log;
use std::sync::LazyLock;

/// The number of levels.
pub(super) const LEVELS: u8 = 64;

/// Marks a node without a level: its symbols are equally likely.
pub(super) const UNFITTED: u8 = LEVELS;

/// 65536 / (1 + e^((i + 1/2) / 4)), rounded.
const MINORITY_SHARES: [u16; 32] = [
    30723, 26695, 22849, 19282, 16062, 13226, 10782, 8714, 6992, 5577, 4427, 3500, 2758, 2168,
    1701, 1333, 1042, 815, 636, 497, 387, 302, 236, 184, 143, 111, 87, 68, 53, 41, 32, 25,
];

/// The share of the symbols in the right half of a node, in 1/65536.
pub(super) fn right_share(level: u8) -> u32 {
    let smaller =
        |step: u8| u32::from(MINORITY_SHARES.get(usize::from(step)).copied().unwrap_or(0));
    match level {
        0..32 => smaller(31 - level),
        _ => (1 << 16) - smaller(level.saturating_sub(32)),
    }
}

/// For each level, the cost of a symbol in the left and in the right half, in 1/1024 bit.
static COSTS: LazyLock<[[u64; 2]; LEVELS as usize]> = LazyLock::new(|| {
    std::array::from_fn(|level| {
        let share = right_share(u8::try_from(level).unwrap_or(UNFITTED));
        [(1 << 16) - share, share].map(share_cost)
    })
});

/// The level with the lowest cost for these counts of symbols in the left and
/// the right half.
pub(super) fn best_level(left: u64, right: u64) -> u8 {
    let costs = COSTS.iter().map(|[l, r]| left * l + right * r);
    let best = (0..LEVELS).zip(costs).min_by_key(|(_, cost)| *cost);
    best.map_or(0, |(level, _)| level)
}

/// The cost of the decisions at a node with this level, in 1/1024 bit, given
/// their counts.
pub(super) fn cost(level: u8, left: u64, right: u64) -> u64 {
    let costs = COSTS.get(usize::from(level));
    costs.map_or(0, |[l, r]| left * l + right * r)
}

/// The cost of a symbol with this share, which is in 1/65536, in 1/1024 bit.
pub(super) fn share_cost(share: u32) -> u64 {
    u64::from(log(1 << 16).saturating_sub(log(share)))
}
