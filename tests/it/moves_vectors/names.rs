//! The names of the errors in `spec/moves.md`.

use pgna::internals::bits::BitsError;
use pgna::internals::codec::huffman::TreeError;
use pgna::internals::codec::range::RangeError;
use pgna::internals::model::FollowerError;
use pgna::internals::moves::huffman::HuffmanError;
use pgna::internals::moves::radix::RadixError;
use pgna::internals::moves::{ModelError, MoveError, SanError, SquaresError};

/// The name of an error.
pub(crate) fn error_name(error: &MoveError) -> &'static str {
    match error {
        MoveError::TooManyPlies { .. } => "too-many-plies",
        MoveError::NullPlies => "null-plies",
        MoveError::NullInCheck { .. } => "null-in-check",
        MoveError::IllegalMove { .. } => "illegal-move",
        MoveError::WrongStart => "wrong-start",
        MoveError::StartUnknown => "start-unknown",
        MoveError::Huffman(error) => huffman_name(error),
        MoveError::Radix(error) => radix_name(error),
        MoveError::Squares(SquaresError(error)) => bits_name(error),
        MoveError::San(SanError::NotAMove { .. }) => "not-a-move",
        MoveError::San(SanError::NotStandard { .. }) => "not-standard",
        MoveError::San(SanError::Bits(error)) => bits_name(error),
        MoveError::Model(ModelError::Follower(FollowerError::NoModel)) => "no-model",
        MoveError::Model(ModelError::Follower(FollowerError::Variant)) => "not-chess",
        MoveError::Model(ModelError::Follower(FollowerError::NotIncluded { .. })) => {
            "model-left-out"
        }
        MoveError::Model(ModelError::NoLegalMove) => "no-legal-move",
        MoveError::Model(ModelError::Range(error)) => range_name(error),
    }
}

fn bits_name(error: &BitsError) -> &'static str {
    match error {
        BitsError::EndOfInput => "cut-short",
        BitsError::Varint => "length",
        BitsError::Trailing => "trailing",
    }
}

fn range_name(error: &RangeError) -> &'static str {
    match error {
        RangeError::InvalidSymbol => "no-symbol",
        RangeError::NotCanonical => "not-shortest",
        RangeError::Trailing => "trailing",
    }
}

fn radix_name(error: &RadixError) -> &'static str {
    match error {
        RadixError::NoLegalMove => "no-legal-move",
        RadixError::Remainder => "remainder",
        RadixError::LeadingZeros => "leading-zeros",
        RadixError::SingleNumber => "single-number",
        RadixError::Bits(error) => bits_name(error),
    }
}

fn huffman_name(error: &HuffmanError) -> &'static str {
    match error {
        HuffmanError::Tree(_, TreeError::CutShort) => "tree-cut-short",
        HuffmanError::Tree(_, TreeError::RepeatedId(_)) => "tree-repeated-id",
        HuffmanError::Tree(_, TreeError::TooManyLeaves) => "tree-too-many-leaves",
        HuffmanError::Tree(_, TreeError::UnknownId(_)) | HuffmanError::UnusedSymbol(..) => {
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
        HuffmanError::Bits(error) => bits_name(error),
        HuffmanError::InitialIds => "initial-ids",
    }
}
