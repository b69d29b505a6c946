//! The pieces of strings: single bytes, and frequent sequences of bytes.
//!
//! `spec/columns.md`, section 4, defines the layout.

use super::recipe::Recipe;
use crate::codec::error::CodecError;
use crate::codec::string_list::StringList;

/// The symbol that ends a string. The symbols of the pieces start at 1.
pub(super) const END: u8 = 0;

/// Pieces in bytewise order.
#[derive(Debug, Clone)]
pub(super) struct PieceSet {
    sorted: StringList,
    /// For each byte value, and for 256, the number of pieces that begin with a
    /// lower byte.
    first_pieces: Vec<u8>,
    /// The rank of each byte value among the one-byte pieces, from 1; 0 if it is
    /// not one.
    ranks: [u8; 256],
    bytes: u8,
}

impl PieceSet {
    /// The pieces of a recipe.
    ///
    /// # Errors
    /// The recipe is invalid, or two pieces are equal.
    pub(super) fn new(recipe: &Recipe) -> Result<PieceSet, CodecError> {
        let mut pieces = recipe.piece_bytes()?;
        pieces.sort_unstable();
        if pieces.windows(2).any(|two| matches!(two, [a, b] if a == b)) {
            return Err(CodecError::Damaged("a piece of strings occurs twice"));
        }
        let mut set = PieceSet {
            sorted: StringList::with_capacity(pieces.len()),
            first_pieces: Vec::with_capacity(257),
            ranks: [0; 256],
            bytes: 0,
        };
        for first in 0..=256u16 {
            let is_below =
                |piece: &Vec<u8>| piece.first().is_some_and(|byte| u16::from(*byte) < first);
            let below = pieces.partition_point(is_below);
            set.first_pieces
                .push(u8::try_from(below).unwrap_or(u8::MAX));
        }
        for (rank, byte) in (1..=u8::MAX).zip(&recipe.bytes) {
            if let Some(entry) = set.ranks.get_mut(usize::from(*byte)) {
                *entry = rank;
            }
            set.bytes = rank;
        }
        pieces.iter().for_each(|piece| set.sorted.push(piece));
        Ok(set)
    }

    /// The number of symbols, including the end of a string.
    pub(super) fn symbols(&self) -> u16 {
        u16::try_from(self.sorted.len() + 1).unwrap_or(256)
    }

    /// The number of one-byte pieces.
    pub(super) fn bytes(&self) -> u8 {
        self.bytes
    }

    /// The rank of a byte among the one-byte pieces, from 1; 0 if it is not one.
    pub(super) fn rank(&self, byte: u8) -> u8 {
        self.ranks.get(usize::from(byte)).copied().unwrap_or(0)
    }

    /// The bytes of a symbol; none for the end of a string.
    pub(super) fn bytes_of(&self, symbol: u8) -> &[u8] {
        let piece = usize::from(symbol).checked_sub(1);
        piece
            .and_then(|piece| self.sorted.get(piece))
            .unwrap_or_default()
    }

    /// The first symbol whose piece begins with a greater byte; `None` if there
    /// is none.
    pub(super) fn first_above(&self, byte: u8) -> Option<u8> {
        let below = self.first_pieces.get(usize::from(byte) + 1)?;
        let symbol = below.checked_add(1)?;
        (u16::from(symbol) < self.symbols()).then_some(symbol)
    }

    /// Splits `text` into the pieces with the least total cost, given the
    /// `costs` by symbol, and appends the end of the string. Returns `None` if a
    /// byte is not a piece.
    pub(super) fn split(&self, text: &[u8], costs: &[u32]) -> Option<Vec<u8>> {
        // For each position, from the end: the cost of the remaining text, and
        // its first piece.
        let mut suffixes: Vec<(u32, u8)> = vec![(0, END)];
        for at in (0..text.len()).rev() {
            let rest = text.get(at..)?;
            let best = self.prefixes(rest).map(|symbol| {
                let after = suffixes.len().checked_sub(self.bytes_of(symbol).len());
                let after = after.and_then(|after| suffixes.get(after));
                let cost = costs.get(usize::from(symbol)).copied().unwrap_or(u32::MAX);
                (
                    after.map_or(u32::MAX, |(rest, _)| rest.saturating_add(cost)),
                    symbol,
                )
            });
            suffixes.push(best.min()?);
        }
        let mut out = Vec::new();
        let mut left = text.len();
        loop {
            let (_, symbol) = *suffixes.get(left)?;
            out.push(symbol);
            if symbol == END {
                return Some(out);
            }
            left = left.checked_sub(self.bytes_of(symbol).len())?;
        }
    }

    /// The pieces that are prefixes of `text`.
    fn prefixes<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = u8> + 'a {
        let first = text.first().map_or(0, |byte| usize::from(*byte));
        let bound = |at: usize| self.first_pieces.get(at).copied().unwrap_or(0);
        (bound(first)..bound(first + 1))
            .map(|piece| piece + 1)
            .filter(|symbol| text.starts_with(self.bytes_of(*symbol)))
    }
}
