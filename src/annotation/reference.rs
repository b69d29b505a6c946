//! Predictors and schemes for the values of a slot.

use crate::bits::{BitsError, ByteReader, put_varint};

/// The reference from which a value of a slot is predicted. Slots are given by
/// number. The last value of another slot may be from the same comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reference {
    /// No reference: the prediction is 0.
    Nothing,
    /// The last value of the same side.
    Own,
    /// The last value of the other side.
    Other,
    /// The remaining time: the last value of the same side plus the increment.
    /// The operand is the increment in seconds if the time control states none.
    Left(u8),
    /// The last value of a slot.
    Last(u8),
    /// The last value of the same side minus the last value of a slot.
    OwnLess(u8),
    /// The product of the last values of two slots, times ten to the power of
    /// the last operand minus `SHIFT`.
    Product(u8, u8, u8),
}

/// The encoded shift of a product without scaling.
pub(super) const SHIFT: u8 = 6;

/// The largest encoded shift of a product.
const MAX_SHIFT: u8 = 2 * SHIFT;

impl Reference {
    /// The slots that it names.
    fn slots(&self) -> [Option<u8>; 2] {
        match *self {
            Reference::Last(slot) | Reference::OwnLess(slot) => [Some(slot), None],
            Reference::Product(a, b, _) => [Some(a), Some(b)],
            _ => [None; 2],
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let bytes: &[u8] = match self {
            Reference::Nothing => &[0],
            Reference::Own => &[1],
            Reference::Other => &[2],
            Reference::Left(increment) => &[3, *increment],
            Reference::Last(slot) => &[4, *slot],
            Reference::OwnLess(slot) => &[5, *slot],
            Reference::Product(a, b, shift) => &[6, *a, *b, *shift],
        };
        out.extend_from_slice(bytes);
    }

    /// Reads a reference of a segment with `slots` slots. Returns `Ok(None)` if
    /// it is malformed.
    pub(super) fn read(
        input: &mut ByteReader<'_>,
        slots: usize,
    ) -> Result<Option<Self>, BitsError> {
        let reference = match input.u8()? {
            0 => Reference::Nothing,
            1 => Reference::Own,
            2 => Reference::Other,
            3 => Reference::Left(input.u8()?),
            4 => Reference::Last(input.u8()?),
            5 => Reference::OwnLess(input.u8()?),
            6 => {
                let [a, b, shift] = input.array()?;
                if shift > MAX_SHIFT {
                    return Ok(None);
                }
                Reference::Product(a, b, shift)
            }
            _ => return Ok(None),
        };
        let named = reference.slots().into_iter().flatten();
        let is_known = named.into_iter().all(|slot| usize::from(slot) < slots);
        Ok(is_known.then_some(reference))
    }
}

/// The coding of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReferenceScheme {
    pub(super) reference: Reference,
    /// Whether the residual is negated for Black.
    pub(super) is_oriented: bool,
    /// Index of the weights by which the size of the residual is predicted.
    pub(super) weights: u8,
}

/// Weights, in eighths, of: the mean residual size of the same side, that of
/// the other side, and the size of the prediction.
pub(super) const WEIGHTS: [[i64; 3]; 4] = [[8, 0, 0], [4, 4, 0], [4, 2, 2], [0, 0, 8]];

impl ReferenceScheme {
    /// No prediction.
    pub(super) const DEFAULT: ReferenceScheme = ReferenceScheme {
        reference: Reference::Nothing,
        is_oriented: false,
        weights: 0,
    };

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.reference.write(out);
        let style = u64::from(self.weights) << 1 | u64::from(self.is_oriented);
        put_varint(out, style);
    }

    pub(super) fn read(
        input: &mut ByteReader<'_>,
        slots: usize,
    ) -> Result<Option<Self>, BitsError> {
        let reference = Reference::read(input, slots)?;
        let style = input.u8()?;
        let scheme = reference.map(|reference| ReferenceScheme {
            reference,
            is_oriented: style & 1 != 0,
            weights: style >> 1,
        });
        Ok(scheme.filter(|scheme| usize::from(scheme.weights) < WEIGHTS.len()))
    }
}
