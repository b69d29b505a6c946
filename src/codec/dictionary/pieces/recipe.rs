//! The composition of pieces, and its encoding.
//!
//! `spec/columns.md`, section 4, defines the layout.

use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;

/// The maximum number of pieces. With the end of a string there are 256 symbols.
pub(super) const MAX_PIECES: usize = 255;

/// The maximum size of a piece, in bytes.
pub(super) const MAX_PIECE_BYTES: usize = 32;

/// The composition of pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Recipe {
    /// The one-byte pieces, in ascending order.
    pub(super) bytes: Vec<u8>,
    /// The other pieces: each joins two earlier pieces, given by number.
    pub(super) pairs: Vec<(u8, u8)>,
}

impl Recipe {
    /// The bytes of each piece, in order of their numbers.
    ///
    /// # Errors
    /// A piece joins later ones or is too long, or there are too many.
    pub(super) fn piece_bytes(&self) -> Result<Vec<Vec<u8>>, CodecError> {
        if self.bytes.len() + self.pairs.len() > MAX_PIECES {
            return Err(CodecError::Damaged("too many pieces of strings"));
        }
        let mut spelled: Vec<Vec<u8>> = self.bytes.iter().map(|byte| vec![*byte]).collect();
        for (left, right) in &self.pairs {
            let part = |number: &u8| spelled.get(usize::from(*number)).map(Vec::as_slice);
            let parts = part(left).zip(part(right));
            let (left, right) = parts.ok_or(CodecError::Damaged("a piece of no pieces"))?;
            let piece = [left, right].concat();
            if piece.len() > MAX_PIECE_BYTES {
                return Err(CodecError::Damaged("a piece too long"));
            }
            spelled.push(piece);
        }
        Ok(spelled)
    }

    /// The recipe with the first `count` pairs, sorted by their left pieces as
    /// far as their dependencies allow.
    pub(super) fn with_pairs(&self, count: usize) -> Recipe {
        let pairs = self.pairs.get(..count).unwrap_or(&self.pairs);
        let single = self.bytes.len();
        let number_of = |numbers: &[u8], old: u8| numbers.get(usize::from(old)).copied();
        let mut numbers: Vec<u8> = (0..=u8::MAX).take(single).collect();
        numbers.resize(single + pairs.len(), 0);
        let mut placed: Vec<bool> = (0..numbers.len()).map(|old| old < single).collect();
        let mut out = Recipe {
            bytes: self.bytes.clone(),
            pairs: Vec::new(),
        };
        while out.pairs.len() < pairs.len() {
            // Pairs whose parts are placed can be added in any order.
            let is_placed = |old: u8| placed.get(usize::from(old)).copied().unwrap_or(true);
            let mut ready: Vec<(Option<u8>, Option<u8>, usize)> = (single..)
                .zip(pairs)
                .filter(|(old, (left, right))| {
                    !placed.get(*old).copied().unwrap_or(true)
                        && is_placed(*left)
                        && is_placed(*right)
                })
                .map(|(old, (left, right))| {
                    (number_of(&numbers, *left), number_of(&numbers, *right), old)
                })
                .collect();
            ready.sort_unstable();
            for (left, right, old) in ready {
                let number = u8::try_from(single + out.pairs.len()).unwrap_or(u8::MAX);
                out.pairs.push((left.unwrap_or(0), right.unwrap_or(0)));
                if let Some((entry, placed)) = numbers.get_mut(old).zip(placed.get_mut(old)) {
                    (*entry, *placed) = (number, true);
                }
            }
        }
        out
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let mut next = 0;
        let steps: Vec<u64> = self
            .bytes
            .iter()
            .map(|byte| {
                let step = u64::from(*byte) - next;
                next = u64::from(*byte) + 1;
                step
            })
            .collect();
        put_varint(out, self.bytes.len() as u64);
        put_bytes(out, &ints::encode_smallest(&steps));
        let mut last = 0;
        let mut lefts = Vec::new();
        for (number, (left, _)) in (self.bytes.len()..).zip(&self.pairs) {
            let (number, left) = (number as u64, u64::from(*left));
            lefts.push((left + number - last) % number);
            last = left;
        }
        let rights: Vec<u64> = self
            .pairs
            .iter()
            .map(|(_, right)| u64::from(*right))
            .collect();
        put_varint(out, self.pairs.len() as u64);
        put_bytes(out, &ints::encode_smallest(&lefts));
        put_bytes(out, &ints::encode_smallest(&rights));
    }

    /// Decodes the output of [`write`](Self::write).
    pub(super) fn read(reader: &mut ByteReader<'_>, limits: &Limits) -> Result<Self, CodecError> {
        let impossible = CodecError::Damaged("impossible pieces of strings");
        let count = |reader: &mut ByteReader<'_>| match reader.length()? {
            count @ 0..=MAX_PIECES => Ok(count),
            _ => Err(impossible),
        };
        let mut recipe = Recipe::default();
        let single = count(reader)?;
        let mut next = 0u64;
        for step in ints::decode(reader.bytes()?, single, limits)? {
            let byte = next
                .checked_add(step)
                .and_then(|byte| u8::try_from(byte).ok());
            let byte = byte.ok_or(impossible)?;
            recipe.bytes.push(byte);
            next = u64::from(byte) + 1;
        }
        let pairs = count(reader)?;
        let lefts = ints::decode(reader.bytes()?, pairs, limits)?;
        let rights = ints::decode(reader.bytes()?, pairs, limits)?;
        let mut last = 0u64;
        for ((number, step), right) in (single as u64..).zip(lefts).zip(rights) {
            let left = (last + step.min(number)).checked_rem(number);
            let left = left.filter(|_| step < number).ok_or(impossible)?;
            last = left;
            let left = u8::try_from(left).map_err(|_| impossible)?;
            let right = u8::try_from(right).map_err(|_| impossible)?;
            recipe.pairs.push((left, right));
        }
        Ok(recipe)
    }
}
