//! Checks the move generator of the model's board against the rules.

use super::games::TrainingSet;
use pgna::internals::model::{Board, Legal};
use pgna::internals::train::TrainingLine;

/// Checks every position of every game, and prints the games where they differ.
pub(crate) fn print(games: &TrainingSet) {
    let (mut positions, mut differ) = (0, 0);
    for line in games.all() {
        let checked = check(line);
        positions += checked.unwrap_or(0);
        if checked.is_none() {
            differ += 1;
            println!("{} {:?}", line.start.fen(), line.plies);
        }
    }
    println!("{positions} positions have the moves of the rules; {differ} games differ");
}

/// The number of positions checked; `None` if one differs.
fn check(line: &TrainingLine) -> Option<usize> {
    let mut position = line.start.clone();
    let mut board = Board::new(&position)?;
    for ply in &line.plies {
        let legal = Legal::new(&board);
        let mut plies = position.legal_plies();
        let moves = legal.moves().map(|m| board.ply(m));
        for named in moves {
            let place = plies.iter().position(|legal| *legal == named)?;
            plies.swap_remove(place);
        }
        if !plies.is_empty() || Board::new(&position)? != board {
            return None;
        }
        board.play(board.move_of_ply(*ply)?);
        position.make(*ply).ok()?;
    }
    Some(line.plies.len())
}
