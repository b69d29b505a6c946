//! What stands between the plies of a movetext, as bytes.
//!
//! Plies are counted in the order of the text, those of variations among them.
//! The marks before each ply (and behind the last) form a group. Groups are
//! written as runs: plies whose groups are empty, repetitions, and the group.
//! A comment behind every ply thus takes four bytes a game.

use super::tree::Node;
use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};

/// A node that is not a move, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A comment in braces.
    Comment,
    /// A comment to the end of the line.
    LineComment,
    /// A numeric annotation glyph.
    Nag(u8),
    /// The ply that follows is a null move.
    Null,
    /// A variation opens.
    Open,
    /// A variation closes.
    Close,
    /// The rest of a variation, kept verbatim.
    Verbatim,
    /// An annotation glyph by its NAG, 1 to 6.
    Glyph(u8),
    /// A termination marker.
    Result(u8),
}

const COMMENT: u8 = 1;
const LINE_COMMENT: u8 = 2;
const NAG: u8 = 3;
const NULL: u8 = 4;
const OPEN: u8 = 5;
const CLOSE: u8 = 6;
const VERBATIM: u8 = 7;
const GLYPH: u8 = 0x10;
const RESULT: u8 = 0x20;

impl Mark {
    /// The mark of a node; `None` for a move.
    pub fn of(node: &Node<'_>) -> Option<Mark> {
        match node {
            Node::Comment(_) => Some(Mark::Comment),
            Node::LineComment(_) => Some(Mark::LineComment),
            Node::Nag(nag) => Some(Mark::Nag(*nag)),
            Node::Glyph(nag) => Some(Mark::Glyph(*nag)),
            Node::Result(number) => Some(Mark::Result(*number)),
            Node::Ply(crate::chess::Ply::Null, _) => Some(Mark::Null),
            Node::Open => Some(Mark::Open),
            Node::Close => Some(Mark::Close),
            Node::Verbatim(_) => Some(Mark::Verbatim),
            Node::Ply(..) => None,
        }
    }

    fn write(self, out: &mut Vec<u8>) {
        match self {
            Mark::Comment => out.push(COMMENT),
            Mark::LineComment => out.push(LINE_COMMENT),
            Mark::Nag(nag) => out.extend_from_slice(&[NAG, nag]),
            Mark::Null => out.push(NULL),
            Mark::Open => out.push(OPEN),
            Mark::Close => out.push(CLOSE),
            Mark::Verbatim => out.push(VERBATIM),
            Mark::Glyph(nag) => out.push(GLYPH | nag),
            Mark::Result(number) => out.push(RESULT | number),
        }
    }

    fn read(input: &mut ByteReader<'_>) -> Result<Option<Mark>, BitsError> {
        let byte = input.u8()?;
        Ok(match (byte & 0xf0, byte & 0x0f) {
            (0, COMMENT) => Some(Mark::Comment),
            (0, LINE_COMMENT) => Some(Mark::LineComment),
            (0, NAG) => Some(Mark::Nag(input.u8()?)),
            (0, NULL) => Some(Mark::Null),
            (0, OPEN) => Some(Mark::Open),
            (0, CLOSE) => Some(Mark::Close),
            (0, VERBATIM) => Some(Mark::Verbatim),
            (GLYPH, nag @ 1..=6) => Some(Mark::Glyph(nag)),
            (RESULT, number @ 0..=3) => Some(Mark::Result(number)),
            _ => None,
        })
    }
}

/// Why bytes are not the shape of a movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The bytes end early.
    #[error("shape of a movetext: {0}")]
    Bits(#[from] BitsError),
    /// A mark has no meaning, or a run reaches behind the last ply.
    #[error("malformed shape of a movetext")]
    Malformed,
    /// The movetext would hold more marks than its text can.
    #[error("shape of a movetext expands beyond its limit")]
    Limit,
}

/// Marks, each with the number of plies before it, those of variations counted.
pub type Marks = Vec<(usize, Mark)>;

/// Appends the shape of a movetext of `plies` plies. `marks` are in the order
/// of the text.
pub fn write_shape(plies: usize, marks: &[(usize, Mark)], out: &mut Vec<u8>) {
    let mut next = 0;
    let mut groups = groups(marks).peekable();
    while let Some((ply, group)) = groups.next() {
        let mut last = ply;
        while groups
            .next_if(|(at, other)| *at == last + 1 && *other == group)
            .is_some()
        {
            last += 1;
        }
        let run = if last == plies { 0 } else { last + 1 - ply };
        put_varint(out, (ply - next) as u64);
        put_varint(out, run as u64);
        put_bytes(out, &group);
        next = last + 1;
    }
}

/// The bytes of each group that is not empty, with the plies before it.
fn groups(marks: &[(usize, Mark)]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    marks.chunk_by(|(a, _), (b, _)| a == b).filter_map(|chunk| {
        let (ply, _) = chunk.first()?;
        let mut bytes = Vec::new();
        chunk.iter().for_each(|(_, mark)| mark.write(&mut bytes));
        Some((*ply, bytes))
    })
}

/// Reads the shape of a movetext of `plies` plies and at most `max_marks` marks.
pub fn read_shape(bytes: &[u8], plies: usize, max_marks: usize) -> Result<Marks, ShapeError> {
    let mut input = ByteReader::new(bytes);
    let mut marks = Marks::new();
    let mut next = 0usize;
    while !input.is_empty() {
        let start = next
            .checked_add(input.length()?)
            .ok_or(ShapeError::Malformed)?;
        let run = input.length()?;
        let left = plies.checked_sub(start).ok_or(ShapeError::Malformed)? + 1;
        let run = if run == 0 { left } else { run };
        let group = read_group(input.bytes()?)?;
        if run > left || group.is_empty() {
            return Err(ShapeError::Malformed);
        }
        let added = run
            .checked_mul(group.len())
            .and_then(|added| added.checked_add(marks.len()));
        if added.is_none_or(|marks| marks > max_marks) {
            return Err(ShapeError::Limit);
        }
        next = start + run;
        marks.extend((start..next).flat_map(|ply| group.iter().map(move |mark| (ply, *mark))));
    }
    Ok(marks)
}

fn read_group(bytes: &[u8]) -> Result<Vec<Mark>, ShapeError> {
    let mut input = ByteReader::new(bytes);
    let mut group = Vec::new();
    while !input.is_empty() {
        group.push(Mark::read(&mut input)?.ok_or(ShapeError::Malformed)?);
    }
    Ok(group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mark() -> impl Strategy<Value = Mark> {
        prop_oneof![
            Just(Mark::Comment),
            Just(Mark::LineComment),
            any::<u8>().prop_map(Mark::Nag),
            Just(Mark::Null),
            Just(Mark::Open),
            Just(Mark::Close),
            Just(Mark::Verbatim),
            (1u8..=6).prop_map(Mark::Glyph),
            (0u8..=3).prop_map(Mark::Result),
        ]
    }

    #[test]
    fn a_comment_behind_every_ply_takes_four_bytes() {
        let marks: Marks = (1..=80).map(|ply| (ply, Mark::Comment)).collect();
        let mut bytes = Vec::new();
        write_shape(80, &marks, &mut bytes);
        assert_eq!(bytes, [1, 0, 1, COMMENT]);
    }

    #[test]
    fn bombs_and_runs_behind_the_end_are_refused() {
        let bomb = [0, 0, 2, COMMENT, COMMENT];
        assert_eq!(read_shape(&bomb, 1000, 2001), Err(ShapeError::Limit));
        assert_eq!(
            read_shape(&[0, 4, 1, COMMENT], 2, 99),
            Err(ShapeError::Malformed)
        );
        assert_eq!(
            read_shape(&[4, 1, 1, COMMENT], 2, 99),
            Err(ShapeError::Malformed)
        );
        assert_eq!(
            read_shape(&[0, 1, 1, 0x17], 2, 99),
            Err(ShapeError::Malformed)
        );
        assert_eq!(read_shape(&[0, 1, 0], 2, 99), Err(ShapeError::Malformed));
    }

    proptest! {
        #[test]
        fn shapes_come_back(groups in proptest::collection::vec(proptest::collection::vec(mark(), 0..3), 1..40)) {
            let plies = groups.len() - 1;
            let marks: Marks = groups
                .iter()
                .enumerate()
                .flat_map(|(ply, group)| group.iter().map(move |mark| (ply, *mark)))
                .collect();
            let mut bytes = Vec::new();
            write_shape(plies, &marks, &mut bytes);
            prop_assert_eq!(read_shape(&bytes, plies, marks.len()), Ok(marks));
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes: Vec<u8>, plies in 0usize..100) {
            let _ = read_shape(&bytes, plies, 1000);
        }
    }
}
