//! Decoding a movetext from the values of columns.

use crate::annotation::{AnnotationError, Item, Items, Notation, Templates};
use crate::archive::block::marked_lines::{MarkedLines, read_plies_with_length};
use crate::archive::block::spelling::read_spellings;
use crate::archive::error::ContentError;
use crate::archive::schema::record::{GameTrace, Movetext};
use crate::chess::{ChessPosition, PlyKind, Spelling};
use crate::limits::Limits;
use crate::pgn::{Mark, Node};

/// Decodes the nodes of a tree, for a game from `start`. `max_bytes` is the
/// maximum size of their text.
pub(crate) fn decode_movetext<'m>(
    movetext: &'m mut Movetext<'_>,
    start: &ChessPosition,
    notation: &Notation,
    max_bytes: usize,
    limits: &Limits,
) -> Result<Vec<Node<'m>>, ContentError> {
    let main = read_plies_with_length(movetext, start, max_bytes, limits)?;
    let movetext = &*movetext;
    let lines = MarkedLines::read(movetext, notation, max_bytes)?;
    let count = lines.count();
    let spellings = read_spellings(movetext.default_spelling, &movetext.exceptions, count)?;
    let plies = lines.plies(movetext, main, start, limits)?;
    let mut items = lines.into_items();
    if notation.has_lines_in(&items) {
        let line_start = movetext.line_start(start);
        let (bits, items) = (&movetext.lines, &mut items);
        match movetext.trace_from(start)? {
            Some(GameTrace { lines, .. }) => {
                let steps = lines.steps_of(bits)?;
                notation.read_traced_lines(bits, steps, &line_start, &plies, items, max_bytes)?;
            }
            None => notation.read_lines(bits, &line_start, &plies, items, max_bytes)?,
        }
    } else if !movetext.lines.is_empty() {
        return Err(ContentError::Invalid("lines without comments"));
    }
    let result = movetext.result.checked_sub(1).map(Node::Result);
    let mut nodes = merge_nodes(items, plies, spellings, notation.templates(), max_bytes)?;
    nodes.extend(result);
    Ok(nodes)
}

/// Merges marks and plies into nodes. Comments have at most `max_bytes` bytes in
/// total.
fn merge_nodes<'a>(
    items: Items<'a>,
    plies: Vec<PlyKind>,
    spellings: Vec<Spelling>,
    templates: &Templates,
    mut max_bytes: usize,
) -> Result<Vec<Node<'a>>, ContentError> {
    let count = plies.len();
    let mut nodes = Vec::with_capacity(count + items.len() + 1);
    let mut items = items.into_iter().peekable();
    let mut moves = plies.into_iter().zip(spellings);
    for ply in 0..=count {
        while let Some((_, item)) = items.next_if(|(at, _)| *at == ply) {
            if item == Item::Mark(Mark::Null) {
                continue;
            }
            let node = item.node(templates).ok_or(AnnotationError::Template)?;
            if let Node::Comment(text) = &node {
                let left = max_bytes.checked_sub(text.len());
                max_bytes = left.ok_or(AnnotationError::Limit)?;
            }
            nodes.push(node);
        }
        nodes.extend(moves.next().map(|(ply, spelling)| Node::Ply(ply, spelling)));
    }
    Ok(nodes)
}
