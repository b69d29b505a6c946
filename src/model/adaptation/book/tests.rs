use super::super::{Adaptation, AdaptationError, GameAdaptation, SampleGame};
use super::*;
use crate::bits::BitsError;
use crate::chess::{PlyKind, SanText};
use crate::codec::adaptive_counts::AdaptiveCounts;
use crate::codec::range::{Encoder, RangeError};
use crate::model::groups::Fast;
use crate::model::{Follower, GameContext, Weights, line};
use crate::testing::examples::assert_shown;
use proptest::prelude::*;

fn plies(sans: &str) -> Vec<PlyKind> {
    let mut position = ChessPosition::standard();
    let read = |san: &str| {
        let text = SanText::parse(san.as_bytes()).expect("SAN");
        let (ply, _) = position.read(&text).expect("legal");
        position.make(ply).expect("legal");
        ply
    };
    sans.split_whitespace().map(read).collect()
}

/// A book whose tree 0 is a line of moves by number and share.
fn single(moves: &[(u8, u8)]) -> Book {
    let nodes = moves.iter().zip(1..).map(|((number, share), next)| {
        vec![Edge {
            number: *number,
            share: *share,
            child: (next < index(moves.len())).then_some(next),
        }]
    });
    with_nodes(nodes)
}

/// A book whose tree 0 has these nodes.
fn with_nodes(nodes: impl IntoIterator<Item = Vec<Edge>>) -> Book {
    let mut book = Book {
        roots: vec![Some(0)],
        ..Book::default()
    };
    for edges in nodes {
        let node = book.push_node();
        book.set_edges(node, &edges);
    }
    book
}

fn read_back(mut book: Book) -> Book {
    let bytes = book.write().expect("a book");
    let read = Book::from_bytes(&bytes).expect("a book");
    book.bytes = bytes;
    assert_eq!(read.frequent_players, book.frequent_players);
    assert_eq!(read.roots, book.roots);
    let nodes = |book: &Book| {
        let nodes = 0..index(book.nodes.len());
        nodes.map(|node| book.edges(node).to_vec()).collect()
    };
    let [of_read, written]: [Vec<_>; 2] = [&read, &book].map(nodes);
    assert_eq!(of_read, written);
    read
}

#[test]
fn books_come_back() {
    read_back(single(&[(0, 31)]));
    read_back(single(&[(19, 1), (0, 0), (255, 5)]));
    let forty = vec![(0, 1); DEPTH];
    read_back(single(&forty));
}

#[test]
fn what_is_no_book_is_not_written() {
    assert_eq!(single(&[(0, 32)]).write(), Err(AdaptationError::Book));
    for moves in [[(3, 1), (3, 1)], [(3, 1), (2, 1)], [(0, 16), (1, 16)]] {
        let moves = moves.map(|(number, share)| Edge {
            number,
            share,
            child: None,
        });
        let book = with_nodes([moves.to_vec()]);
        assert_eq!(book.write(), Err(AdaptationError::Book), "{moves:?}");
    }
    let too_deep = vec![(0, 0); DEPTH + 1];
    assert_eq!(single(&too_deep).write(), Err(AdaptationError::Book));
}

/// The books of the specification that must be refused: a node with the move of number 3 twice, and
/// one whose shares sum to 32.
#[test]
fn examples_of_no_book_are_refused() {
    for (name, moves) in [
        ("book-repeated", [(3, 1), (3, 1)]),
        ("book-overfull", [(0, 16), (1, 16)]),
    ] {
        let mut coder = Encoder::new();
        let [mut has_root, mut has_move, mut has_child] =
            [(); 3].map(|()| AdaptiveCounts::<2>::new());
        let mut numbers = AdaptiveCounts::<256>::new();
        let mut shares = AdaptiveCounts::<32>::new();
        has_root.encode(1, &mut coder);
        for (at, (number, share)) in moves.into_iter().enumerate() {
            if at > 0 {
                has_move.encode(1, &mut coder);
            }
            numbers.encode(number, &mut coder);
            shares.encode(share, &mut coder);
            has_child.encode(0, &mut coder);
        }
        has_move.encode(0, &mut coder);
        let bytes = [vec![0], coder.finish()].concat();
        assert_in_spec(name, &bytes);
        assert_eq!(
            Book::from_bytes(&bytes),
            Err(AdaptationError::Book),
            "{name}"
        );
    }
}

/// Adds a node with moves to 40 nodes with moves to 40 nodes, and so on; the last ones have one move.
fn add_broad(book: &mut Book, depth: usize) -> u32 {
    let here = book.push_node();
    let is_last = depth == 0;
    let edges = (0..if is_last { 1 } else { 40 }).map(|number| Edge {
        number,
        share: u8::from(is_last),
        child: (!is_last).then(|| add_broad(book, depth - 1)),
    });
    let edges: Vec<Edge> = edges.collect();
    book.set_edges(here, &edges);
    here
}

#[test]
fn too_many_nodes_are_refused() {
    // 1 + 40 + 40² nodes are allowed, 40³ more are not.
    for (depth, expected) in [(2, Ok(1641)), (3, Err(AdaptationError::Book))] {
        let mut book = Book::default();
        let root = add_broad(&mut book, depth);
        book.roots.push(Some(root));
        let read = book.write().and_then(|bytes| Book::from_bytes(&bytes));
        assert_eq!(read.map(|book| book.positions()), expected);
    }
}

#[test]
fn what_is_no_book_is_refused() {
    let book = |bytes: &[u8]| Book::from_bytes(bytes);
    assert_eq!(book(&[]), Ok(Book::default()));
    assert_eq!(
        book(&[16]),
        Err(AdaptationError::Book),
        "too many frequent players"
    );
    assert_eq!(
        book(&[2, 1, b'A', 1, b'A']),
        Err(AdaptationError::Book),
        "the same twice"
    );
    assert_eq!(
        book(&[1, 9, b'A']),
        Err(AdaptationError::Bits(BitsError::EndOfInput))
    );
    let mut named = single(&[(0, 31)]);
    let bytes = named.write().expect("a book");
    let longer = book(&[bytes.as_slice(), &[1]].concat());
    assert_eq!(
        longer,
        Err(AdaptationError::Range(RangeError::NotCanonical))
    );
    named.roots = vec![None];
    let empty = named.write().expect("bytes");
    assert_eq!(book(&empty), Err(AdaptationError::NoEffect));
    // Zeros code move 0 of each node, without a share, so the tree does not end.
    let mut root = Encoder::new();
    AdaptiveCounts::<2>::new().encode(1, &mut root);
    let endless = [vec![0], root.finish()].concat();
    assert_eq!(book(&endless), Err(AdaptationError::Book));
}

#[test]
fn the_tree_is_that_of_the_first_regular() {
    let frequent_players = [b"Ann", b"Bob"];
    for (white, black, number) in [
        ("Cid", "Dan", 0),
        ("Ann", "Bob", 1),
        ("Ann", "Ann", 1),
        ("Bob", "Ann", 2),
        ("Bob", "Cid", 3),
        ("", "Bob", 4),
    ] {
        let found = tree(&frequent_players, white.as_bytes(), black.as_bytes());
        assert_eq!(found, number, "{white} {black}");
    }
}

/// Openings of a player who has one opening with each side, and of other
/// players.
fn openings() -> Vec<(Vec<PlyKind>, &'static str, &'static str)> {
    let white = plies("e4 e5 Nf3 Nc6 Bc4 Bc5 b4");
    let black = plies("d4 f5 g3 Nf6 Bg2 g6");
    let others = plies("a3 h6 h3");
    let mut games = Vec::new();
    for at in 0..60 {
        games.push((white.clone(), "Ann", "Bob"));
        games.push((black.clone(), "Cid", "Ann"));
        // The other players play the start of one line.
        games.push((others[..at % 4].to_vec(), "Dan", "Eve"));
    }
    games
}

#[test]
fn a_book_of_openings_is_found() {
    let (weights, start) = (Weights::<Fast, 32, 32>::zero(), ChessPosition::standard());
    let openings = openings();
    let context = GameContext::default();
    let game =
        |(plies, white, black): &'static (Vec<PlyKind>, &'static str, &'static str)| SampleGame {
            start: Box::leak(Box::new(ChessPosition::standard())),
            plies,
            context: GameContext::default(),
            white: white.as_bytes(),
            black: black.as_bytes(),
        };
    let openings: &'static [_] = Box::leak(openings.into_boxed_slice());
    let mut games: Vec<_> = openings.iter().map(game).collect();
    let adaptation = Adaptation::fit(&weights, &games);
    assert!(
        adaptation.book.frequent_players.contains(&b"Ann".to_vec()),
        "{adaptation:?}"
    );
    assert_eq!(
        Adaptation::from_bytes(&adaptation.to_bytes()),
        Ok(adaptation.clone())
    );
    let (mut before, mut after) = (0, 0);
    for game in &games {
        let hints = adaptation.for_game(game.white, game.black);
        let plain = line::encode(&weights, &start, game.plies, context, GameAdaptation::NONE);
        let bytes = line::encode(&weights, &start, game.plies, context, hints).expect("a line");
        before += plain.expect("a line").len();
        after += bytes.len();
        let read = line::decode(
            &weights,
            &start,
            game.plies.len(),
            |_| false,
            context,
            hints,
            &bytes,
        );
        assert_eq!(read.as_deref(), Ok(game.plies));
    }
    assert!(
        after + adaptation.to_bytes().len() < before / 2,
        "{after} {before}"
    );
    // The order of games with the same data does not matter.
    games.reverse();
    assert_eq!(Adaptation::fit(&weights, &games).book, adaptation.book);
}

/// Builds a book from random numbers. Nodes have up to three moves.
fn grow(book: &mut Book, picks: &mut std::slice::Iter<'_, (u8, u8)>, ply: usize) -> u32 {
    let here = book.push_node();
    let mut edges = Vec::new();
    let (mut next, mut left) = (0, 31);
    while let Some((step, share)) = picks.next() {
        // White and Black have 20 first moves each, so that some moves do not exist.
        let number = next + step % 8;
        let share = (share % 16).min(left);
        let goes_on = share == 0 || share % 3 == 0;
        if number >= 40 || ply > 1 || (goes_on && (ply > 0 || picks.len() == 0)) {
            break;
        }
        let child = goes_on.then(|| grow(book, picks, ply + 1));
        edges.push(Edge {
            number,
            share,
            child,
        });
        (next, left) = (number + 1, left - share);
    }
    if edges.is_empty() {
        edges.push(Edge {
            number: 0,
            share: 1,
            child: None,
        });
    }
    book.set_edges(here, &edges);
    here
}

proptest! {
    #[test]
    fn any_book_comes_back(
        picks in prop::collection::vec(any::<(u8, u8)>(), 0..60),
        names in prop::collection::btree_set("[a-c]{0,3}", 0..4),
        with_trees in any::<u8>(),
    ) {
        let mut book = Book {
            frequent_players: names.into_iter().map(String::into_bytes).collect(),
            ..Book::default()
        };
        let mut picks = picks.iter();
        for tree in 0..=2 * book.frequent_players.len() {
            let is_there = tree == 0 || with_trees >> tree & 1 == 1;
            let root = is_there.then(|| grow(&mut book, &mut picks, 0));
            book.roots.push(root);
        }
        let book = read_back(book);
        let adaptation = Adaptation { book, ..Adaptation::default() };
        prop_assert_eq!(Adaptation::from_bytes(&adaptation.to_bytes()), Ok(adaptation.clone()));
        // Lines are decoded correctly with any of its trees.
        let (weights, start) = (Weights::<Fast, 32, 32>::zero(), ChessPosition::standard());
        for sans in ["a3 a6 b3", "b4 c5 a4 b6", "e4 e5", "Na3 a5 c4"] {
            let (plies, context) = (plies(sans), GameContext::default());
            let hints = adaptation.for_game(b"a", b"");
            let bytes = line::encode(&weights, &start, &plies, context, hints).expect("a line");
            let read = line::decode(&weights, &start, plies.len(), |_| false, context, hints, &bytes);
            prop_assert_eq!(read, Ok(plies));
        }
    }

    /// Bytes that decode to a book are the encoding of that book.
    #[test]
    fn bytes_of_a_book_are_its_own(
        bytes in prop::collection::vec(prop_oneof![Just(0), Just(255), any::<u8>()], 0..24),
    ) {
        let bytes = [&[0][..], &bytes].concat();
        if let Ok(book) = Book::from_bytes(&bytes) {
            prop_assert_eq!(book.write(), Ok(bytes.clone()));
            prop_assert_eq!(book.bytes, bytes);
        }
    }
}

fn assert_in_spec(name: &str, bytes: &[u8]) {
    assert_shown(include_str!("../../../../spec/models.md"), name, bytes);
}

/// The number of the last move of a line.
fn number(sans: &str) -> u8 {
    let plies = plies(sans);
    let (start, weights) = (ChessPosition::standard(), Weights::<Fast, 32, 32>::zero());
    let follower = Follower::new(
        &weights,
        &start,
        GameContext::default(),
        GameAdaptation::NONE,
    );
    let mut follower = follower.expect("chess");
    let (last, before) = plies.split_last().expect("a line");
    for ply in before {
        follower.follow(*ply, |_, _| ()).expect("legal");
    }
    u8::try_from(follower.number(*last).expect("legal")).expect("few moves")
}

/// The book of the specification's examples.
pub(in super::super::super) fn example() -> Adaptation {
    let edge = |sans, share, child| Edge {
        number: number(sans),
        share,
        child,
    };
    let book = with_nodes([
        vec![edge("e4", 20, Some(1))],
        vec![edge("e4 c5", 9, None), edge("e4 e5", 0, Some(2))],
        vec![edge("e4 e5 Nf3", 31, None)],
        vec![edge("d4", 1, None)],
    ]);
    let book = read_back(Book {
        frequent_players: vec![b"Ann".to_vec()],
        roots: vec![Some(0), None, Some(3)],
        ..book
    });
    assert_in_spec("book", &book.bytes);
    let mut terms = [0; 16];
    for (at, byte) in (0u8..).zip(&mut terms) {
        // The byte codes terms 2 · at and 2 · at + 1. The last byte has only
        // the first of these.
        let nibble = |number: u8| (number % 16).wrapping_sub(8) & 15;
        *byte = nibble(2 * at) << 4 | nibble(2 * at + 1);
    }
    terms[15] &= 0xf0;
    let bytes = [terms.as_slice(), &book.bytes].concat();
    Adaptation::from_bytes(&bytes).expect("an adaptation")
}
