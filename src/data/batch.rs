//! Columns of the games of one block.

use super::lists::{Lists, TextLists};

/// The columns of some games of one block, in the order of the games.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameBatch {
    /// The numbers of the games in the archive, from 1.
    pub games: Vec<u64>,
    /// The columns, in the order in which they were asked for. Each has one value or list for each
    /// game.
    pub columns: Vec<ColumnData>,
}

/// A column of a [`GameBatch`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnData {
    /// An integer for each game, or null.
    Integers(Vec<Option<i64>>),
    /// One of some texts for each game, or null.
    Dictionary(TextColumn),
    /// A text for each game.
    Texts(Lists<u8>),
    /// A list of plies for each game, as of [`Ply::to_bits`](crate::Ply::to_bits).
    Plies(Lists<u16>),
    /// A list of numbers or nulls for each game.
    Numbers(Lists<Option<i32>>),
    /// A list of texts for each game.
    TextLists(TextLists),
    /// Comments.
    Comments(Annotations<TextLists>),
    /// Numeric annotation glyphs.
    Nags(Annotations<Lists<u8>>),
    /// Variations.
    Variations(Variations),
}

/// A column with few distinct texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextColumn {
    /// For each game the index of its text, or null.
    pub ids: Vec<Option<u32>>,
    /// The distinct texts, in the order of the first games that have them.
    pub values: Vec<Vec<u8>>,
}

impl TextColumn {
    /// The text of a game by its index in the batch; `None` if it is null.
    pub fn get(&self, game: usize) -> Option<&[u8]> {
        let id = (*self.ids.get(game)?)?;
        let value = self.values.get(usize::try_from(id).ok()?)?;
        Some(value)
    }
}

/// Values that are placed in the lines of games: a list of each field for each game, all of the
/// same length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotations<V> {
    /// The line: 0 is the main line, n the n-th variation of [`Variations`].
    pub lines: Lists<u32>,
    /// The number of plies before it, counted from the start of the game: 0 is before the first
    /// ply of the main line.
    pub plies: Lists<u32>,
    /// The values.
    pub values: V,
}

/// The variations of games, in the order in which they open in the text. Each field has a list for
/// each game, all of the same length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variations {
    /// The line in which the variation branches off: 0 is the main line, n the n-th variation.
    pub parents: Lists<u32>,
    /// The number of plies before the first ply of the variation, counted from the start of the
    /// game.
    pub plies: Lists<u32>,
    /// For each variation the number of plies up to its end in the list of `moves` of its game.
    pub ends: Lists<u32>,
    /// For each game the plies of its variations, one after the other, as of
    /// [`Ply::to_bits`](crate::Ply::to_bits).
    pub moves: Lists<u16>,
}
