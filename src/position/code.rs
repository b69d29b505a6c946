//! The position codes and the structure of each.

use super::difference::Difference;
use super::digits::{BASE13, MIXED_BASE};
use super::huffman_static::HuffmanStatic;
use super::piece_code::PieceCode;
use super::piece_list::PieceList;

/// An encoding of a position as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PositionCode {
    /// 4 bits a square.
    Nibble,
    /// The board as one number in base 13.
    Base13,
    /// The board as one number, with base 11 on ranks 1 and 8.
    MixedBase,
    /// A fixed prefix code.
    HuffmanStatic,
    /// The differences from the start position.
    Difference,
    /// The squares of kings and officers, and the pawns as digits.
    PieceList,
    /// The squares of kings and officers, and the pawns of a side as a set.
    PieceListRanked,
    /// The smallest of four other codes.
    Combined,
    /// A game to the position.
    Game,
}

impl PositionCode {
    /// All codes.
    pub const ALL: [PositionCode; 9] = [
        PositionCode::Nibble,
        PositionCode::Base13,
        PositionCode::MixedBase,
        PositionCode::HuffmanStatic,
        PositionCode::Difference,
        PositionCode::PieceList,
        PositionCode::PieceListRanked,
        PositionCode::Combined,
        PositionCode::Game,
    ];

    /// The structure of the code.
    pub(super) fn scheme(self) -> CodeScheme {
        match self {
            PositionCode::Nibble => CodeScheme::Nibble,
            PositionCode::Base13 => CodeScheme::Pieces(&BASE13),
            PositionCode::MixedBase => CodeScheme::Pieces(&MIXED_BASE),
            PositionCode::HuffmanStatic => CodeScheme::Pieces(&HuffmanStatic),
            PositionCode::Difference => CodeScheme::Pieces(&Difference),
            PositionCode::PieceList => CodeScheme::Pieces(&PieceList::Sequential),
            PositionCode::PieceListRanked => CodeScheme::Pieces(&PieceList::Ranked),
            PositionCode::Combined => CodeScheme::Combined,
            PositionCode::Game => CodeScheme::Game,
        }
    }
}

/// The structure of a code.
pub(super) enum CodeScheme {
    /// The pieces, of which some encode rights.
    Nibble,
    /// The pieces, then the trailer.
    Pieces(&'static dyn PieceCode),
    /// A selector, then another code.
    Combined,
    /// The moves of a game.
    Game,
}
