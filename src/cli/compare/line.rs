//! The line of a game that the codecs are given.

use pgna::chess::{Outcome, Ply, Position};
use pgna::pgn::{Node, Parsed, Tree, outcome_of_marker};

/// The main line of a game: its start position, its plies, and how it ended.
/// None where it is not known to its end.
pub(super) fn line_of(parsed: &Parsed<'_>) -> Option<(Position, Vec<Ply>, Option<Outcome>)> {
    if !parsed.tree.tail.is_empty() {
        return None;
    }
    let tree = &parsed.tree;
    Some((tree.start.clone(), tree.plies().collect(), outcome(tree)))
}

/// What the termination marker behind the last ply says; none if there is no
/// marker, or it says that the game goes on.
fn outcome(tree: &Tree<'_>) -> Option<Outcome> {
    let behind = tree.nodes.iter().rev();
    let mut behind = behind.take_while(|node| !matches!(node, Node::Ply(..) | Node::Close));
    let number = behind.find_map(|node| match node {
        Node::Result(number) => Some(*number),
        _ => None,
    });
    outcome_of_marker(number?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgna::chess::Color;
    use pgna::pgn::{Scanner, parse};

    fn line(text: &str) -> Option<(usize, Option<Outcome>)> {
        let lexemes: Vec<_> = Scanner::new(text.as_bytes()).collect();
        let (_, plies, outcome) = line_of(&parse(text.as_bytes(), &lexemes))?;
        Some((plies.len(), outcome))
    }

    #[test]
    fn the_marker_tells_the_outcome() {
        let decisive = |winner| Some(Outcome::Decisive { winner });
        for (marker, outcome) in [
            ("1-0", decisive(Color::White)),
            ("0-1", decisive(Color::Black)),
            ("1/2-1/2 {agreed}", Some(Outcome::Draw)),
            ("*", None),
            ("", None),
        ] {
            let text = format!("[Result \"1-0\"]\n\n1. e4 e5 {marker}\n");
            assert_eq!(line(&text), Some((2, outcome)), "{marker}");
        }
    }

    #[test]
    fn a_line_that_breaks_off_is_none() {
        assert_eq!(line("1. e4 e4 *"), None);
        assert_eq!(line("[White \"x\"]\n\n*\n"), Some((0, None)));
    }
}
