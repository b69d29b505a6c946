//! The adaptation of a segment's model: fitted to its games, stored as a table.

use crate::archive::error::ContentError;
use crate::archive::schema::registry::ADAPTATION;
use crate::chess::{ChessPosition, PlyKind};
use crate::codec::error::CodecError;
use crate::container::registry::MODEL;
use crate::container::{ContainerError, Tables};
use crate::limits::Limits;
use crate::model::{
    Adaptation, GameContext, MoveModel, Ratings, SampleGame, SegmentModel, players,
};
use crate::pgn::{Lexeme, Node, outcome_of_marker, parse};

/// Writes the table of a model.
pub(crate) fn write_model(model: &SegmentModel, tables: &mut Tables) -> Result<(), ContainerError> {
    match model.model() {
        Some(model) => tables.push(MODEL, 0, &model.digest()),
        None => Ok(()),
    }
}

/// Writes the table of the adaptation of a model.
pub(crate) fn write_adaptation(
    model: &SegmentModel,
    tables: &mut Tables,
) -> Result<(), ContainerError> {
    match model.adaptation().map(Adaptation::to_bytes) {
        Some(bytes) if !bytes.is_empty() => tables.push(ADAPTATION, 0, &bytes),
        _ => Ok(()),
    }
}

/// Reads the adaptation of a model.
pub(crate) fn read_adaptation(
    tables: &Tables,
    model: Option<MoveModel>,
    limits: &Limits,
) -> Result<SegmentModel, ContentError> {
    let table = tables.get(ADAPTATION, 0);
    let Some(model) = model else {
        return match table {
            Some(_) => Err(ContentError::Invalid("an adaptation without a model")),
            None => Ok(SegmentModel::default()),
        };
    };
    if table.is_some_and(<[u8]>::is_empty) {
        return Err(ContentError::Invalid("an adaptation without bytes"));
    }
    let adaptation = Adaptation::from_bytes(table.unwrap_or_default())?;
    if adaptation.memory_bytes() > limits.tables_bytes {
        return Err(CodecError::Limit("adaptation").into());
    }
    Ok(SegmentModel::new(model, adaptation))
}

/// Fits the adaptation of a model to the games of a segment.
pub(crate) fn fit_adaptation(games: &[FitGame<'_>], model: &MoveModel) -> SegmentModel {
    let standard = ChessPosition::standard();
    let games: Vec<SampleGame<'_>> = games.iter().map(|seen| seen.game(&standard)).collect();
    SegmentModel::new(model.clone(), model.fit_adaptation(&games))
}

/// The part of a game to which a model is fitted.
pub(crate) struct FitGame<'t> {
    /// The start position; `None` for the standard one.
    start: Option<Box<ChessPosition>>,
    plies: Box<[PlyKind]>,
    context: GameContext,
    white: &'t [u8],
    black: &'t [u8],
}

impl<'t> FitGame<'t> {
    /// Parses a game and retains at most `most` plies of its main line.
    pub(crate) fn new(text: &'t [u8], lexemes: &[Lexeme], most: usize) -> Self {
        let tree = parse(text, lexemes).tree;
        let tags = tree.tags.iter().map(|tag| (tag.name, tag.value));
        let outcome = match tree.nodes.last() {
            Some(Node::Result(number)) => outcome_of_marker(*number),
            _ => None,
        };
        let context = GameContext {
            ratings: Ratings::of_tags(tags.clone()),
            outcome,
            plies: u32::try_from(tree.plies().count()).unwrap_or(u32::MAX),
        };
        let [white, black] = players(tags);
        let is_standard = tree.start == ChessPosition::standard();
        FitGame {
            start: (!is_standard).then(|| Box::new(tree.start.clone())),
            plies: tree.plies().take(most).collect(),
            context,
            white,
            black,
        }
    }

    fn game<'s>(&'s self, standard: &'s ChessPosition) -> SampleGame<'s> {
        SampleGame {
            start: self.start.as_deref().unwrap_or(standard),
            plies: &self.plies,
            context: self.context,
            white: self.white,
            black: self.black,
        }
    }
}
