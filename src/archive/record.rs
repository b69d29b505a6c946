//! The movetext of a record as the columns of a block hold it.

use super::error::ContentError;
use super::spelling::write_spellings;
use super::variations::fold_variations;
use crate::chess::{Ply, Position};
use crate::limits::Limits;
use crate::moves::{self, CannotRepresent, Codec, DecodedLine, Line, MoveCodec, Shape, Start};
use crate::pgn::{Mark, Marks, Node, Tree, marker_of_outcome, outcome_of_marker, write_shape};
use std::borrow::Cow;

/// What the columns hold of a record's movetext.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Movetext<'a> {
    pub(super) habit: u8,
    /// The marker at the end of the movetext plus 1, or 0 where there is none
    /// or the moves tell it.
    pub(super) result: u8,
    /// Plies of the main line, or 0 where the moves tell how many there are.
    pub(super) plies: u64,
    /// Plies of all variations.
    pub(super) variation_plies: u64,
    /// Selector of the main line's codec, or 0 where it has no plies.
    pub(super) codec: u8,
    pub(super) moves: Cow<'a, [u8]>,
    pub(super) variations: Cow<'a, [u8]>,
    pub(super) shape: Cow<'a, [u8]>,
    /// The texts of the marks that have one, in their order.
    pub(super) comments: Vec<Cow<'a, [u8]>>,
    pub(super) departures: Cow<'a, [u8]>,
}

/// Takes the movetext of a tree apart. The main line is written with the best
/// of the candidates or, where none can, with `radix`.
/// `None` if a move is not legal or a variation stands where none can.
pub(super) fn dismantle<'a>(tree: &Tree<'a>, candidates: &[Codec]) -> Option<Movetext<'a>> {
    let mut movetext = Movetext::default();
    let nodes = match tree.nodes.split_last() {
        Some((Node::Result(number), rest)) => {
            movetext.result = number + 1;
            rest
        }
        _ => &tree.nodes,
    };
    let mut plies = 0;
    let mut marks = Marks::new();
    for node in nodes {
        marks.extend(Mark::of(node).map(|mark| (plies, mark)));
        match node {
            Node::Ply(..) => plies += 1,
            Node::Comment(text) | Node::LineComment(text) | Node::Verbatim(text) => {
                movetext.comments.push(text.clone());
            }
            _ => {}
        }
    }
    let mut shape = Vec::new();
    write_shape(plies, &marks, &mut shape);
    movetext.shape = shape.into();
    let main: Vec<Ply> = tree.plies().collect();
    movetext.variation_plies = (plies - main.len()) as u64;
    if movetext.variation_plies > 0 {
        movetext.variations = fold_variations(tree)?.into();
    }
    encode_main_line(&mut movetext, &tree.start, &main, candidates).ok()?;
    let (habit, departures) = write_spellings(tree);
    movetext.habit = habit.to_byte();
    movetext.departures = departures.into();
    Some(movetext)
}

fn encode_main_line(
    movetext: &mut Movetext<'_>,
    start: &Position,
    plies: &[Ply],
    candidates: &[Codec],
) -> Result<(), CannotRepresent> {
    if plies.is_empty() {
        return Ok(());
    }
    let line = Line {
        start,
        plies,
        result: movetext.result.checked_sub(1).and_then(outcome_of_marker),
    };
    let has_nulls = plies.contains(&Ply::Null);
    let mut candidates = candidates.to_vec();
    candidates.retain(|codec| !(has_nulls && codec.tells_plies()));
    let encoded = moves::encode_smallest(line, &candidates);
    let (codec, bytes) = encoded.or_else(|_| moves::encode_smallest(line, &[Codec::Radix]))?;
    movetext.codec = codec.selector();
    movetext.moves = bytes.into();
    if codec.tells_plies() {
        movetext.result = 0;
    } else {
        movetext.plies = plies.len() as u64;
    }
    Ok(())
}

impl Movetext<'_> {
    /// Whether the moves tell how many plies the main line has.
    pub(super) fn tells_plies(&self) -> bool {
        Codec::from_selector(self.codec).is_some_and(Codec::tells_plies)
    }

    /// The main line, `nulls` being its null moves.
    pub(super) fn decode(
        &self,
        start: &Position,
        nulls: &[u64],
        limits: &Limits,
    ) -> Result<DecodedLine, ContentError> {
        let codec =
            Codec::from_selector(self.codec).ok_or(ContentError::Invalid("unknown move codec"))?;
        let shape = Shape {
            start: Start::Position(start),
            plies: self.plies,
            nulls,
        };
        Ok(codec.decode(&self.moves, &shape, limits)?)
    }

    /// Notes the number of plies and the termination marker that moves tell.
    pub(super) fn take_ending(&mut self, line: &DecodedLine) -> Result<(), ContentError> {
        if self.plies != 0 || self.result != 0 {
            return Err(ContentError::Invalid("an ending that the moves tell"));
        }
        self.plies = line.plies.len() as u64;
        let marker = line.result.and_then(marker_of_outcome);
        self.result = 1 + marker.ok_or(ContentError::Invalid("moves without an ending"))?;
        Ok(())
    }

    /// A main line without plies, of which nothing else may be said.
    pub(super) fn no_plies(&self) -> Result<Vec<Ply>, ContentError> {
        if self.codec == 0 && self.moves.is_empty() {
            Ok(Vec::new())
        } else {
            Err(ContentError::Invalid("moves without plies"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::assemble::assemble;
    use super::*;
    use crate::chess::Spelling;
    use crate::pgn::{Lexeme, Scanner, Walker, parse};

    fn nodes_come_back(text: &str) -> u8 {
        let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
        let parsed = parse(text.as_bytes(), &lexemes);
        assert_eq!(parsed.rest, None, "{text}");
        let movetext = dismantle(&parsed.tree, &Codec::ALL).unwrap();
        let habit = movetext.habit;
        let start = &parsed.tree.start;
        let nodes = assemble(movetext, start, text.len(), &Limits::default()).unwrap();
        assert_eq!(write(start, &nodes), write(start, &parsed.tree.nodes));
        habit
    }

    /// Nodes with the texts of their moves: a habit may say more of a move than
    /// shows in its text.
    fn write(start: &Position, nodes: &[Node<'_>]) -> Vec<String> {
        let mut walker = Walker::new(start.clone());
        let text = |node: &Node<'_>| {
            match node {
                Node::Open => walker.open().unwrap(),
                Node::Close => walker.close().unwrap(),
                Node::Ply(ply, spelling) => {
                    let mut out = Vec::new();
                    let play = |position: &mut Position| position.write(*ply, *spelling, &mut out);
                    walker.step(play).unwrap();
                    return String::from_utf8(out).unwrap();
                }
                _ => {}
            }
            format!("{node:?}")
        };
        nodes.iter().map(text).collect()
    }

    #[test]
    fn movetexts_come_back() {
        nodes_come_back("");
        nodes_come_back("{a} *");
        nodes_come_back("1. e4! $3 {a} e5 ; b\n2. -- {c} -- 1-0 {d}");
        nodes_come_back("1. Ng1f3 Nf6 2. d4 e6 0-1");
        nodes_come_back("1. e4 e5 2. f4 -- 3. f5 1-0");
    }

    #[test]
    fn variations_come_back() {
        nodes_come_back(
            "1. e4 (1. d4 d5 (1... Nf6 2. c4 -- {pass}) 2. Nc3 *) 1... e5 $1 (1... c5) 1/2-1/2",
        );
        nodes_come_back("1. e4 ({first} 1. d4! $13 (1. c4) 1... d5) () *");
        nodes_come_back("1. e4 -- (1... e5 2. --) 2. d4 ( 1... --");
        nodes_come_back("1. Nf3 (1. Ng1f3 Ng8f6) 1... Nf6 *");
    }

    #[test]
    fn set_ups_and_variants_come_back() {
        nodes_come_back("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n\n9... Ke7 10. e4 *");
        nodes_come_back("[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e5 P@d4 *");
        nodes_come_back("[Variant \"Atomic\"]\n\n1. Nf3 a6 2. Ne5 a5 3. Nxf7# 1-0");
    }

    #[test]
    fn codecs_that_tell_the_plies_leave_nothing_else_to_say() {
        for (text, told) in [
            ("1. f3 e5 2. g4 Qh4# 0-1", true),
            ("1. f3 1-0", true),
            ("1. f3 0-1", false),
            ("1. f3 *", false),
            ("1. f3 -- 1/2-1/2", false),
        ] {
            let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
            let parsed = parse(text.as_bytes(), &lexemes);
            let movetext = dismantle(&parsed.tree, &[Codec::RadixEnd]).unwrap();
            assert_eq!(movetext.tells_plies(), told, "{text}");
            assert_eq!(movetext.plies == 0 && movetext.result == 0, told, "{text}");
            let start = &parsed.tree.start;
            let nodes = assemble(movetext, start, text.len(), &Limits::default()).unwrap();
            assert_eq!(nodes, parsed.tree.nodes);
        }
    }

    #[test]
    fn habits_are_found() {
        let zeros = nodes_come_back("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 *");
        assert_eq!(zeros, Spelling::ZEROS);
        let no_checks = nodes_come_back("1. e4 f5 2. Qh5 g6 3. Qg6 hxg6 4. Ba6 Nxa6 *");
        assert_eq!(no_checks, Spelling::STANDARD.to_byte(), "no habit pays");
        assert_eq!(
            nodes_come_back("1. e4 d5 2. Bb5 c6 3. Bc6 Bd7 4. Bd7 *"),
            Spelling::SUFFIX | Spelling::NO_CAPTURE
        );
    }

    /// The line of a null move would not be the one in which its mark stands.
    #[test]
    fn the_mark_of_a_null_move_stands_last_in_its_group() {
        const NULL: u8 = 4;
        const OPEN: u8 = 5;
        const CLOSE: u8 = 6;
        let assembled = |before_variation: &[u8], behind_it: &[u8]| {
            let mut shape = vec![1, 1, 0];
            shape[2] = u8::try_from(before_variation.len()).expect("few");
            shape.extend_from_slice(before_variation);
            shape.extend([0, 1, u8::try_from(behind_it.len()).expect("few")]);
            shape.extend_from_slice(behind_it);
            let movetext = Movetext {
                plies: 2,
                variation_plies: 1,
                codec: Codec::Radix.selector(),
                shape: shape.into(),
                ..Movetext::default()
            };
            assemble(movetext, &Position::standard(), 20, &Limits::default())
        };
        assert!(assembled(&[OPEN, NULL], &[CLOSE, NULL]).is_ok());
        for (before, behind) in [
            (&[NULL, OPEN][..], &[CLOSE][..]),
            (&[OPEN], &[NULL, CLOSE]),
            (&[OPEN, NULL, NULL], &[CLOSE]),
            (&[OPEN], &[CLOSE, NULL, NULL]),
        ] {
            let error = assembled(before, behind).expect_err("not last");
            assert!(error.to_string().contains("null"), "{error}");
        }
    }

    #[test]
    fn lies_are_refused() {
        let lie = |change: fn(&mut Movetext<'_>)| {
            let mut movetext = Movetext::default();
            change(&mut movetext);
            assemble(movetext, &Position::standard(), 10, &Limits::default()).unwrap_err()
        };
        lie(|movetext| movetext.plies = 11);
        lie(|movetext| movetext.codec = 1);
        lie(|movetext| movetext.plies = 1);
        lie(|movetext| movetext.comments = vec![Cow::Borrowed(b"x")]);
        lie(|movetext| movetext.shape = Cow::Borrowed(&[0, 1, 1, 1]));
        lie(|movetext| movetext.departures = Cow::Borrowed(&[0, 1]));
    }
}
