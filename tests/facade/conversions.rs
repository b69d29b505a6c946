//! Positions and plies convert to the types of shakmaty.

use pgna::Position;
use shakmaty::Position as _;
use shakmaty::uci::UciMove;
use shakmaty::variant::VariantPosition;

fn main() {
    let position = Position::default();
    let ply = position.ply("e4").expect("a legal move");
    let mut other = VariantPosition::from(position.clone());
    let uci: UciMove = ply.into();
    let legal = uci.to_move(&other).expect("a legal move");
    other.play_unchecked(legal);
    let mut played = position;
    played.play(ply).expect("a legal move");
    assert_eq!(Position::from(other), played);
    println!("{uci}: {}", played.fen());
}
