//! Ranking sets of a known size in colexicographic order.
//!
//! Sets of `k` numbers are ordered by their largest number, then by the next
//! largest, and so on: {0, 1}, {0, 2}, {1, 2}, {0, 3}, … The rank of c₁ < c₂ < …
//! < c_k is C(c₁, 1) + C(c₂, 2) + … + C(c_k, k).

/// C(n, k), the number of sets of `k` of `n` things; `u64::MAX` if it exceeds 64
/// bits.
pub fn binomial(n: u32, k: u32) -> u64 {
    let Some(rest) = n.checked_sub(k) else {
        return 0;
    };
    let mut product = 1;
    for (i, factor) in (1..=u128::from(k.min(rest))).zip((0..=u128::from(n)).rev()) {
        product = product * factor / i;
        if product > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// The rank of a set, given its numbers in ascending order; `u64::MAX` if it
/// exceeds 64 bits.
pub fn rank(set: &[u32]) -> u64 {
    let counted = (1..).zip(set).map(|(k, number)| binomial(*number, k));
    counted.fold(0, u64::saturating_add)
}

/// The set of `k` numbers with this rank, in ascending order; `None` if not all
/// are below `n`. Takes up to n steps, so it is meant for small n, such as
/// squares or points of a board.
pub fn unrank(mut rank: u64, n: u32, k: u32) -> Option<Vec<u32>> {
    if rank >= binomial(n, k) {
        return None;
    }
    let mut set = Vec::new();
    let mut below = n;
    for k in (1..=k).rev() {
        let number = (0..below).rev().find(|c| binomial(*c, k) <= rank)?;
        rank -= binomial(number, k);
        set.push(number);
        below = number;
    }
    set.reverse();
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_are_those_of_the_triangle() {
        for (n, k, expected) in [
            (0, 0, 1),
            (5, 0, 1),
            (5, 2, 10),
            (5, 5, 1),
            (5, 6, 0),
            (48, 8, 377_348_994),
            (90, 5, 43_949_268),
            (67, 33, 14_226_520_737_620_288_370),
            (68, 34, u64::MAX),
            (u32::MAX, 1 << 31, u64::MAX),
        ] {
            assert_eq!(binomial(n, k), expected, "{n} over {k}");
        }
    }

    #[test]
    fn sets_are_in_colexicographic_order() {
        for k in 0..=5 {
            let sets = binomial(9, k);
            let all: Vec<Vec<u32>> = (0..sets).map_while(|r| unrank(r, 9, k)).collect();
            assert_eq!(all.len() as u64, sets);
            for (expected, set) in (0..).zip(&all) {
                assert_eq!(rank(set), expected);
                assert!(set.is_sorted_by(|a, b| a < b) && set.iter().all(|c| *c < 9));
            }
            let from_the_largest = |set: &Vec<u32>| set.iter().rev().copied().collect::<Vec<_>>();
            assert!(all.is_sorted_by_key(from_the_largest));
            assert_eq!(unrank(sets, 9, k), None);
        }
    }
}
