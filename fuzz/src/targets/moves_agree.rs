//! Packed collections: the decoded moves lead through the positions of shakmaty, and every game
//! has its original text.

use super::parse_agrees::check_moves;
use crate::archives::{NAME, pack_with};
use crate::collection::Collection;
use pgna::{Archive, BuiltinModel};

pub(super) fn check(input: &[u8]) {
    let Some((level, input)) = input.split_first() else {
        return;
    };
    let Some(collection) = crate::arbitrary::<Collection>(input) else {
        return;
    };
    let level = BuiltinModel::ALL[usize::from(*level) % BuiltinModel::ALL.len()];
    let archive = pack_with(&[(NAME, &collection.text())], 1 << 20, level);
    let archive = Archive::new(&archive[..]).expect("what was packed opens");
    assert_eq!(archive.games(), collection.games.len() as u64);
    for place in archive.block_places().expect("blocks") {
        let games = archive.block_games(&place).expect("a block");
        for (game, number) in place.games().enumerate() {
            let packed = &collection.games[usize::try_from(number - 1).expect("few games")];
            let moves = games.moves(game).expect("a game").expect("a start");
            check_moves(&moves, packed);
            assert_eq!(games.text(game).expect("a game"), packed.text);
        }
    }
}
