//! Decoding a movetext from the values of columns.

use crate::annotation::{AnnotationError, Bounds, Item, Items, Notation, Templates};
use crate::archive::block::movetext::{TOO_MANY_PLIES, max_plies};
use crate::archive::block::spelling::read_spellings;
use crate::archive::block::stream::StreamReader;
use crate::archive::block::variations::{LineReader, VariationReader};
use crate::archive::error::ContentError;
use crate::archive::schema::record::Movetext;
use crate::chess::{ChessPosition, PlyKind, Spelling};
use crate::limits::Limits;
use crate::pgn::{MAX_NODES, MIN_PLY_BYTES, Mark, Node};
use std::borrow::Cow;

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
    let MarkedLines {
        count,
        mut items,
        marks,
        lines,
    } = MarkedLines::read(movetext, notation, max_bytes)?;
    let spellings = read_spellings(movetext.default_spelling, &movetext.exceptions, count)?;
    let plies = read_plies(movetext, main, &lines, &marks, start, limits)?;
    if notation.has_lines_in(&items) {
        let line_start = movetext.line_start(start);
        notation.read_lines(&movetext.lines, &line_start, &plies, &mut items, max_bytes)?;
    } else if !movetext.lines.is_empty() {
        return Err(ContentError::Invalid("lines without comments"));
    }
    let result = movetext.result.checked_sub(1).map(Node::Result);
    let mut nodes = merge_nodes(items, plies, spellings, notation.templates(), max_bytes)?;
    nodes.extend(result);
    Ok(nodes)
}

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
    let read = MarkedLines::read(movetext, notation, max_bytes)?;
    let plies = match wanted.plies {
        true => read_main_plies(movetext, main, &read, start, limits)?,
        false => Vec::new(),
    };
    let decoded = read.count.saturating_mul(MIN_PLY_BYTES);
    let decoded = decoded.saturating_add(read.items.len());
    let left = max_bytes.checked_sub(decoded).ok_or(TOO_MANY_PLIES)?;
    let count = read.lines.main_plies(read.count);
    let (comments, left) = match wanted.comments {
        true => main_comments(read, notation.templates(), left)?,
        false => (Vec::new(), left),
    };
    Ok(MainLine {
        count,
        plies,
        comments,
        min_bytes: max_bytes.saturating_sub(left),
    })
}

/// Decodes the plies of the main line; those of variations only if one stream codes all.
fn read_main_plies(
    movetext: &Movetext<'_>,
    main: Option<Vec<PlyKind>>,
    read: &MarkedLines<'_>,
    start: &ChessPosition,
    limits: &Limits,
) -> Result<Vec<PlyKind>, ContentError> {
    match read_line(movetext, main, &read.lines, &read.marks, start, limits)? {
        PliesRead::Main(plies) => Ok(plies),
        PliesRead::All(plies) => {
            let inside = read.lines.in_variations.iter().flatten();
            let plies = plies.into_iter().zip(inside);
            let main = plies.filter(|(_, inside)| !**inside);
            Ok(main.map(|(ply, _)| ply).collect())
        }
    }
}

/// The comments of the main line, and how many of the bytes of text they leave.
fn main_comments<'m>(
    read: MarkedLines<'m>,
    templates: &Templates,
    mut left: usize,
) -> Result<(Vec<MainLineComment<'m>>, usize), ContentError> {
    let mut before = read.lines.main_plies_before();
    let (mut depth, mut comments) = (0usize, Vec::new());
    for (at, item) in read.items {
        match item {
            Item::Mark(Mark::Open) => depth += 1,
            Item::Mark(Mark::Close) => depth = depth.saturating_sub(1),
            Item::Note(_) | Item::Comment(_) if depth == 0 => {
                let node = item.node(templates);
                if let Node::Comment(text) = node.ok_or(AnnotationError::Template)? {
                    left = left.checked_sub(text.len()).ok_or(AnnotationError::Limit)?;
                    comments.push((before(at), text));
                }
            }
            _ => {}
        }
    }
    drop(before);
    Ok((comments, left))
}

/// The plies of a main line whose moves code its length, if they do. The ending that they code is
/// set in `movetext`.
fn read_plies_with_length(
    movetext: &mut Movetext<'_>,
    start: &ChessPosition,
    max_bytes: usize,
    limits: &Limits,
) -> Result<Option<Vec<PlyKind>>, ContentError> {
    movetext.check_plies(limits)?;
    if !movetext.codes_plies() {
        return Ok(None);
    }
    let line = movetext.decode_with_length(start, max_bytes, limits)?;
    movetext.set_ending(&line)?;
    Ok(Some(line.plies))
}

/// What the marks of a movetext give: all that is no ply, and the lines.
struct MarkedLines<'m> {
    /// The number of plies of all lines.
    count: usize,
    items: Items<'m>,
    marks: Vec<(usize, Mark)>,
    lines: LineDecoder,
}

impl<'m> MarkedLines<'m> {
    /// Decodes the marks of a movetext, whose number of plies is set.
    fn read(
        movetext: &'m Movetext<'_>,
        notation: &Notation,
        max_bytes: usize,
    ) -> Result<Self, ContentError> {
        let most = max_plies(max_bytes);
        let count = movetext.plies.checked_add(movetext.variation_plies);
        let count = count.and_then(|count| usize::try_from(count).ok());
        let count = count.filter(|count| *count <= most).ok_or(TOO_MANY_PLIES)?;
        let bounds = Bounds {
            marks: max_bytes.min(MAX_NODES - count),
        };
        let (bits, prose) = (&movetext.marks, &movetext.prose);
        let items = notation.read_marks(bits, prose, count, movetext.time, bounds)?;
        let marks = items.iter().map(|(at, item)| (*at, item.mark()));
        let marks: Vec<(usize, Mark)> = marks.collect();
        let lines = LineDecoder::of(&marks, count)?;
        if lines.main_plies(count) as u64 != movetext.plies {
            return Err(ContentError::Invalid("another number of plies"));
        }
        Ok(MarkedLines {
            count,
            items,
            marks,
            lines,
        })
    }
}

/// Decodes the plies of all lines in the order of the text. The main line may be
/// known already.
fn read_plies(
    movetext: &Movetext<'_>,
    main: Option<Vec<PlyKind>>,
    lines: &LineDecoder,
    marks: &[(usize, Mark)],
    start: &ChessPosition,
    limits: &Limits,
) -> Result<Vec<PlyKind>, ContentError> {
    let main = match read_line(movetext, main, lines, marks, start, limits)? {
        PliesRead::All(plies) => return Ok(plies),
        PliesRead::Main(plies) => plies,
    };
    match &lines.in_variations {
        Some(in_variations) => {
            let reader = VariationReader::new(start.clone(), main, &movetext.variations)?;
            interleave(reader, marks, in_variations)
        }
        None if movetext.variations.is_empty() => Ok(main),
        None => Err(ContentError::Invalid("moves without plies")),
    }
}

/// Plies that were decoded together.
enum PliesRead {
    /// Those of the main line.
    Main(Vec<PlyKind>),
    /// Those of all lines in the order of the text.
    All(Vec<PlyKind>),
}

/// Decodes the plies of the main line, which may be known already, and of all lines if one stream
/// codes them.
fn read_line(
    movetext: &Movetext<'_>,
    main: Option<Vec<PlyKind>>,
    lines: &LineDecoder,
    marks: &[(usize, Mark)],
    start: &ChessPosition,
    limits: &Limits,
) -> Result<PliesRead, ContentError> {
    match main {
        Some(_) if !lines.nulls.is_empty() => return Err(NULL_IN_SELF_DELIMITED_LINE),
        Some(plies) => return Ok(PliesRead::Main(plies)),
        None if movetext.plies == 0 => return movetext.no_plies().map(PliesRead::Main),
        None => {}
    }
    if let (Some(model), Some(in_variations)) = (movetext.model(), &lines.in_variations) {
        movetext.check_stream()?;
        let context = movetext.context();
        let (side_info, moves) = (movetext.side_info, &movetext.moves);
        let reader = StreamReader::new(model, start, context, side_info, moves)?;
        return interleave(reader, marks, in_variations).map(PliesRead::All);
    }
    let line = movetext.decode(start, &lines.nulls, limits)?;
    Ok(PliesRead::Main(line.plies))
}

const NULL_IN_SELF_DELIMITED_LINE: ContentError =
    ContentError::Invalid("a null move in a line whose length its moves code");

/// The structure of the lines of a movetext, as given by the marks.
struct LineDecoder {
    /// For each ply, in the order of the text, whether it is in a variation;
    /// `None` if there are no variations.
    in_variations: Option<Vec<bool>>,
    /// The ply numbers of the null moves of the main line.
    nulls: Vec<u64>,
}

impl LineDecoder {
    fn of(marks: &[(usize, Mark)], count: usize) -> Result<Self, ContentError> {
        let mut in_variations = Vec::new();
        let mut nulls = Vec::new();
        let (mut depth, mut in_variation_count) = (0usize, 0usize);
        let mut last_null = None;
        for (at, mark) in marks {
            // Otherwise a line could open or close between the mark and its ply.
            if last_null == Some(*at) {
                return Err(ContentError::Invalid(
                    "a mark of a null move that is not the last of its group",
                ));
            }
            if *mark == Mark::Null {
                last_null = Some(*at);
            }
            if depth > 0 {
                in_variation_count += at.saturating_sub(in_variations.len());
            }
            in_variations.resize(*at, depth > 0);
            match mark {
                Mark::Open => depth += 1,
                Mark::Close => {
                    depth = depth
                        .checked_sub(1)
                        .ok_or(ContentError::Invalid("a variation that is not open"))?;
                }
                Mark::Null if *at >= count => {
                    return Err(ContentError::Invalid("a null move after the last ply"));
                }
                Mark::Null if depth == 0 => nulls.push((at - in_variation_count) as u64),
                _ => {}
            }
        }
        in_variations.resize(count, depth > 0);
        let has_variations = marks.iter().any(|(_, mark)| *mark == Mark::Open);
        Ok(LineDecoder {
            in_variations: has_variations.then_some(in_variations),
            nulls,
        })
    }

    fn main_plies(&self, count: usize) -> usize {
        let inside = self
            .in_variations
            .iter()
            .flatten()
            .filter(|inside| **inside);
        count - inside.count()
    }

    /// A function that gives the number of plies of the main line among the first plies, for
    /// numbers that do not decrease.
    fn main_plies_before(&self) -> impl FnMut(usize) -> usize {
        let (mut done, mut main) = (0, 0);
        move |at| {
            let Some(in_variations) = &self.in_variations else {
                return at;
            };
            let new = in_variations.get(done..at).unwrap_or_default();
            main += new.iter().filter(|inside| !**inside).count();
            done = at;
            main
        }
    }
}

/// Decodes the plies of all lines in the order of the text.
fn interleave(
    mut reader: impl LineReader,
    marks: &[(usize, Mark)],
    in_variations: &[bool],
) -> Result<Vec<PlyKind>, ContentError> {
    let mut marks = marks.iter().peekable();
    let mut plies = Vec::with_capacity(in_variations.len());
    for at in 0..=in_variations.len() {
        let mut is_null = false;
        while let Some((_, mark)) = marks.next_if(|(mark_at, _)| *mark_at == at) {
            match mark {
                Mark::Open => reader.open()?,
                Mark::Close => reader.close()?,
                Mark::Null => is_null = true,
                _ => {}
            }
        }
        if let Some(in_variation) = in_variations.get(at) {
            plies.push(reader.ply(!in_variation, is_null)?);
        }
    }
    reader.finish()?;
    Ok(plies)
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
