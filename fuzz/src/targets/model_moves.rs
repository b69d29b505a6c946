//! Plays from arbitrary positions with the model's board and with the rules. Both have the same
//! moves and lead to the same boards.

use pgna::internals::chess::{ChessPosition, PlyKind, Rules};
use pgna::internals::model::{Board, Legal};

/// The plies as text, sorted.
fn sorted(plies: impl IntoIterator<Item = PlyKind>) -> Vec<String> {
    let mut names: Vec<_> = plies.into_iter().map(|ply| format!("{ply:?}")).collect();
    names.sort();
    names
}

pub(super) fn check(input: &[u8]) {
    let Some((chess960, fen, picks)) = crate::arbitrary::<(bool, String, Vec<u8>)>(input) else {
        return;
    };
    let rules = if chess960 {
        Rules::CHESS960
    } else {
        Rules::CHESS
    };
    let start = ChessPosition::from_fen(fen.as_bytes(), rules);
    let mut position = start.unwrap_or_else(|_| ChessPosition::start(rules));
    let mut board = Board::new(&position).unwrap();
    for pick in picks {
        let legal = Legal::new(&board);
        let moves: Vec<_> = legal.moves().collect();
        let plies = moves.iter().map(|m| board.ply(*m));
        assert_eq!(sorted(plies), sorted(position.legal_plies()));
        let Some(m) = moves.get(usize::from(pick) % moves.len().max(1)) else {
            return;
        };
        position.make(board.ply(*m)).unwrap();
        board.play(*m);
        assert_eq!(Some(&board), Board::new(&position).as_ref());
    }
}
