//! The lines of a movetext, as its marks give them, and their plies.

use crate::annotation::{Bounds, Item, Items, Notation};
use crate::archive::block::movetext::{TOO_MANY_PLIES, max_plies};
use crate::archive::block::stream::{StreamReader, TracedStreamReader};
use crate::archive::block::variations::{LineReader, VariationReader};
use crate::archive::error::ContentError;
use crate::archive::schema::record::{GameTrace, Movetext};
use crate::chess::{ChessPosition, PlyKind};
use crate::limits::Limits;
use crate::moves::PlyVisitor;
use crate::pgn::{MAX_NODES, MIN_PLY_BYTES, Mark};

/// The plies of a main line whose moves code its length, if they do. The ending that they code is
/// set in `movetext`.
pub(super) fn read_plies_with_length(
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
pub(super) struct MarkedLines<'m> {
    /// The number of plies of all lines.
    count: usize,
    items: Items<'m>,
    marks: Vec<(usize, Mark)>,
    structure: LineStructure,
}

/// Plies that were decoded together.
enum PliesRead {
    /// Those of the main line.
    Main(Vec<PlyKind>),
    /// Those of all lines in the order of the text.
    All(Vec<PlyKind>),
}

impl<'m> MarkedLines<'m> {
    /// Decodes the marks of a movetext, whose number of plies is set.
    pub(super) fn read(
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
        let lines = MarkedLines {
            structure: LineStructure::of(&marks, count)?,
            count,
            items,
            marks,
        };
        if lines.main_count() as u64 != movetext.plies {
            return Err(ContentError::Invalid("another number of plies"));
        }
        Ok(lines)
    }

    /// The number of plies of all lines.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The number of plies of the main line.
    pub(super) fn main_count(&self) -> usize {
        let inside = self.structure.in_variations.iter().flatten();
        self.count - inside.filter(|inside| **inside).count()
    }

    /// The minimum number of bytes of text of the plies and of what the marks give.
    pub(super) fn min_bytes(&self) -> usize {
        let plies = self.count.saturating_mul(MIN_PLY_BYTES);
        plies.saturating_add(self.items.len())
    }

    /// What is no ply, each with the number of plies of all lines before it.
    pub(super) fn into_items(self) -> Items<'m> {
        self.items
    }

    /// The same of the main line alone, each with the number of its plies before it.
    pub(super) fn into_main_items(self) -> impl Iterator<Item = (usize, Item<'m>)> {
        let in_variations = self.structure.in_variations;
        let (mut depth, mut done, mut main) = (0usize, 0, 0);
        self.items.into_iter().filter_map(move |(at, item)| {
            main += match &in_variations {
                Some(in_variations) => {
                    let new = in_variations.get(done..at).unwrap_or_default();
                    new.iter().filter(|inside| !**inside).count()
                }
                None => at.saturating_sub(done),
            };
            done = at;
            match item {
                Item::Mark(Mark::Open) => depth += 1,
                Item::Mark(Mark::Close) => depth = depth.saturating_sub(1),
                item if depth == 0 => return Some((main, item)),
                _ => {}
            }
            None
        })
    }

    /// Decodes the plies of all lines in the order of the text. The main line may be
    /// known already.
    pub(super) fn plies(
        &self,
        movetext: &Movetext<'_>,
        main: Option<Vec<PlyKind>>,
        start: &ChessPosition,
        limits: &Limits,
    ) -> Result<Vec<PlyKind>, ContentError> {
        let main = match self.read_plies(movetext, main, start, limits)? {
            PliesRead::All(plies) => return Ok(plies),
            PliesRead::Main(plies) => plies,
        };
        match &self.structure.in_variations {
            Some(in_variations) => {
                let reader = VariationReader::new(start.clone(), main, &movetext.variations)?;
                interleave(reader, &self.marks, in_variations)
            }
            None if movetext.variations.is_empty() => Ok(main),
            None => Err(ContentError::Invalid("moves without plies")),
        }
    }

    /// Decodes the plies of the main line, which may be known already; those of variations only if
    /// one stream codes all.
    pub(super) fn main_plies(
        &self,
        movetext: &Movetext<'_>,
        main: Option<Vec<PlyKind>>,
        start: &ChessPosition,
        limits: &Limits,
    ) -> Result<Vec<PlyKind>, ContentError> {
        match self.read_plies(movetext, main, start, limits)? {
            PliesRead::Main(plies) => Ok(plies),
            PliesRead::All(plies) => {
                let inside = self.structure.in_variations.iter().flatten();
                let plies = plies.into_iter().zip(inside);
                let main = plies.filter(|(_, inside)| !**inside);
                Ok(main.map(|(ply, _)| ply).collect())
            }
        }
    }

    /// Calls `see` with one ply of the main line after the other, until it breaks. Plies after that
    /// are not decoded, unless one stream codes all or the moves code their number.
    pub(super) fn follow_main(
        &self,
        movetext: &Movetext<'_>,
        main: Option<Vec<PlyKind>>,
        start: &ChessPosition,
        limits: &Limits,
        see: &mut PlyVisitor<'_>,
    ) -> Result<(), ContentError> {
        let is_stream = movetext.has_model() && self.structure.in_variations.is_some();
        if main.is_none() && movetext.plies > 0 && !is_stream {
            return movetext.follow(start, &self.structure.nulls, limits, see);
        }
        let plies = self.main_plies(movetext, main, start, limits)?;
        let _ = plies.into_iter().try_for_each(see);
        Ok(())
    }

    fn read_plies(
        &self,
        movetext: &Movetext<'_>,
        main: Option<Vec<PlyKind>>,
        start: &ChessPosition,
        limits: &Limits,
    ) -> Result<PliesRead, ContentError> {
        let LineStructure {
            in_variations,
            nulls,
        } = &self.structure;
        match main {
            Some(_) if !nulls.is_empty() => return Err(NULL_IN_SELF_DELIMITED_LINE),
            Some(plies) => return Ok(PliesRead::Main(plies)),
            None if movetext.plies == 0 => return movetext.no_plies().map(PliesRead::Main),
            None => {}
        }
        if let Some(GameTrace { moves, .. }) = movetext.trace_from(start)? {
            movetext.check_stream()?;
            let reader = TracedStreamReader::new(moves.steps_of(&movetext.moves)?);
            return Ok(match in_variations {
                Some(inside) => PliesRead::All(interleave(reader, &self.marks, inside)?),
                None => {
                    let inside = vec![false; self.count];
                    PliesRead::Main(interleave(reader, &self.marks, &inside)?)
                }
            });
        }
        if let (true, Some(in_variations)) = (movetext.has_model(), in_variations) {
            movetext.check_stream()?;
            let context = movetext.context();
            let (side_info, moves) = (movetext.side_info, &movetext.moves);
            let reader = StreamReader::new(start, context, side_info, moves)?;
            return interleave(reader, &self.marks, in_variations).map(PliesRead::All);
        }
        let line = movetext.decode(start, nulls, limits)?;
        Ok(PliesRead::Main(line.plies))
    }
}

const NULL_IN_SELF_DELIMITED_LINE: ContentError =
    ContentError::Invalid("a null move in a line whose length its moves code");

/// The structure of the lines of a movetext.
struct LineStructure {
    /// For each ply, in the order of the text, whether it is in a variation;
    /// `None` if there are no variations.
    in_variations: Option<Vec<bool>>,
    /// The ply numbers of the null moves of the main line.
    nulls: Vec<u64>,
}

impl LineStructure {
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
        Ok(LineStructure {
            in_variations: has_variations.then_some(in_variations),
            nulls,
        })
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
