use super::*;
use crate::pgn::Game;
use crate::text::TextEncoding;

fn tree(text: &str) -> GameTree {
    GameTree::new(&Game::parse(text.as_bytes()), TextEncoding::default()).unwrap()
}

fn sans(line: &Line) -> Vec<&str> {
    line.moves.iter().map(|node| &node.san[..]).collect()
}

#[test]
fn notes_are_where_they_belong() {
    let tree = tree(
        "{first} 1. e4! {good [%clk 0:03:00] [%eval #-3] move} (1. d4 {x} d5 $2 (1... Nf6)) \
         1... e5 {[%eval 0.17][%csl Gd4][%cal Ge2e4]} 2. Nf3 1-0",
    );
    assert_eq!(tree.main.notes.comments, ["first"]);
    assert_eq!(sans(&tree.main), ["e4", "e5", "Nf3"]);
    let [e4, e5, nf3] = &tree.main.moves[..] else {
        panic!("three moves");
    };
    assert_eq!(e4.notes.nags, [1]);
    assert_eq!(e4.notes.comments, ["good move"]);
    assert_eq!(e4.notes.clock_millis, Some(180_000));
    assert_eq!(e4.notes.eval, Some(Eval::Mate(-3)));
    assert_eq!(e5.notes.eval, Some(Eval::Centipawns(17)));
    assert_eq!((e5.notes.squares.len(), e5.notes.arrows.len()), (1, 1));
    assert!(e5.notes.comments.is_empty());
    assert_eq!((nf3.plies, nf3.number, nf3.is_white), (3, 2, true));
    let variation = &e4.variations[0];
    assert_eq!(sans(variation), ["d4", "d5"]);
    assert_eq!(
        (variation.moves[1].plies, variation.moves[1].number),
        (2, 1)
    );
    assert_eq!(sans(&variation.moves[1].variations[0]), ["Nf6"]);
    assert_eq!(tree.result, Some("1-0"));
}

#[test]
fn a_line_ends_at_an_illegal_move() {
    let tree = tree("1. e4 (1. d4 Kd4 {x} (1... d5)) 1... e5 2. Ke3 {y} Nf6 (2... a6) 3. d4 *");
    assert_eq!(sans(&tree.main), ["e4", "e5"]);
    assert_eq!(tree.main.unplayed.as_deref(), Some("Ke3 Nf6 d4"));
    let variation = &tree.main.moves[0].variations[0];
    assert_eq!(variation.unplayed.as_deref(), Some("Kd4"));
    assert_eq!(tree.result, Some("*"));
}

#[test]
fn what_is_not_played_is_cut() {
    let tree = tree(&format!("1. Ke5 {}", "Nf3 ".repeat(1000)));
    let words = tree.main.unplayed.unwrap();
    assert!(
        words.chars().count() < 70 && words.ends_with('…'),
        "{words}"
    );
}

#[test]
fn variations_that_are_nested_too_deep_are_counted() {
    let deep = |levels: usize| {
        format!(
            "1. e4 {}{} e5",
            "(1. e4 ".repeat(levels),
            ")".repeat(levels)
        )
    };
    assert_eq!(tree(&deep(MAX_DEPTH)).omitted, 0);
    let tree = tree(&deep(100_000));
    assert_eq!(tree.omitted, 100_000 - MAX_DEPTH);
    assert_eq!(sans(&tree.main), ["e4", "e5"]);
}

#[test]
fn castling_in_chess960_is_the_move_onto_the_rook() {
    let uci = |text: &str| tree(text).main.moves[0].ply.to_string();
    assert_eq!(
        uci("[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O *"),
        "e1c1"
    );
    assert_eq!(
        uci("[FEN \"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1\"]\n\n1. O-O-O *"),
        "e1b1"
    );
}

#[test]
fn misplaced_variations_end_the_game() {
    assert!(tree("(1. e4) 1. d4").main.moves.is_empty());
    assert_eq!(sans(&tree("1. e4 ) e5").main), ["e4"]);
    assert_eq!(sans(&tree("1. e4 (1. d4 (1. c4").main), ["e4"]);
    let nothing = Game::parse(b"[FEN \"nonsense\"]\n\n1. e4 *");
    assert!(GameTree::new(&nothing, TextEncoding::default()).is_none());
}
