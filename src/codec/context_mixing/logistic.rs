//! Probabilities in 1/4096, and the logistic scale on which they are mixed.

/// About 4096 / (1 + e^(−x / 2)), for x from −16 to 16.
const CURVE: [i32; 33] = [
    1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348,
    3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094,
];

/// The logistic function and its inverse as tables.
static LOGISTIC: Logistic = Logistic::new();

/// The bound of the scale: it extends from −2047 to 2047.
const MAX_STRETCH: i32 = 2047;

/// The size of both tables.
const TABLE_SIZE: usize = 4096;

struct Logistic {
    /// By position on the scale + 2048.
    squashed: [u16; TABLE_SIZE],
    /// By probability.
    stretched: [i16; TABLE_SIZE],
}

impl Logistic {
    #[expect(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_possible_wrap,
        reason = "computed by the compiler"
    )]
    const fn new() -> Logistic {
        let mut tables = Logistic {
            squashed: [0; TABLE_SIZE],
            stretched: [MAX_STRETCH as i16; TABLE_SIZE],
        };
        let (mut position, mut next) = (0, 0);
        while position < TABLE_SIZE {
            let below = CURVE[position >> 7];
            let above = CURVE[(position >> 7) + 1];
            let share = (position & 127) as i32;
            let probability = (below * (128 - share) + above * share + 64) >> 7;
            tables.squashed[position] = probability as u16;
            // The position of a probability is the lowest one whose probability
            // is not less.
            while next <= probability as usize {
                tables.stretched[next] = if position == 0 {
                    -MAX_STRETCH as i16
                } else {
                    position as i16 - 2048
                };
                next += 1;
            }
            position += 1;
        }
        tables
    }
}

/// The probability at a position of the scale, which is clamped to the scale.
#[inline]
pub(super) fn squash(place: i64) -> i32 {
    let place = place.clamp((-MAX_STRETCH).into(), MAX_STRETCH.into()) + 2048;
    let place = usize::try_from(place).unwrap_or(0);
    LOGISTIC.squashed.get(place).copied().unwrap_or(0).into()
}

/// The position of a probability on the scale.
#[inline]
pub(super) fn stretch(probability: u16) -> i32 {
    let stretched = LOGISTIC.stretched.get(usize::from(probability));
    stretched.copied().unwrap_or(0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn both_tables_rise_and_are_inverse() {
        let places = -2047..=2047i32;
        let squashed: Vec<i32> = places.map(|x| squash(x.into())).collect();
        assert!(squashed.is_sorted());
        assert_eq!((squashed[0], squashed[4094]), (1, 4094));
        assert_eq!(squash(0), 2047);
        assert_eq!(squash(i64::MAX), 4094);
        let stretched: Vec<i32> = (0..4096).map(stretch).collect();
        assert!(stretched.is_sorted());
        assert_eq!((stretched[0], stretched[4095]), (-2047, 2047));
        for probability in 1..4095u16 {
            let back = squash(stretched[usize::from(probability)].into());
            let above = back - i32::from(probability);
            assert!((0..4).contains(&above), "{probability}");
        }
    }

    /// The table follows the formula.
    #[test]
    fn the_curve_is_logistic() {
        for (x, given) in (-16..=16).zip(CURVE) {
            let exact = 4096.0 / (1.0 + f64::exp(-f64::from(x) / 2.0));
            assert!((exact - f64::from(given)).abs() < 2.0, "{x}");
        }
    }
}
