//! Names and descriptions of the codes for users.

use super::Code;

impl Code {
    /// The name of the code.
    pub fn name(self) -> &'static str {
        match self {
            Code::Nibble => "nibble",
            Code::Base13 => "base13",
            Code::MixedBase => "mixed-base",
            Code::HuffmanStatic => "huffman-static",
            Code::Difference => "difference",
            Code::PieceList => "piece-list",
            Code::PieceListRanked => "piece-list-ranked",
            Code::Combined => "combined",
            Code::Game => "game",
        }
    }

    /// A short description of the code.
    pub fn description(self) -> &'static str {
        match self {
            Code::Nibble => "4 bits a square, rights coded by the pieces",
            Code::Base13 => "The board as one number in base 13",
            Code::MixedBase => "The same, without pawns on ranks 1 and 8",
            Code::HuffmanStatic => "A fixed prefix code, short for what is frequent",
            Code::Difference => "What differs from the start position",
            Code::PieceList => "Squares of kings and officers, then the pawns one by one",
            Code::PieceListRanked => "The same, the pawns of a side as a set",
            Code::Combined => {
                "The smallest of huffman-static, difference, piece-list and mixed-base"
            }
            Code::Game => "The moves of a game that leads there",
        }
    }

    /// The code with this name.
    pub fn named(name: &str) -> Option<Code> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }
}
