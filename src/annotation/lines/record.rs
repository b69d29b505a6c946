//! Coding the fields of moves of all comments of a record.

use super::coder::{LineCoder, LineError};
use super::field::{LineState, MoveLines};
use super::kinds::Kinds;
use super::known::{MoveSource, NamedMoves};
use super::recent::Recent;
use crate::annotation::item::{Item, Items, Note};
use crate::annotation::template::FieldContent;
use crate::chess::PlyKind;
use crate::codec::trace::{OffTrace, Steps};
use crate::pgn::{Mark, MisplacedVariation, Walker};
use std::borrow::Cow;

/// Whether the texts of the fields are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fields {
    /// The texts are given, to be written or counted.
    Given,
    /// The texts are to be read, at most this many bytes in total.
    Read(usize),
}

/// Passes the fields of moves of `items` through a coder. `plies` are played
/// from `start`. When reading, the decoded texts are stored in the items.
///
/// # Errors
/// The bits do not encode such fields, or a ply or variation is misplaced.
pub fn code_lines(
    coder: &mut impl LineCoder,
    kinds: &Kinds,
    start: &LineState<'_>,
    plies: &[PlyKind],
    items: &mut Items<'_>,
    fields: Fields,
) -> Result<(), LineError> {
    let mut lines = MoveLines::new(known(start, plies, items)?);
    let mut walker = Walker::new(Recent::new(start.clone()));
    let mut budget = match fields {
        Fields::Given => usize::MAX,
        Fields::Read(budget) => budget,
    };
    let mut items = items.iter_mut().peekable();
    for at in 0..=plies.len() {
        while let Some((_, item)) = items.next_if(|(ply, _)| *ply == at) {
            match item {
                Item::Mark(Mark::Open) => walker.open()?,
                Item::Mark(Mark::Close) => walker.close()?,
                Item::Note(note) => {
                    for (text, kind) in fields_of(note, kinds) {
                        let given = (fields == Fields::Given).then_some(text.as_ref());
                        let field = lines.field(coder, kind, walker.state(), given, budget)?;
                        budget = budget.saturating_sub(field.len());
                        *text = field.into();
                    }
                }
                _ => {}
            }
        }
        if let Some(ply) = plies.get(at) {
            walker.step(|recent| recent.step(|state| state.play(*ply).ok_or(MISPLAYED)))?;
        }
    }
    Ok(())
}

// The first bytes of the steps of the structure.
const PLY: u8 = 0;
const OPEN: u8 = 1;
const CLOSE: u8 = 2;
const FIELD: u8 = 3;
const END: u8 = 4;

/// Passes what the fields of moves depend on besides their start: the plies, and where variations
/// and fields are.
///
/// # Errors
/// A step is compared with that of an encoder, and is another one.
pub fn pass_structure(
    steps: &mut impl Steps,
    kinds: &Kinds,
    plies: &[PlyKind],
    items: &mut Items<'_>,
) -> Result<(), OffTrace> {
    let mut items = items.iter_mut().peekable();
    for at in 0..=plies.len() {
        while let Some((_, item)) = items.next_if(|(ply, _)| *ply == at) {
            match item {
                Item::Mark(Mark::Open) => steps.pass(&[OPEN])?,
                Item::Mark(Mark::Close) => steps.pass(&[CLOSE])?,
                Item::Note(note) => {
                    for (_, kind) in fields_of(note, kinds) {
                        steps.pass(&[FIELD])?;
                        steps.pass(&kind.to_le_bytes())?;
                    }
                }
                _ => {}
            }
        }
        if let Some(ply) = plies.get(at) {
            let [low, high] = ply.to_bits().to_le_bytes();
            steps.pass(&[PLY, low, high])?;
        }
    }
    steps.pass(&[END])
}

const MISPLAYED: LineError = LineError::Invalid("a move that cannot be played");

impl From<MisplacedVariation> for LineError {
    fn from(_: MisplacedVariation) -> Self {
        LineError::Invalid("misplaced variation")
    }
}

/// The texts of the fields of moves of a comment, with their kinds.
fn fields_of<'n, 'a>(
    note: &'n mut Note<'a>,
    kinds: &'n Kinds,
) -> impl Iterator<Item = (&'n mut Cow<'a, [u8]>, u32)> {
    let kinds = kinds.of_template(note.template).iter();
    let fields = note.values.iter_mut().zip(kinds);
    fields.filter_map(|(value, kind)| match value {
        FieldContent::Text(text) => Some((text, (*kind)?)),
        FieldContent::Score(_) => None,
    })
}

/// The moves known from the game and its variations.
fn known(
    start: &LineState<'_>,
    plies: &[PlyKind],
    items: &Items<'_>,
) -> Result<NamedMoves, LineError> {
    let mut known = NamedMoves::default();
    let mut walker = Walker::new(start.clone());
    let mut items = items.iter().peekable();
    for (at, ply) in plies.iter().enumerate() {
        while let Some((_, item)) = items.next_if(|(ply, _)| *ply == at) {
            match item {
                Item::Mark(Mark::Open) => walker.open()?,
                Item::Mark(Mark::Close) => walker.close()?,
                _ => {}
            }
        }
        let source = if walker.is_main() {
            MoveSource::Game
        } else {
            MoveSource::Variation
        };
        if let Some(game) = &walker.state().game {
            known.note(game.key(), source, *ply);
        }
        walker.step(|state| state.play(*ply).ok_or(MISPLAYED))?;
    }
    Ok(known)
}
