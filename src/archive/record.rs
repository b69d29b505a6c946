//! A record as the columns of a block hold it, and back.

use super::error::ContentError;
use crate::bits::{ByteReader, put_varint};
use crate::chess::{Ply, Position, Spelling};
use crate::limits::Limits;
use crate::moves::{self, CannotRepresent, Codec, Line, MoveCodec, Shape, Start};
use crate::pgn::{MAX_NODES, Mark, Node, read_shape, write_shape};
use std::borrow::Cow;

/// What the columns hold of a record's movetext.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Movetext<'a> {
    pub(super) habit: u8,
    /// The marker at the end of the movetext plus 1, or 0.
    pub(super) result: u8,
    pub(super) plies: u64,
    /// Selector of the codec, or 0 where there are no plies.
    pub(super) codec: u8,
    pub(super) moves: Cow<'a, [u8]>,
    pub(super) shape: Cow<'a, [u8]>,
    /// Comments of both kinds, in their order.
    pub(super) comments: Vec<Cow<'a, [u8]>>,
    pub(super) departures: Cow<'a, [u8]>,
}

/// Takes the nodes of a tree apart.
///
/// # Errors
/// No candidate codec can represent the moves.
pub(super) fn dismantle<'a>(
    nodes: &[Node<'a>],
    candidates: &[Codec],
) -> Result<Movetext<'a>, CannotRepresent> {
    let mut movetext = Movetext::default();
    let nodes = match nodes.split_last() {
        Some((Node::Result(number), rest)) => {
            movetext.result = number + 1;
            rest
        }
        _ => nodes,
    };
    let mut plies = Vec::new();
    let mut spellings = Vec::new();
    let mut marks = Vec::new();
    for node in nodes {
        marks.extend(Mark::of(node).map(|mark| (plies.len(), mark)));
        match node {
            Node::Ply(ply, spelling) => {
                plies.push(*ply);
                spellings.push(*spelling);
            }
            Node::Comment(text) | Node::LineComment(text) => movetext.comments.push(text.clone()),
            _ => {}
        }
    }
    movetext.plies = plies.len() as u64;
    if !plies.is_empty() {
        let start = Position::standard();
        let line = Line::new(&start, &plies);
        let (codec, bytes) = moves::encode_smallest(line, candidates)?;
        movetext.codec = codec.selector();
        movetext.moves = bytes.into();
    }
    let mut shape = Vec::new();
    write_shape(plies.len(), &marks, &mut shape);
    movetext.shape = shape.into();
    let (habit, departures) = spelling_habit(&plies, &spellings);
    movetext.habit = habit.to_byte();
    movetext.departures = departures.into();
    Ok(movetext)
}

/// Puts the nodes of a tree together again. `max_bytes` is the most that
/// their text can take.
pub(super) fn assemble<'a>(
    movetext: Movetext<'a>,
    max_bytes: usize,
    limits: &Limits,
) -> Result<Vec<Node<'a>>, ContentError> {
    // The shortest text of a ply is a move of two bytes.
    if movetext.plies > (max_bytes / 2).min(MAX_NODES) as u64 {
        return Err(ContentError::Invalid("more plies than the text can hold"));
    }
    let max_nodes = max_bytes.min(MAX_NODES);
    let count = usize::try_from(movetext.plies).unwrap_or(max_nodes);
    let marks = read_shape(&movetext.shape, count, max_nodes)?;
    let plies = decode_plies(&movetext, &marks, limits)?;
    let spellings = read_spellings(&movetext, count)?;
    let mut nodes = Vec::with_capacity(count + marks.len() + 1);
    let mut comments = movetext.comments.into_iter();
    let mut marks = marks.into_iter().peekable();
    let mut moves = plies.into_iter().zip(spellings);
    for ply in 0..=count {
        while let Some((_, mark)) = marks.next_if(|(at, _)| *at == ply) {
            nodes.extend(node_of(mark, &mut comments)?);
        }
        nodes.extend(moves.next().map(|(ply, spelling)| Node::Ply(ply, spelling)));
    }
    if comments.next().is_some() {
        return Err(ContentError::Invalid("more comments than marks"));
    }
    nodes.extend(movetext.result.checked_sub(1).map(Node::Result));
    Ok(nodes)
}

/// The node of a mark; none for a null move, which stands among the plies.
fn node_of<'a>(
    mark: Mark,
    comments: &mut impl Iterator<Item = Cow<'a, [u8]>>,
) -> Result<Option<Node<'a>>, ContentError> {
    let missing = ContentError::Invalid("fewer comments than marks");
    Ok(Some(match mark {
        Mark::Comment => Node::Comment(comments.next().ok_or(missing)?),
        Mark::LineComment => Node::LineComment(comments.next().ok_or(missing)?),
        Mark::Nag(nag) => Node::Nag(nag),
        Mark::Glyph(nag) => Node::Glyph(nag),
        Mark::Result(number) => Node::Result(number),
        Mark::Null => return Ok(None),
    }))
}

fn decode_plies(
    movetext: &Movetext<'_>,
    marks: &[(usize, Mark)],
    limits: &Limits,
) -> Result<Vec<Ply>, ContentError> {
    let nulls: Vec<u64> = marks
        .iter()
        .filter(|(_, mark)| *mark == Mark::Null)
        .map(|(ply, _)| *ply as u64)
        .collect();
    if movetext.plies == 0 {
        let is_empty = movetext.codec == 0 && movetext.moves.is_empty() && nulls.is_empty();
        return if is_empty {
            Ok(Vec::new())
        } else {
            Err(ContentError::Invalid("moves without plies"))
        };
    }
    let codec =
        Codec::from_selector(movetext.codec).ok_or(ContentError::Invalid("unknown move codec"))?;
    let start = Position::standard();
    let shape = Shape {
        start: Start::Position(&start),
        plies: movetext.plies,
        nulls: &nulls,
    };
    Ok(codec.decode(&movetext.moves, &shape, limits)?.plies)
}

/// The habit that leaves the fewest departures, and these as bytes: for each,
/// the plies since the one before and the spelling.
fn spelling_habit(plies: &[Ply], spellings: &[Spelling]) -> (Spelling, Vec<u8>) {
    if spellings
        .iter()
        .all(|spelling| *spelling == Spelling::STANDARD)
    {
        return (Spelling::STANDARD, Vec::new());
    }
    let habits = [Spelling::STANDARD, Spelling::habit(spellings)];
    let departures = habits.map(|habit| (habit, departures(plies, spellings, habit)));
    let [standard, habit] = departures;
    if habit.1.len() < standard.1.len() {
        habit
    } else {
        standard
    }
}

fn departures(plies: &[Ply], spellings: &[Spelling], habit: Spelling) -> Vec<u8> {
    let mut position = Position::standard();
    let mut out = Vec::new();
    let mut next = 0;
    for (index, (ply, spelling)) in plies.iter().zip(spellings).enumerate() {
        let (mut usual, mut actual) = (Vec::new(), Vec::new());
        let is_legal = position.clone().write(*ply, habit, &mut usual).is_ok()
            && position.write(*ply, *spelling, &mut actual).is_ok();
        if usual != actual || !is_legal {
            put_varint(&mut out, (index - next) as u64);
            out.push(spelling.to_byte());
            next = index + 1;
        }
    }
    out
}

fn read_spellings(movetext: &Movetext<'_>, count: usize) -> Result<Vec<Spelling>, ContentError> {
    let mut spellings = vec![Spelling::from_byte(movetext.habit); count];
    let mut input = ByteReader::new(&movetext.departures);
    let mut next = 0usize;
    while !input.is_empty() {
        let ply = next.checked_add(input.length()?);
        let slot = ply.and_then(|ply| spellings.get_mut(ply));
        *slot.ok_or(ContentError::Invalid("a spelling behind the last ply"))? =
            Spelling::from_byte(input.u8()?);
        next = ply.map_or(count, |ply| ply + 1);
    }
    Ok(spellings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Lexeme, Scanner, parse};

    fn nodes_come_back(text: &str) -> u8 {
        let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
        let parsed = parse(text.as_bytes(), &lexemes);
        assert_eq!(parsed.rest, None, "{text}");
        let movetext = dismantle(&parsed.tree.nodes, &Codec::ALL).unwrap();
        let habit = movetext.habit;
        let nodes = assemble(movetext, text.len(), &Limits::default()).unwrap();
        assert_eq!(write(&nodes), write(&parsed.tree.nodes));
        habit
    }

    /// Nodes with the texts of their moves: a habit may say more of a move than
    /// shows in its text.
    fn write(nodes: &[Node<'_>]) -> Vec<String> {
        let mut position = Position::standard();
        let text = |node: &Node<'_>| match node {
            Node::Ply(ply, spelling) => {
                let mut out = Vec::new();
                position.write(*ply, *spelling, &mut out).unwrap();
                String::from_utf8(out).unwrap()
            }
            node => format!("{node:?}"),
        };
        nodes.iter().map(text).collect()
    }

    #[test]
    fn movetexts_come_back() {
        nodes_come_back("");
        nodes_come_back("{a} *");
        nodes_come_back("1. e4! $3 {a} e5 ; b\n2. -- {c} -- 1-0 {d}");
        nodes_come_back("1. Ng1f3 Nf6 2. d4 e6 0-1");
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

    #[test]
    fn lies_are_refused() {
        let lie = |change: fn(&mut Movetext<'_>)| {
            let mut movetext = Movetext::default();
            change(&mut movetext);
            assemble(movetext, 10, &Limits::default()).unwrap_err()
        };
        lie(|movetext| movetext.plies = 11);
        lie(|movetext| movetext.codec = 1);
        lie(|movetext| movetext.plies = 1);
        lie(|movetext| movetext.comments = vec![Cow::Borrowed(b"x")]);
        lie(|movetext| movetext.shape = Cow::Borrowed(&[0, 1, 1, 1]));
        lie(|movetext| movetext.departures = Cow::Borrowed(&[0, 1]));
    }
}
