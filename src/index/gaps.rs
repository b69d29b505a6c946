//! Ascending integers as the numbers of integers between them.

/// For each integer, how many are between it and the one before it; for the first, before it.
pub(super) fn gaps(ascending: &[u32]) -> impl Iterator<Item = u64> {
    let mut next = 0;
    ascending.iter().map(move |value| {
        let gap = u64::from(*value) - next;
        next = u64::from(*value) + 1;
        gap
    })
}

/// Adds the integers with these gaps to `out`; `None` if one is not below `end`.
pub(super) fn add_gaps(
    gaps: impl IntoIterator<Item = u64>,
    end: u32,
    out: &mut Vec<u32>,
) -> Option<()> {
    let mut next = 0u64;
    for gap in gaps {
        let value = next
            .checked_add(gap)
            .filter(|value| *value < u64::from(end))?;
        out.push(u32::try_from(value).ok()?);
        next = value + 1;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_round_trip() {
        let values = [0, 1, 5, 6, 9, u32::MAX - 1];
        let of_values: Vec<u64> = gaps(&values).collect();
        assert_eq!(of_values[..5], [0, 0, 3, 0, 2]);
        let mut again = Vec::new();
        assert_eq!(add_gaps(of_values, u32::MAX, &mut again), Some(()));
        assert_eq!(again, values);
    }

    #[test]
    fn integers_are_below_the_end() {
        for gaps in [&[9u64][..], &[8, 0], &[0, 8], &[u64::MAX], &[3, u64::MAX]] {
            assert_eq!(add_gaps(gaps.iter().copied(), 9, &mut Vec::new()), None);
        }
    }
}
