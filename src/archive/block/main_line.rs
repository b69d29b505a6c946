//! Decoding the main line of a movetext without the rest.

use crate::annotation::{AnnotationError, Item, Notation, Templates};
use crate::archive::block::marked_lines::{MarkedLines, read_plies_with_length};
use crate::archive::block::movetext::TOO_MANY_PLIES;
use crate::archive::error::ContentError;
use crate::archive::schema::record::Movetext;
use crate::chess::{ChessPosition, PlyKind};
use crate::limits::Limits;
use crate::moves::PlyVisitor;
use crate::pgn::Node;
use std::borrow::Cow;

/// What is wanted of a main line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MainLineParts {
    pub(crate) plies: bool,
    pub(crate) comments: bool,
}

/// A comment of the main line, with the number of plies before it.
pub(crate) type MainLineComment<'m> = (usize, Cow<'m, [u8]>);

/// The main line of a movetext.
pub(crate) struct MainLine<'m> {
    /// The number of its plies.
    pub(crate) count: usize,
    /// Its plies, if they are wanted.
    pub(crate) plies: Vec<PlyKind>,
    /// Its comments in braces, if they are wanted. Lines of moves in them are left out.
    pub(crate) comments: Vec<MainLineComment<'m>>,
    /// The minimum number of bytes of text of what was decoded.
    pub(crate) min_bytes: usize,
}

/// Decodes parts of the main line, for a game from `start`. `max_bytes` is the maximum size of the
/// movetext. The marks are always decoded: they give null moves, and where variations are. Moves are
/// decoded if they are wanted, or if they alone give the number of plies.
pub(crate) fn decode_main_line<'m>(
    movetext: &'m mut Movetext<'_>,
    start: &ChessPosition,
    notation: &Notation,
    wanted: MainLineParts,
    max_bytes: usize,
    limits: &Limits,
) -> Result<MainLine<'m>, ContentError> {
    let main = read_plies_with_length(movetext, start, max_bytes, limits)?;
    let movetext = &*movetext;
    let lines = MarkedLines::read(movetext, notation, max_bytes)?;
    let plies = match wanted.plies {
        true => lines.main_plies(movetext, main, start, limits)?,
        false => Vec::new(),
    };
    let left = max_bytes.checked_sub(lines.min_bytes());
    let left = left.ok_or(TOO_MANY_PLIES)?;
    let count = lines.main_count();
    let (comments, left) = match wanted.comments {
        true => main_comments(lines, notation.templates(), left)?,
        false => (Vec::new(), left),
    };
    Ok(MainLine {
        count,
        plies,
        comments,
        min_bytes: max_bytes.saturating_sub(left),
    })
}

/// Calls `see` with one ply of the main line after the other, until it breaks. Returns the number
/// of plies and the minimum number of bytes of text. The other arguments are those of
/// [`decode_main_line`].
pub(super) fn follow_main_line(
    movetext: &mut Movetext<'_>,
    start: &ChessPosition,
    notation: &Notation,
    max_bytes: usize,
    limits: &Limits,
    see: &mut PlyVisitor<'_>,
) -> Result<(usize, usize), ContentError> {
    let main = read_plies_with_length(movetext, start, max_bytes, limits)?;
    let lines = MarkedLines::read(movetext, notation, max_bytes)?;
    lines.follow_main(movetext, main, start, limits, see)?;
    Ok((lines.main_count(), lines.min_bytes()))
}

/// The comments of the main line, and how many of the bytes of text they leave.
fn main_comments<'m>(
    lines: MarkedLines<'m>,
    templates: &Templates,
    mut left: usize,
) -> Result<(Vec<MainLineComment<'m>>, usize), ContentError> {
    let mut comments = Vec::new();
    for (plies_before, item) in lines.into_main_items() {
        if !matches!(item, Item::Note(_) | Item::Comment(_)) {
            continue;
        }
        if let Node::Comment(text) = item.node(templates).ok_or(AnnotationError::Template)? {
            left = left.checked_sub(text.len()).ok_or(AnnotationError::Limit)?;
            comments.push((plies_before, text));
        }
    }
    Ok((comments, left))
}
