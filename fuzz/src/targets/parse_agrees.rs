//! Collections: our parser and pgn-reader both return the games as they were written.

use crate::collection::{Collection, Game};
use pgna::Token;
use pgna::internals::chess::ChessPosition;
use pgna::internals::pgn::{self, Moves, Node, Scanner, Splitter, Step, unescape};

pub(super) fn check(input: &[u8]) {
    let Some(collection) = crate::arbitrary::<Collection>(input) else {
        return;
    };
    let text = collection.text();
    let records: Vec<_> = Splitter::new(&text, true, false).collect();
    assert_eq!(records.len(), collection.games.len(), "records");
    for (record, game) in records.iter().zip(&collection.games) {
        let record = &text[record.start..record.end];
        assert_eq!(record, game.text);
        check_game(record, game);
    }
}

fn check_game(record: &[u8], game: &Game) {
    let read = pgn::Game::parse(record);
    assert_eq!(read.tokens, game.tokens, "pgn-reader");
    assert_eq!(as_text(&read.tags), game.tags, "pgn-reader");

    let lexemes: Vec<_> = Scanner::new(record).collect();
    let parsed = pgn::parse(record, &lexemes);
    assert_eq!(parsed.verbatim_reason, None);
    let tags = parsed.tree.tags.iter();
    let tags: Vec<_> = tags
        .map(|tag| (tag.name.to_vec(), unescape(tag.value)))
        .collect();
    assert_eq!(as_text(&tags), game.tags);
    assert!(
        parsed
            .tree
            .nodes
            .iter()
            .map(Said::of_node)
            .eq(game.tokens.iter().map(Said::of_token))
    );
    check_moves(&Moves::of(&parsed.tree).expect("a start"), game);
}

/// The moves lead through the positions of shakmaty.
pub(super) fn check_moves(moves: &Moves, game: &Game) {
    let steps = game.tokens.iter().filter_map(|token| match token {
        Token::San(_) => Some(Kind::Move),
        Token::BeginVariation => Some(Kind::Open),
        Token::EndVariation => Some(Kind::Close),
        _ => None,
    });
    let kind = |step: &Step| match step {
        Step::Ply(_) => Kind::Move,
        Step::Open => Kind::Open,
        Step::Close => Kind::Close,
    };
    assert!(moves.steps.iter().map(kind).eq(steps));
    let mut positions = Vec::new();
    moves.find_in_main_line(|_, position: &ChessPosition| {
        positions.push(position.fen());
        None::<()>
    });
    assert_eq!(positions, game.positions);
}

fn as_text(tags: &[(Vec<u8>, Vec<u8>)]) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    tags.iter()
        .map(|(name, value)| (text(name), text(value)))
        .collect()
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Move,
    Open,
    Close,
}

/// What a node and a token have in common.
#[derive(Debug, PartialEq, Eq)]
enum Said<'a> {
    Step(Kind),
    Nag(u8),
    Comment(&'a [u8]),
    Result,
    Other,
}

impl<'a> Said<'a> {
    fn of_node(node: &'a Node<'_>) -> Said<'a> {
        match node {
            Node::Ply(..) => Said::Step(Kind::Move),
            Node::Open => Said::Step(Kind::Open),
            Node::Close => Said::Step(Kind::Close),
            Node::Nag(nag) | Node::Glyph(nag) => Said::Nag(*nag),
            Node::Comment(text) => Said::Comment(text),
            Node::Result(_) => Said::Result,
            Node::LineComment(_) | Node::Verbatim(_) => Said::Other,
        }
    }

    fn of_token(token: &'a Token) -> Said<'a> {
        match token {
            Token::San(_) => Said::Step(Kind::Move),
            Token::BeginVariation => Said::Step(Kind::Open),
            Token::EndVariation => Said::Step(Kind::Close),
            Token::Nag(nag) => Said::Nag(*nag),
            Token::Comment(text) => Said::Comment(text),
            Token::Outcome(_) => Said::Result,
        }
    }
}
