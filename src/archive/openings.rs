//! Values of tag pairs that follow from the opening of the game.

use crate::pgn::{FEN_TAG, Tree};
use crate::tags::MOST_PLIES;

/// Tag pairs that must be known before the moves: models and comments are read
/// with their help.
const EARLY: [&[u8]; 5] = [b"White", b"Black", b"WhiteElo", b"BlackElo", b"TimeControl"];

/// Whether a tag pair must be known before the moves.
pub(super) fn is_early(name: &[u8]) -> bool {
    name == FEN_TAG || EARLY.contains(&name)
}

/// The keys of the first positions of a game.
pub(super) fn keys(tree: &Tree<'_>) -> Vec<u32> {
    let mut position = tree.start.clone();
    let mut keys = vec![position.key()];
    for ply in tree.plies().take(MOST_PLIES) {
        if position.play(ply).is_err() {
            break;
        }
        keys.push(position.key());
    }
    keys
}
