//! shakmaty as the judge of positions, independent of the library. It reads the FENs that the
//! library writes.

use pgna::Position;
use shakmaty::fen::Fen;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Position as _, PositionError, Setup};

/// The pieces, the side to move, the castling rights and the counters of a FEN.
pub(crate) fn setup(fen: &str) -> Setup {
    fen.parse::<Fen>().expect(fen).into_setup()
}

/// The result by the rules of the variant, if no move is legal. `variant` is the value of the tag,
/// empty for chess.
pub(crate) fn result(position: &Position, variant: &str) -> Option<&'static str> {
    let variant: Variant = match variant {
        "" => Variant::Chess,
        name => name.parse().expect(name),
    };
    let setup = setup(&position.fen());
    let mode = CastlingMode::detect(&setup);
    let position = VariantPosition::from_setup(variant, setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .expect("a legal position");
    let outcome = position.outcome().known();
    outcome
        .filter(|_| position.legal_moves().is_empty())
        .map(|outcome| outcome.as_str())
}

/// The result if the side to move resigns.
pub(crate) fn resigned(position: &Position) -> &'static str {
    match position.is_white_to_move() {
        true => "0-1",
        false => "1-0",
    }
}
