//! Performance ratings.

/// The difference of ratings for each percentage of points from 50 to 100, by the handbook of FIDE,
/// B.02, table 8.1.1.
const DIFFERENCES: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The performance of a player who made so many half points in some games against opponents of this
/// mean rating. Percentages between two of the table are interpolated.
pub(super) fn performance(mean_opponent: u64, half_points: u64, games: u64) -> Option<i64> {
    let scaled = |factor: u64| half_points.checked_mul(factor)?.checked_div(2 * games);
    // In hundredths of a percent.
    let points = i64::try_from(scaled(10_000)?).ok()?;
    let above = (points - 5_000).abs();
    let at = |index: i64| {
        usize::try_from(index)
            .ok()
            .and_then(|at| DIFFERENCES.get(at))
            .copied()
    };
    let low = at(above / 100)?;
    let high = at(above / 100 + 1).unwrap_or(low);
    let difference = (low * (100 - above % 100) + high * (above % 100) + 50) / 100;
    let mean = i64::try_from(mean_opponent).ok()?;
    Some(mean + difference * (points - 5_000).signum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn performances_are_those_of_the_table() {
        for (half_points, games, expected) in [
            (2, 1, 2300),
            (0, 1, 700),
            (1, 1, 1500),
            (3, 2, 1693),
            (1, 2, 1307),
            (20, 20, 1500),
            // 66.66%: between 117 and 125.
            (4, 3, 1622),
        ] {
            assert_eq!(
                performance(1500, half_points, games),
                Some(expected),
                "{half_points}/{games}"
            );
        }
        assert_eq!(performance(1500, 0, 0), None);
    }
}
