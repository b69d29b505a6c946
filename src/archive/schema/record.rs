//! A record as values of columns.

use super::fen_position::{FenPosition, start_number};
use super::residual::MoveLength;
use super::summary_row::SummaryRow;
use crate::annotation::TimeControl;
use crate::codec::trace::Trace;
use crate::index::IndexMoves;
use crate::model::{Ratings, SideInfo, StartInputs};
use crate::moves::Codec;
use crate::pgn::{Start, VerbatimReason};
use std::borrow::Cow;
use std::sync::Arc;

/// A record, encoded as values of columns. What is decoded with the moves is in its
/// [`Movetext`].
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredRecord<'a> {
    pub(crate) is_game: bool,
    pub(crate) verbatim_reason: Option<VerbatimReason>,
    pub(crate) layout: u8,
    pub(crate) roster: u32,
    /// The stored values of the roster's tag pairs, with back-references.
    pub(crate) values: Vec<Cow<'a, [u8]>>,
    /// The start position that replaces the text of the first FEN tag, whose value is
    /// then empty.
    pub(crate) set_up: Option<FenPosition>,
    pub(crate) start: Start,
    /// The keys of the first positions of the game.
    pub(crate) keys: Vec<u32>,
    /// The number of plies of the main line, also if the moves code it.
    pub(crate) main_line_plies: u64,
    pub(crate) movetext: Movetext<'a>,
    pub(crate) patch: Vec<u8>,
    pub(crate) tail: &'a [u8],
    /// The moves in the form that indexes use.
    pub(crate) index_moves: IndexMoves,
    /// What the summary of the segment needs of the game.
    pub(crate) summary: SummaryRow,
}

/// A movetext, encoded as values of columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Movetext<'a> {
    pub(crate) default_spelling: u8,
    /// The termination marker at the end of the movetext, plus 1; 0 if there is none or
    /// the moves code it.
    pub(crate) result: u8,
    /// The number of plies of the main line, or 0 if the moves code it.
    pub(crate) plies: u64,
    /// The number of plies of all variations.
    pub(crate) variation_plies: u64,
    /// The selector of the main line's codec, or 0 if it has no plies.
    pub(crate) codec: u8,
    pub(crate) moves: Cow<'a, [u8]>,
    pub(crate) variations: Cow<'a, [u8]>,
    pub(crate) marks: Cow<'a, [u8]>,
    /// The coded lines of moves in comments.
    pub(crate) lines: Cow<'a, [u8]>,
    /// The text of comments that the marks do not code.
    pub(crate) prose: Cow<'a, [u8]>,
    pub(crate) exceptions: Cow<'a, [u8]>,
    /// The ratings of the players, from the tag pairs.
    pub(crate) ratings: Ratings,
    /// The model of the segment, and its adaptation to this game, selected by the tag pairs.
    pub(crate) side_info: SideInfo<'a>,
    /// The time control, from the tag pairs.
    pub(crate) time: TimeControl,
    /// The trace of the encoder, while packing.
    pub(crate) trace: Option<Arc<GameTrace>>,
}

/// The trace of the encoder of a game whose moves a model codes.
#[derive(Debug, Clone)]
pub(crate) struct GameTrace {
    pub(crate) inputs: StartInputs,
    /// The moves. Their steps have no shares any more, with which they have been decoded.
    pub(crate) moves: StreamTrace,
    /// The lines in comments; empty if there are none.
    pub(crate) lines: StreamTrace,
}

/// The bytes that an encoder wrote, with its steps.
#[derive(Debug, Clone)]
pub(crate) struct StreamTrace {
    pub(crate) bytes: Box<[u8]>,
    pub(crate) steps: Trace,
}

impl StoredRecord<'_> {
    /// The value of the column "start".
    pub(crate) fn start_number(&self) -> u8 {
        start_number(self.start, self.set_up.as_ref())
    }

    /// The length of the moves, and the number of plies that predicts it.
    pub(crate) fn move_length(&self) -> MoveLength {
        MoveLength {
            plies: self.movetext.plies_of_moves(),
            bytes: self.movetext.moves.len() as u64,
        }
    }
}

impl Movetext<'_> {
    /// The number of plies coded in the moves, as far as the columns give it.
    pub(crate) fn plies_of_moves(&self) -> u64 {
        plies_of_moves(self.codec, self.plies, self.variation_plies)
    }
}

/// The number of plies coded in the moves of a record, as far as the columns give it. A
/// model codec codes the plies of variations there too.
pub(crate) fn plies_of_moves(codec: u8, plies: u64, variation_plies: u64) -> u64 {
    match codec == Codec::Model.selector() {
        true => plies.saturating_add(variation_plies),
        false => plies,
    }
}
