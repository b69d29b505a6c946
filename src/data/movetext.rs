//! Columns of moves, variations, comments and glyphs.

use super::batch::{Annotations, ColumnData, Variations};
use super::column::GameColumn;
use super::lists::{Lists, TextLists};
use crate::archive::{BlockGames, ContentError, Error, MainLineParts};
use crate::chess::{ChessPosition, PlyKind, Spelling};
use crate::pgn::{MIN_PLY_BYTES, MovetextEvent, clock, eval, on_one_line};

/// The columns that a movetext gives, as far as they are asked for.
#[derive(Default)]
pub(super) struct MovetextColumns {
    moves: Option<Lists<u16>>,
    san: Option<TextLists>,
    uci: Option<TextLists>,
    fens: Option<TextLists>,
    clocks: Option<Lists<Option<i32>>>,
    evals: Option<Lists<Option<i32>>>,
    comments: Option<Annotations<TextLists>>,
    nags: Option<Annotations<Lists<u8>>>,
    variations: Option<Variations>,
    /// The bytes of text that the games of the block still to be read can have.
    left: u64,
}

const ILLEGAL: ContentError = ContentError::Invalid("an illegal move");

impl MovetextColumns {
    /// The columns of a block of this raw size.
    pub(super) fn new(columns: &[GameColumn], raw_bytes: u64) -> Self {
        let mut new = MovetextColumns {
            left: raw_bytes,
            ..MovetextColumns::default()
        };
        for column in columns {
            match column {
                GameColumn::Moves => new.moves = Some(Lists::default()),
                GameColumn::San => new.san = Some(TextLists::default()),
                GameColumn::Uci => new.uci = Some(TextLists::default()),
                GameColumn::Fens => new.fens = Some(TextLists::default()),
                GameColumn::Clocks => new.clocks = Some(Lists::default()),
                GameColumn::Evals => new.evals = Some(Lists::default()),
                GameColumn::Comments => new.comments = Some(Annotations::default()),
                GameColumn::Nags => new.nags = Some(Annotations::default()),
                GameColumn::Variations => new.variations = Some(Variations::default()),
                _ => {}
            }
        }
        new
    }

    /// Whether a column needs all lines.
    fn needs_events(&self) -> bool {
        self.comments.is_some() || self.nags.is_some() || self.variations.is_some()
    }

    /// What the columns need of the main line.
    fn needed(&self) -> MainLineParts {
        MainLineParts {
            plies: self.moves.is_some()
                || self.san.is_some()
                || self.uci.is_some()
                || self.fens.is_some(),
            comments: self.clocks.is_some() || self.evals.is_some(),
        }
    }

    /// Whether the games have to be read.
    pub(super) fn is_needed(&self) -> bool {
        self.needs_events() || self.needed() != MainLineParts::default()
    }

    /// Appends the values of a game, if they are [needed](Self::is_needed). Only what is needed of
    /// the game is decoded.
    ///
    /// # Errors
    /// The block is damaged.
    pub(super) fn read(&mut self, block: &BlockGames<'_>, game: usize) -> Result<(), Error> {
        if self.needs_events() || block.verbatim_reason(game)?.is_some() {
            return block.with_events(game, |events| self.add(events));
        }
        block.with_main_line(game, self.needed(), |start, line| {
            self.spend(line.count.saturating_mul(MIN_PLY_BYTES))?;
            self.add_main_line(start, &line.plies)?;
            let comments = line.comments.iter().map(|(ply, text)| (*ply, &text[..]));
            self.add_clocks(line.count, comments);
            Ok(())
        })
    }

    /// The column, which was asked for; it is copied only if it is needed again.
    pub(super) fn column(
        &mut self,
        column: &GameColumn,
        is_needed_again: bool,
    ) -> Option<ColumnData> {
        fn take<T: Clone>(column: &mut Option<T>, is_needed_again: bool) -> Option<T> {
            match is_needed_again {
                true => column.clone(),
                false => column.take(),
            }
        }
        let again = is_needed_again;
        match column {
            GameColumn::Moves => take(&mut self.moves, again).map(ColumnData::Plies),
            GameColumn::San => take(&mut self.san, again).map(ColumnData::TextLists),
            GameColumn::Uci => take(&mut self.uci, again).map(ColumnData::TextLists),
            GameColumn::Fens => take(&mut self.fens, again).map(ColumnData::TextLists),
            GameColumn::Clocks => take(&mut self.clocks, again).map(ColumnData::Numbers),
            GameColumn::Evals => take(&mut self.evals, again).map(ColumnData::Numbers),
            GameColumn::Comments => take(&mut self.comments, again).map(ColumnData::Comments),
            GameColumn::Nags => take(&mut self.nags, again).map(ColumnData::Nags),
            GameColumn::Variations => take(&mut self.variations, again).map(ColumnData::Variations),
            _ => None,
        }
    }

    /// Fails if the games of the block have more text than it has.
    fn spend(&mut self, bytes: usize) -> Result<(), ContentError> {
        let left = self.left.checked_sub(bytes as u64);
        self.left = left.ok_or(ContentError::Invalid("more text than announced"))?;
        Ok(())
    }

    /// Adds a game. A game whose start position is not legal has no moves.
    pub(super) fn add(
        &mut self,
        events: Option<(&ChessPosition, &[MovetextEvent<'_>])>,
    ) -> Result<(), ContentError> {
        let (start, events) = match events {
            Some((start, events)) => (Some(start), events),
            None => (None, &[][..]),
        };
        self.spend(events.iter().map(min_bytes).sum())?;
        let lines = GameLines::of(events);
        self.add_main_line(start, &lines.main)?;
        if self.needed().comments {
            let on_main_line = lines.comments.iter().filter(|(line, ..)| *line == 0);
            let comments = on_main_line.map(|(_, ply, text)| (*ply, *text));
            self.add_clocks(lines.main.len(), comments);
        }
        if let Some(column) = &mut self.comments {
            for (line, plies, text) in &lines.comments {
                column.values.push_text(&on_one_line(text));
                column.push_place(*line, *plies);
            }
            column.values.end();
            column.end_places();
        }
        if let Some(column) = &mut self.nags {
            for (line, plies, nag) in &lines.nags {
                column.values.push(*nag);
                column.push_place(*line, *plies);
            }
            column.values.end();
            column.end_places();
        }
        if let Some(column) = &mut self.variations {
            let mut end = 0;
            for variation in &lines.variations {
                column.parents.push(to_u32(variation.parent));
                column.plies.push(to_u32(variation.plies_before));
                end += variation.plies.len();
                column.ends.push(to_u32(end));
                let moves = variation.plies.iter().map(|ply| ply.to_bits());
                column.moves.values_mut().extend(moves);
            }
            column.parents.end();
            column.plies.end();
            column.ends.end();
            column.moves.end();
        }
        Ok(())
    }

    fn add_main_line(
        &mut self,
        start: Option<&ChessPosition>,
        plies: &[PlyKind],
    ) -> Result<(), ContentError> {
        if let Some(column) = &mut self.moves {
            column
                .values_mut()
                .extend(plies.iter().map(|ply| ply.to_bits()));
            column.end();
        }
        if let Some(column) = &mut self.uci {
            plies
                .iter()
                .for_each(|ply| column.push_text(ply.to_string().as_bytes()));
            column.end();
        }
        if let Some(column) = &mut self.san {
            let mut position = start.cloned().unwrap_or_default();
            for ply in plies {
                let write = |out: &mut Vec<u8>| position.write(*ply, Spelling::default(), out);
                column.push_with(write).map_err(|_| ILLEGAL)?;
            }
            column.end();
        }
        if let Some(column) = &mut self.fens {
            if let Some(start) = start {
                let mut position = start.clone();
                column.push_text(position.fen().as_bytes());
                for ply in plies {
                    position.make_legal(*ply).map_err(|_| ILLEGAL)?;
                    column.push_text(position.fen().as_bytes());
                }
            }
            column.end();
        }
        Ok(())
    }

    /// Adds the clocks and evaluations of a game with this many plies in its main line, from the
    /// comments of that line with the numbers of plies before them. After a ply the first one
    /// counts.
    fn add_clocks<'t>(&mut self, plies: usize, comments: impl Iterator<Item = (usize, &'t [u8])>) {
        let mut clocks = self.clocks.as_ref().map(|_| vec![None; plies]);
        let mut evals = self.evals.as_ref().map(|_| vec![None; plies]);
        for (before, text) in comments {
            let Some(ply) = before.checked_sub(1) else {
                continue;
            };
            if let Some(place) = clocks.as_mut().and_then(|clocks| clocks.get_mut(ply)) {
                *place = place.or_else(|| clock(text));
            }
            if let Some(place) = evals.as_mut().and_then(|evals| evals.get_mut(ply)) {
                *place = place.or_else(|| eval(text));
            }
        }
        for (column, values) in [(&mut self.clocks, clocks), (&mut self.evals, evals)] {
            if let (Some(column), Some(values)) = (column, values) {
                column.push_list(&values);
            }
        }
    }
}

impl<V> Annotations<V> {
    /// Appends the place of a value of the game that is not ended yet.
    fn push_place(&mut self, line: usize, plies: usize) {
        self.lines.push(to_u32(line));
        self.plies.push(to_u32(plies));
    }

    /// Ends the places of a game.
    fn end_places(&mut self) {
        self.lines.end();
        self.plies.end();
    }
}

/// The minimum number of bytes of text of an event.
fn min_bytes(event: &MovetextEvent<'_>) -> usize {
    match event {
        MovetextEvent::Ply(_) => MIN_PLY_BYTES,
        MovetextEvent::Comment(text) => text.len().saturating_add(1),
        MovetextEvent::Open | MovetextEvent::Close | MovetextEvent::Nag(_) => 1,
    }
}

/// A record has fewer nodes than 2^32.
fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A variation.
struct Variation {
    parent: usize,
    plies_before: usize,
    plies: Vec<PlyKind>,
}

/// The lines of a game, and what annotates them. Line 0 is the main line, line n the n-th
/// variation; annotations have their line and the number of plies before them.
#[derive(Default)]
struct GameLines<'e> {
    main: Vec<PlyKind>,
    variations: Vec<Variation>,
    comments: Vec<(usize, usize, &'e [u8])>,
    nags: Vec<(usize, usize, u8)>,
}

impl<'e> GameLines<'e> {
    fn of(events: &[MovetextEvent<'e>]) -> Self {
        let mut lines = GameLines::default();
        // The open lines with the number of plies up to their current ends; the innermost is
        // `line`.
        let mut outer = Vec::new();
        let (mut line, mut plies) = (0usize, 0usize);
        for event in events {
            match event {
                MovetextEvent::Ply(ply) => {
                    plies += 1;
                    match line.checked_sub(1) {
                        None => lines.main.push(*ply),
                        Some(at) => {
                            let variation = lines.variations.get_mut(at);
                            variation.into_iter().for_each(|it| it.plies.push(*ply));
                        }
                    }
                }
                MovetextEvent::Open => {
                    let plies_before = plies.saturating_sub(1);
                    lines.variations.push(Variation {
                        parent: line,
                        plies_before,
                        plies: Vec::new(),
                    });
                    outer.push((line, plies));
                    (line, plies) = (lines.variations.len(), plies_before);
                }
                MovetextEvent::Close => (line, plies) = outer.pop().unwrap_or((line, plies)),
                MovetextEvent::Comment(text) => lines.comments.push((line, plies, text)),
                MovetextEvent::Nag(nag) => lines.nags.push((line, plies, *nag)),
            }
        }
        lines
    }
}
