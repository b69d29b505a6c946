//! The line of a game that is passed to the codecs.

use super::games::GameText;
use crate::VerbatimReason;
use crate::internals::chess::{ChessPosition, Outcome, PlyKind};
use crate::internals::moves::Ratings;
use crate::internals::pgn::{
    GameTree, Lexeme, Node, Scanner, outcome_of_marker, parse, start_of_tags,
};

/// The main line of a game.
pub(crate) struct MainLine {
    pub(crate) start: ChessPosition,
    pub(crate) plies: Vec<PlyKind>,
    pub(crate) result: Option<Outcome>,
    pub(crate) ratings: Ratings,
}

/// The main line of a game, or why it is not known to its end.
pub(crate) fn line_of(game: &GameText<'_>) -> Result<MainLine, &'static str> {
    if game.is_piece {
        return Err(VerbatimReason::TooLong.describe());
    }
    let lexemes: Vec<Lexeme> = Scanner::new(game.text).collect();
    let parsed = parse(game.text, &lexemes);
    let tree = &parsed.tree;
    if !tree.tail.is_empty() {
        return Err(parsed
            .verbatim_reason
            .map_or("no line", VerbatimReason::describe));
    }
    // `parse` sets the start only if there are plies.
    let (_, start) = start_of_tags(&tree.tags).map_err(VerbatimReason::describe)?;
    Ok(MainLine {
        start,
        plies: tree.plies().collect(),
        result: outcome(tree),
        ratings: Ratings::of_tags(tree.tags.iter().map(|tag| (tag.name, tag.value))),
    })
}

/// The outcome of the termination marker after the last ply; `None` if there is
/// no marker or it is `*`.
fn outcome(tree: &GameTree<'_>) -> Option<Outcome> {
    let nodes_after_last_ply = tree.nodes.iter().rev();
    let mut after =
        nodes_after_last_ply.take_while(|node| !matches!(node, Node::Ply(..) | Node::Close));
    let number = after.find_map(|node| match node {
        Node::Result(number) => Some(*number),
        _ => None,
    });
    outcome_of_marker(number?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::internals::chess::Color;

    fn line(text: &str) -> Result<(usize, Option<Outcome>), &'static str> {
        let line = line_of(&GameText {
            text: text.as_bytes(),
            is_piece: false,
        })?;
        Ok((line.plies.len(), line.result))
    }

    #[test]
    fn the_marker_gives_the_outcome() {
        let decisive = |winner| Some(Outcome::Decisive { winner });
        for (marker, outcome) in [
            ("1-0", decisive(Color::White)),
            ("0-1", decisive(Color::Black)),
            ("1/2-1/2 {agreed}", Some(Outcome::Draw)),
            ("*", None),
            ("", None),
        ] {
            let text = format!("[Result \"1-0\"]\n\n1. e4 e5 {marker}\n");
            assert_eq!(line(&text), Ok((2, outcome)), "{marker}");
        }
    }

    #[test]
    fn a_line_that_breaks_off_is_no_line() {
        assert_eq!(line("1. e4 e4 *"), Err(VerbatimReason::Illegal.describe()));
        assert_eq!(line("[White \"x\"]\n\n*\n"), Ok((0, None)));
    }
}
