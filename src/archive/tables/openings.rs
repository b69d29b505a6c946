//! Support for tag values that are predicted from the opening of the game.

use crate::columns::MAX_PLIES;
use crate::pgn::{FEN_TAG, GameTree};

/// Tag pairs that must be known before the moves, because models and the
/// decoding of comments depend on them.
const EARLY: [&[u8]; 5] = [b"White", b"Black", b"WhiteElo", b"BlackElo", b"TimeControl"];

/// Whether a tag pair must be known before the moves.
pub(crate) fn is_early(name: &[u8]) -> bool {
    name == FEN_TAG || EARLY.contains(&name)
}

/// The keys of the first positions of a game. A key is a hash; keys may
/// collide.
pub(crate) fn keys(tree: &GameTree<'_>) -> Vec<u32> {
    let mut position = tree.start.clone();
    let mut keys = vec![position.key()];
    for ply in tree.plies().take(MAX_PLIES) {
        if position.make_legal(ply).is_err() {
            break;
        }
        keys.push(position.key());
    }
    keys
}
