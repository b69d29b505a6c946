//! Prediction from the opening. Opening names, codes and similar tags are predicted
//! as the value of the last position of a game that a book contains. Each segment
//! has its own book, learned from its games.
//!
//! `spec/openings.md` defines the layout.

mod learn;
#[cfg(test)]
mod tests;

pub use learn::{BookGame, learn_book};

use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;

/// The maximum number of plies of a game that a book looks up.
pub const MAX_PLIES: usize = 40;

/// The maximum number of positions of a book.
const MAX_POSITIONS: usize = 1 << 20;

/// A book: a map from the keys of positions to values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpeningBook {
    plies: usize,
    /// The number of bits of a key that are stored, the highest.
    key_bits: u32,
    /// Keys and values, in order of keys.
    entries: Vec<(u32, u64)>,
}

impl OpeningBook {
    /// A book for the first `plies` plies of games. Only one of several positions
    /// whose keys share the `bits` highest bits is retained.
    fn new(plies: usize, bits: u32, mut entries: Vec<(u32, u64)>) -> OpeningBook {
        for (key, _) in &mut entries {
            *key = high_bits(*key, bits);
        }
        entries.sort_by_key(|(key, _)| *key);
        entries.dedup_by_key(|(key, _)| *key);
        OpeningBook {
            plies,
            key_bits: bits,
            entries,
        }
    }

    /// The number of plies of a game that the book looks up.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// The number of positions in the book.
    pub fn positions(&self) -> usize {
        self.entries.len()
    }

    /// The value of the position with this key, if the book contains it.
    pub fn value(&self, key: u32) -> Option<u64> {
        let key = high_bits(key, self.key_bits);
        let at = self.entries.binary_search_by_key(&key, |(key, _)| *key);
        self.entries.get(at.ok()?).map(|(_, value)| *value)
    }

    /// The prediction for a game, given the keys of its start position and of the
    /// position after each ply: the value of the last one that the book contains.
    pub fn predict(&self, keys: &[u32]) -> Option<u64> {
        let keys = keys.iter().take(self.plies + 1);
        keys.rev().find_map(|key| self.value(*key))
    }

    /// The book with its values mapped; `None` if a value cannot be mapped.
    pub(super) fn map(&self, value: impl Fn(u64) -> Option<u64>) -> Option<OpeningBook> {
        let entry = |(key, of): &(u32, u64)| Some((*key, value(*of)?));
        Some(OpeningBook {
            entries: self.entries.iter().map(entry).collect::<Option<_>>()?,
            ..*self
        })
    }

    /// The encoded book.
    pub fn write(&self) -> Vec<u8> {
        let mut next = 0;
        let steps: Vec<u64> = self
            .entries
            .iter()
            .map(|(key, _)| {
                let step = u64::from(*key) - next;
                next = u64::from(*key) + 1;
                step
            })
            .collect();
        let values: Vec<u64> = self.entries.iter().map(|(_, value)| *value).collect();
        let mut out = Vec::new();
        put_varint(&mut out, self.plies as u64);
        put_varint(&mut out, self.key_bits.into());
        put_varint(&mut out, self.entries.len() as u64);
        put_bytes(&mut out, &ints::encode_smallest(&steps));
        put_bytes(&mut out, &ints::encode_smallest(&values));
        out
    }

    /// Decodes a book.
    ///
    /// # Errors
    /// The bytes are damaged, or the book would take more memory than the limits
    /// allow.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<OpeningBook, CodecError> {
        let impossible = CodecError::Damaged("an impossible book of openings");
        let mut input = ByteReader::new(bytes);
        let [plies, bits, positions] = [input.length()?, input.length()?, input.length()?];
        let bits = u32::try_from(bits).ok().filter(|bits| *bits <= u32::BITS);
        let bits = bits.ok_or(impossible)?;
        if plies > MAX_PLIES || positions > MAX_POSITIONS {
            return Err(impossible);
        }
        let steps = ints::decode(input.bytes()?, positions, limits)?;
        let values = ints::decode(input.bytes()?, positions, limits)?;
        input.finish()?;
        let mut entries = Vec::with_capacity(positions);
        let mut next = 0u64;
        for (step, value) in steps.into_iter().zip(values) {
            let key = next.checked_add(step).filter(|key| key >> bits == 0);
            let key = key.and_then(|key| u32::try_from(key).ok());
            let key = key.ok_or(impossible)?;
            entries.push((key, value));
            next = u64::from(key) + 1;
        }
        Ok(OpeningBook {
            plies,
            key_bits: bits,
            entries,
        })
    }
}

/// The highest bits of a key.
fn high_bits(key: u32, bits: u32) -> u32 {
    key.checked_shr(u32::BITS - bits).unwrap_or(0)
}
