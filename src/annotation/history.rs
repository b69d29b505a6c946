//! Predicting a value from the values before it.

use super::number::EvalScore;
use super::reference::{Reference, ReferenceScheme, SHIFT, WEIGHTS};
use super::slots::ValueSlot;
use super::time::TimeControl;

/// Values are clamped to ±`MOST`.
pub(super) const MOST: i64 = 1_000_000_000_000_000_000;

/// A mate counts as a value of this many wholes in the predictions after it.
const MATE_WHOLES: i64 = 10;

/// The remaining time is expected to last for this many moves.
const MOVES_LEFT: i64 = 40;

/// Subtracted from the size of a prediction (64 per factor of two) to give the
/// expected size of a first residual: an eighth of the predicted value.
const UNSEEN: i64 = 3 * 64;

/// The state of a slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValueHistory {
    /// The last value of each side.
    of_side: [Option<i64>; 2],
    last: Option<i64>,
    /// The running mean of the sizes of residuals of each side.
    sizes: [Option<i64>; 2],
    /// The last mate, if it was the last value.
    pub(super) mate: Option<i64>,
}

/// The side whose comment it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlayerHistory {
    Black = 0,
    White = 1,
}

impl PlayerHistory {
    /// 1 or −1.
    pub(super) fn sign(self) -> i64 {
        match self {
            PlayerHistory::White => 1,
            PlayerHistory::Black => -1,
        }
    }

    fn of(self, values: [Option<i64>; 2]) -> (Option<i64>, Option<i64>) {
        let [black, white] = values;
        match self {
            PlayerHistory::White => (white, black),
            PlayerHistory::Black => (black, white),
        }
    }
}

/// The prediction of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberPrediction {
    value: i64,
    /// The direction of the residual, 1 or −1.
    sign: i64,
    /// Whether the reference gave a prediction.
    pub(super) is_known: bool,
}

/// The number of contexts for the expected size of a residual.
pub(super) const SIZES: u32 = 96;

impl NumberPrediction {
    /// The residual of a value.
    pub(super) fn difference(&self, value: i64) -> i64 {
        value.saturating_sub(self.value).saturating_mul(self.sign)
    }

    /// The value with this residual.
    pub(super) fn value(&self, difference: i64) -> i64 {
        let value = self
            .value
            .saturating_add(difference.saturating_mul(self.sign));
        value.clamp(-MOST, MOST)
    }
}

/// The state from which a value of a slot is predicted.
pub(super) struct HistoryView<'a> {
    pub(super) histories: &'a [ValueHistory],
    pub(super) slot: usize,
    pub(super) form: ValueSlot,
    pub(super) side: PlayerHistory,
    pub(super) time: TimeControl,
}

impl HistoryView<'_> {
    fn history(&self, slot: usize) -> &ValueHistory {
        self.histories.get(slot).unwrap_or(&ValueHistory::NONE)
    }

    fn last(&self, slot: u8) -> Option<i64> {
        self.history(slot.into()).last
    }

    fn units(&self, seconds: i64) -> i64 {
        seconds.saturating_mul(self.form.unit)
    }

    /// The increment per move, in units. `unsaid` is the value in seconds if the time
    /// control states none.
    fn increment(&self, unsaid: u8) -> i64 {
        self.units(self.time.increment.unwrap_or(unsaid.into()))
    }

    /// The value of a reference, if it has one.
    pub(super) fn value(&self, reference: Reference) -> Option<i64> {
        let history = self.history(self.slot);
        let (own, other) = self.side.of(history.of_side);
        match reference {
            Reference::Nothing => Some(0),
            Reference::Own => own,
            Reference::Other => other,
            Reference::Left(increment) => Some(own?.saturating_add(self.increment(increment))),
            Reference::Last(slot) => self.last(slot),
            Reference::OwnLess(slot) => Some(own?.saturating_sub(self.last(slot)?)),
            Reference::Product(a, b, shift) => product(self.last(a)?, self.last(b)?, shift),
        }
    }

    /// The prediction of a scheme.
    pub(super) fn predict(&self, scheme: &ReferenceScheme) -> NumberPrediction {
        let found = self.value(scheme.reference);
        // A clock starts at the base time. Without one, the last value of the slot is
        // the best guess.
        let base = match scheme.reference {
            Reference::Left(_) => self.time.base.map(|base| self.units(base)),
            _ => None,
        };
        let last = || self.history(self.slot).last;
        let value = found.or(base).or_else(last).unwrap_or(0);
        let sign = match scheme.reference {
            // These values decrease.
            Reference::Left(_) | Reference::OwnLess(_) => -1,
            _ if scheme.is_oriented => self.side.sign(),
            _ => 1,
        };
        NumberPrediction {
            value: value.clamp(-MOST, MOST),
            sign,
            is_known: found.is_some(),
        }
    }

    /// The expected size of the residual of a prediction, as a context below [`SIZES`].
    pub(super) fn expected_size(
        &self,
        scheme: &ReferenceScheme,
        prediction: &NumberPrediction,
    ) -> u32 {
        let level = size(match scheme.reference {
            // The time that may be spent on one move.
            Reference::Left(increment) => {
                let increment = self.increment(increment);
                prediction.value.saturating_sub(increment) / MOVES_LEFT + increment
            }
            _ => prediction.value,
        });
        let (own, other) = self.side.of(self.history(self.slot).sizes);
        let unseen = (level - UNSEEN).max(0);
        let (own, other) = (own.or(other), other.or(own));
        let (own, other) = (own.unwrap_or(unseen), other.unwrap_or(unseen));
        let weights = WEIGHTS
            .get(usize::from(scheme.weights))
            .unwrap_or(&WEIGHTS[0]);
        let [of_own, of_other, of_level] = weights;
        let mean = (own * of_own + other * of_other + level * of_level) / 8;
        u32::try_from(mean / 16).unwrap_or(0).min(SIZES - 1)
    }
}

/// The product of two numbers, times 10^(`shift` − `SHIFT`).
fn product(a: i64, b: i64, shift: u8) -> Option<i64> {
    let product = i128::from(a) * i128::from(b);
    let ten = |decimals: u8| 10i128.pow(decimals.into());
    let shifted = match shift.checked_sub(SHIFT) {
        Some(more) => product.saturating_mul(ten(more)),
        None => product / ten(SHIFT - shift),
    };
    i64::try_from(shifted.clamp(-i128::from(MOST), i128::from(MOST))).ok()
}

/// About 64 × log2 of a number.
pub(super) fn size(number: i64) -> i64 {
    let number = number.unsigned_abs().saturating_add(1);
    let exponent = number.ilog2();
    let mantissa = match exponent.checked_sub(6) {
        Some(more) => number >> more,
        None => number << (6 - exponent),
    };
    i64::from(exponent) * 64 + i64::try_from(mantissa).unwrap_or(64) - 64
}

impl ValueHistory {
    /// The state of a slot without values.
    pub(super) const NONE: ValueHistory = ValueHistory {
        of_side: [None; 2],
        last: None,
        sizes: [None; 2],
        mate: None,
    };

    /// Updates the state with a value of one side and its residual. A mate, or a value
    /// without a prediction, has no residual.
    pub(super) fn note(
        &mut self,
        side: PlayerHistory,
        form: ValueSlot,
        score: EvalScore,
        difference: Option<i64>,
    ) {
        let value = match score {
            EvalScore::Number(value) => {
                self.mate = None;
                value
            }
            EvalScore::Mate(mate) => {
                self.mate = Some(mate);
                mate.signum() * MATE_WHOLES * form.unit
            }
        };
        self.last = Some(value);
        let [black, white] = &mut self.of_side;
        *match side {
            PlayerHistory::Black => black,
            PlayerHistory::White => white,
        } = Some(value);
        let Some(difference) = difference else { return };
        let [black, white] = &mut self.sizes;
        let mean = match side {
            PlayerHistory::Black => black,
            PlayerHistory::White => white,
        };
        let now = size(difference);
        *mean = Some(mean.map_or(now, |mean| mean + ((now - mean) >> 2)));
    }

    /// The size of the last value, of either side.
    pub(super) fn last_size(&self) -> i64 {
        size(self.last.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_bounded() {
        for shift in 0..=2 * SHIFT {
            assert_eq!(product(MOST, MOST, shift), Some(MOST));
            assert_eq!(product(MOST, -MOST, shift), Some(-MOST));
        }
        assert_eq!(product(1_500, 2_000, SHIFT), Some(3_000_000));
        assert_eq!(product(7, 9, 0), Some(0));
    }
}
