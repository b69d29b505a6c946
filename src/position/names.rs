//! Names and descriptions of the codes for users.

use super::PositionCode;

impl PositionCode {
    /// The name of the code.
    pub fn name(self) -> &'static str {
        match self {
            PositionCode::Nibble => "nibble",
            PositionCode::Base13 => "base13",
            PositionCode::MixedBase => "mixed-base",
            PositionCode::HuffmanStatic => "huffman-static",
            PositionCode::Difference => "difference",
            PositionCode::PieceList => "piece-list",
            PositionCode::PieceListRanked => "piece-list-ranked",
            PositionCode::Combined => "combined",
            PositionCode::Game => "game",
        }
    }

    /// A short description of the code.
    pub fn description(self) -> &'static str {
        match self {
            PositionCode::Nibble => "4 bits a square, rights coded by the pieces",
            PositionCode::Base13 => "The board as one number in base 13",
            PositionCode::MixedBase => "The same, without pawns on ranks 1 and 8",
            PositionCode::HuffmanStatic => "A fixed prefix code, short for what is frequent",
            PositionCode::Difference => "What differs from the start position",
            PositionCode::PieceList => "Squares of kings and officers, then the pawns one by one",
            PositionCode::PieceListRanked => "The same, the pawns of a side as a set",
            PositionCode::Combined => {
                "The smallest of huffman-static, difference, piece-list and mixed-base"
            }
            PositionCode::Game => "The moves of a game that leads there",
        }
    }

    /// The code with this name.
    pub fn named(name: &str) -> Option<PositionCode> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }
}
