//! What a record of a block decodes to: moves, main line, tree, text.

use crate::annotation::{Bounds, MarkBits, TimeControl};
use crate::archive::block::OpenBlock;
use crate::archive::block::decode_movetext::decode_movetext;
use crate::archive::block::main_line::{
    MainLine, MainLineParts, decode_main_line, follow_main_line,
};
use crate::archive::block::mark_kinds::{MarkKinds, decode_mark_kinds};
use crate::archive::block::record_offsets::{TOO_LARGE, to_byte, to_usize};
use crate::archive::block::values::{TagValue, tags};
use crate::archive::error::ContentError;
use crate::archive::schema::fen_position::read_start_number;
use crate::archive::schema::record::Movetext;
use crate::archive::schema::registry::{
    CODEC, COMMENTS, DEFAULT_SPELLING, LAYOUT, LINES, MARKS, MOVES, PATCH, PLIES, RESULT,
    SPELLING_EXCEPTIONS, START, TAIL, VARIATION_PLIES, VARIATIONS,
};
use crate::chess::{ChessPosition, PlyKind};
use crate::model::{Ratings, SideInfo};
use crate::moves::Codec;
use crate::pgn::{
    FEN_TAG, Game, GameTree, MAX_NODES, MIN_PLY_BYTES, Moves, MovetextEvent, Node, Patch, Tag,
    first_position, has_words, render,
};
use std::borrow::Cow;
use std::ops::ControlFlow;

impl OpenBlock {
    /// The number of plies of the main line before any verbatim tail. The moves are
    /// decoded if only they give that number.
    pub(crate) fn plies(&self, record: usize) -> Result<u64, ContentError> {
        let codec = to_byte(self.int(CODEC, record)?)?;
        if !Codec::from_selector(codec).is_some_and(Codec::codes_plies) {
            return self.int(PLIES, record);
        }
        let movetext = self.movetext(record)?;
        let values = self.values_for_moves(record)?;
        let start = self.start(record, &tags(&values))?;
        let line = self.budgets.plies.read(
            record,
            |most| movetext.decode_with_length(&start, most, self.columns.tables().limits()),
            |line| line.plies.len().saturating_mul(MIN_PLY_BYTES),
        )?;
        Ok(line.plies.len() as u64)
    }

    /// The coded size of the record's marks by kind of content.
    pub(crate) fn mark_bits(&self, record: usize) -> Result<MarkBits, ContentError> {
        let movetext = self.movetext(record)?;
        let values = self.values_for_moves(record)?;
        let tags = tags(&values);
        let time = TimeControl::of_tags(tags.iter().map(|tag| (tag.name, tag.value)));
        let plies = self.plies(record)?;
        let plies = to_usize(plies.saturating_add(movetext.variation_plies))?;
        let (bits, prose) = (&movetext.marks, &movetext.prose);
        let notation = self.columns.tables().notation();
        let measure = |most: usize| {
            let bounds = Bounds {
                marks: most.min(MAX_NODES).checked_sub(plies).ok_or(TOO_LARGE)?,
            };
            Ok(notation.measure(bits, prose, plies, time, bounds)?)
        };
        // Each move and each mark takes at least one byte of text.
        let bytes = |bits: &MarkBits| plies.saturating_add(bits.marks);
        self.budgets.measured.read(record, measure, bytes)
    }

    /// The start position of a record with these tag pairs.
    fn start(&self, record: usize, tags: &[Tag<'_>]) -> Result<ChessPosition, ContentError> {
        let (start, _) = read_start_number(self.int(START, record)?)?;
        let fen = tags.iter().find(|tag| tag.name == FEN_TAG);
        let position = start.position(fen.map(|tag| tag.value));
        position.ok_or(ContentError::Invalid("no such start position"))
    }

    /// The moves, including variations; `None` if the start position is not valid.
    pub(crate) fn moves(&self, record: usize) -> Result<Option<Moves>, ContentError> {
        let values = self.values_for_moves(record)?;
        let mut movetext = Movetext::default();
        let tree = self.tree(record, &values, &mut movetext)?;
        Ok(Moves::of(&tree))
    }

    /// Calls `see` with the start position, `None` if it is not valid, and parts of the main line.
    pub(crate) fn with_main_line<T>(
        &self,
        record: usize,
        wanted: MainLineParts,
        see: impl FnOnce(Option<&ChessPosition>, &MainLine<'_>) -> T,
    ) -> Result<T, ContentError> {
        let values = self.values_for_moves(record)?;
        let tags = tags(&values);
        let start = self.start(record, &tags)?;
        // Ratings and the model are for the moves alone.
        let mut movetext = match wanted.plies {
            true => self.movetext_of(record, &tags)?,
            false => self.movetext_with_time(record, &tags)?,
        };
        let notation = self.columns.tables().notation();
        let limits = self.columns.tables().limits();
        let read = self.budgets.main_lines.read(
            record,
            |most| decode_main_line(&mut movetext, &start, notation, wanted, most, limits),
            |read| read.min_bytes,
        )?;
        let first = match read.count {
            0 => first_position(&tags),
            _ => Some(start),
        };
        Ok(see(first.as_ref(), &read))
    }

    /// Begins with the start position, calls `step` with one ply of the main line after the other
    /// until it breaks, and returns what has become of it; `None` if the start position is not
    /// valid. Plies after that are not decoded where the encoding allows.
    pub(crate) fn follow_main_line<T>(
        &self,
        record: usize,
        begin: impl Fn(&ChessPosition) -> T,
        step: impl Fn(&mut T, PlyKind) -> ControlFlow<()>,
    ) -> Result<Option<T>, ContentError> {
        let values = self.values_for_moves(record)?;
        let tags = tags(&values);
        let start = self.start(record, &tags)?;
        let mut movetext = self.movetext_of(record, &tags)?;
        let notation = self.columns.tables().notation();
        let limits = self.columns.tables().limits();
        let mut line = begin(&start);
        let mut see = |ply| step(&mut line, ply);
        let (count, _) = self.budgets.main_lines.read(
            record,
            |most| follow_main_line(&mut movetext, &start, notation, most, limits, &mut see),
            |(_, min_bytes)| *min_bytes,
        )?;
        Ok(match count {
            0 => first_position(&tags).as_ref().map(begin),
            _ => Some(line),
        })
    }

    /// Which kinds of marks the movetext has.
    pub(crate) fn mark_kinds(&self, record: usize) -> Result<MarkKinds, ContentError> {
        let values = self.values_for_moves(record)?;
        let tags = tags(&values);
        let start = self.start(record, &tags)?;
        let mut movetext = self.movetext_with_time(record, &tags)?;
        let notation = self.columns.tables().notation();
        let limits = self.columns.tables().limits();
        let (kinds, _) = self.budgets.main_lines.read(
            record,
            |most| decode_mark_kinds(&mut movetext, &start, notation, most, limits),
            |(_, min_bytes)| *min_bytes,
        )?;
        Ok(kinds)
    }

    /// Calls `see` with the start position and the events of the movetext; with `None` if the
    /// start position is not valid.
    pub(crate) fn with_events<T>(
        &self,
        record: usize,
        see: impl FnOnce(Option<(&ChessPosition, &[MovetextEvent<'_>])>) -> T,
    ) -> Result<T, ContentError> {
        let values = self.values_for_moves(record)?;
        let mut movetext = Movetext::default();
        let tree = self.tree(record, &values, &mut movetext)?;
        let start = tree.first_position();
        let events: Vec<MovetextEvent<'_>> = tree.events().collect();
        Ok(see(start.as_ref().map(|start| (start, &events[..]))))
    }

    /// Decodes the record except for its patch; the result borrows from `movetext`.
    pub(super) fn tree<'m, 'v: 'm>(
        &'v self,
        record: usize,
        values: &'v [TagValue<'v>],
        movetext: &'m mut Movetext<'v>,
    ) -> Result<GameTree<'m>, ContentError> {
        let tags = tags(values);
        let start = self.start(record, &tags)?;
        *movetext = self.movetext_of(record, &tags)?;
        let notation = self.columns.tables().notation();
        let nodes = self.budgets.nodes.read(
            record,
            |most| {
                decode_movetext(
                    movetext,
                    &start,
                    notation,
                    most,
                    self.columns.tables().limits(),
                )
            },
            |nodes| nodes.iter().map(Node::min_bytes).sum(),
        )?;
        Ok(GameTree {
            nodes,
            tags,
            start,
            tail: self.string(TAIL, record)?,
        })
    }

    /// The exact text of a record.
    pub(crate) fn text(&self, record: usize) -> Result<Vec<u8>, ContentError> {
        self.with_tree(record, |tree| self.rendered(record, tree))
    }

    /// The exact text of a record, and what `see` makes of its tree, which is decoded once.
    pub(crate) fn text_and<T>(
        &self,
        record: usize,
        see: impl FnOnce(&GameTree<'_>) -> T,
    ) -> Result<(Vec<u8>, T), ContentError> {
        self.with_tree(record, |tree| Ok((self.rendered(record, tree)?, see(tree))))
    }

    /// Whether a column of prose is compressed by context mixing.
    pub(crate) fn mixes_prose(&self) -> Result<bool, ContentError> {
        self.columns.mixes_prose()
    }

    /// Whether the movetext has words that are no moves. They are in the patch, or in what is
    /// stored verbatim, so the text is read only if that has letters, or if there is any such.
    pub(crate) fn has_words(&self, record: usize) -> Result<bool, ContentError> {
        let patch = Patch::read(self.string(PATCH, record)?)?;
        let may_have = patch.has_letters() || self.verbatim_reason(record)?.is_some();
        Ok(may_have && has_words(&self.text(record)?))
    }

    /// The text of a record with this tree.
    fn rendered(&self, record: usize, tree: &GameTree<'_>) -> Result<Vec<u8>, ContentError> {
        let patch = Patch::read(self.string(PATCH, record)?)?;
        let layout = self.columns.tables().layout(self.int(LAYOUT, record)?);
        let layout = layout.ok_or(ContentError::Invalid("no such layout"))?;
        self.budgets.text.read(
            record,
            |most| Ok(render(tree, layout, &patch, most)?),
            Vec::len,
        )
    }

    /// The game, with its tags, moves, comments and variations. The text is parsed only if a part
    /// of it is stored verbatim or in a patch, which may hold a tag pair.
    pub(crate) fn game(&self, record: usize) -> Result<Game, ContentError> {
        if self.verbatim_reason(record)?.is_some() || self.has_patch(record)? {
            return Ok(Game::parse(&self.text(record)?));
        }
        let illegal = ContentError::Invalid("an illegal move or a misplaced variation");
        self.with_tree(record, |tree| tree.game().ok_or(illegal))
    }

    /// Calls `see` with the tree of a record, with all its tags.
    fn with_tree<T>(
        &self,
        record: usize,
        see: impl FnOnce(&GameTree<'_>) -> Result<T, ContentError>,
    ) -> Result<T, ContentError> {
        let early = self.early_values(record)?;
        let mut movetext = Movetext::default();
        let mut tree = self.tree(record, &early.values, &mut movetext)?;
        let found = if early.late.is_empty() {
            Vec::new()
        } else {
            self.late_values(record, &early, &tree)?
        };
        for (at, found) in early.late.iter().zip(&found) {
            if let Some(tag) = tree.tags.get_mut(*at) {
                tag.value = found;
            }
        }
        see(&tree)
    }

    /// The movetext of a record with these tag pairs, on which models and clocks depend.
    fn movetext_of<'b>(
        &'b self,
        record: usize,
        tags: &[Tag<'b>],
    ) -> Result<Movetext<'b>, ContentError> {
        let pairs = tags.iter().map(|tag| (tag.name, tag.value));
        Ok(Movetext {
            ratings: Ratings::of_tags(pairs.clone()),
            side_info: self.columns.tables().model().side_info(pairs),
            ..self.movetext_with_time(record, tags)?
        })
    }

    /// The movetext of a record with these tag pairs, on which clocks depend.
    fn movetext_with_time(
        &self,
        record: usize,
        tags: &[Tag<'_>],
    ) -> Result<Movetext<'_>, ContentError> {
        let pairs = tags.iter().map(|tag| (tag.name, tag.value));
        Ok(Movetext {
            time: TimeControl::of_tags(pairs),
            ..self.movetext(record)?
        })
    }

    /// The movetext of a record as its columns give it.
    fn movetext(&self, record: usize) -> Result<Movetext<'_>, ContentError> {
        // The later record first, so that each column is decoded once.
        let to = self.starts(record + 1)?;
        let from = self.starts(record)?;
        let bit_strings = self.columns.bit_strings()?;
        let bits = |id| {
            let bits = bit_strings.column(id).get(from.of(id)..to.of(id));
            Cow::Borrowed(bits.unwrap_or_default())
        };
        let movetext = Movetext {
            default_spelling: to_byte(self.int(DEFAULT_SPELLING, record)?)?,
            result: to_byte(self.int(RESULT, record)?)
                .ok()
                .filter(|result| *result <= 4)
                .ok_or(TOO_LARGE)?,
            plies: self.int(PLIES, record)?,
            codec: to_byte(self.int(CODEC, record)?)?,
            moves: bits(MOVES),
            variation_plies: self.int(VARIATION_PLIES, record)?,
            variations: bits(VARIATIONS),
            marks: bits(MARKS),
            lines: bits(LINES),
            prose: Cow::Borrowed(self.string(COMMENTS, record)?),
            exceptions: Cow::Borrowed(self.string(SPELLING_EXCEPTIONS, record)?),
            ratings: Ratings::default(),
            side_info: SideInfo::default(),
            time: TimeControl::default(),
            trace: self.traces.get(record).cloned().flatten(),
        };
        if movetext.has_model() && self.columns.tables().model().model().is_none() {
            let unnamed = "moves of a model, and the segment names none";
            return Err(ContentError::Invalid(unnamed));
        }
        Ok(movetext)
    }
}
