//! The names of the errors, as `spec/moves.md` lists them.

use pgna::bits::BitsError;
use pgna::codec::huffman::TreeError;
use pgna::moves::MoveError;
use pgna::moves::huffman::HuffmanError;

/// The name of an error.
pub(crate) fn error_name(error: &MoveError) -> &'static str {
    match error {
        MoveError::TooManyPlies { .. } => "too-many-plies",
        MoveError::NullPlies => "null-plies",
        MoveError::NullInCheck { .. } => "null-in-check",
        MoveError::IllegalMove { .. } => "illegal-move",
        MoveError::WrongStart => "wrong-start",
        MoveError::Huffman(error) => huffman_name(error),
    }
}

fn huffman_name(error: &HuffmanError) -> &'static str {
    match error {
        HuffmanError::Tree(_, TreeError::CutShort) => "tree-cut-short",
        HuffmanError::Tree(_, TreeError::RepeatedId(_)) => "tree-repeated-id",
        HuffmanError::Tree(_, TreeError::TooManyLeaves) => "tree-too-many-leaves",
        HuffmanError::Tree(_, TreeError::ForeignId(_)) | HuffmanError::ForeignId(..) => {
            "tree-foreign-id"
        }
        HuffmanError::TableNotPawn(_) => "table-not-pawn",
        HuffmanError::TableRepeated(_) => "table-repeated",
        HuffmanError::TableOrder(_) => "table-order",
        HuffmanError::InitialOrder(_) => "initial-order",
        HuffmanError::TwoOnSquare(_) => "two-on-square",
        HuffmanError::Setup => "not-a-position",
        HuffmanError::CapturedMoves { .. } => "captured-moves",
        HuffmanError::NoTarget { .. } => "no-target",
        HuffmanError::Bits(BitsError::EndOfInput | BitsError::Varint) => "cut-short",
        HuffmanError::Bits(BitsError::Trailing) => "trailing",
        HuffmanError::NotCanonical => "not-canonical",
    }
}
