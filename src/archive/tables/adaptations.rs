//! The adaptations of models to a segment: fitted to its games, stored as one
//! table per model.

use crate::archive::error::ContentError;
use crate::archive::schema::registry::ADAPTATION;
use crate::chess::{ChessPosition, PlyKind};
use crate::codec::error::CodecError;
use crate::container::{ContainerError, Tables};
use crate::limits::Limits;
use crate::model::{
    Adaptation, Adaptations, BuiltinModel, GameContext, Ratings, SampleGame, players,
};
use crate::pgn::{Lexeme, Node, outcome_of_marker, parse};
use std::collections::BTreeSet;

/// Writes a table for each model with an adaptation.
pub(crate) fn write_adaptations(
    adaptations: &Adaptations,
    tables: &mut Tables,
) -> Result<(), ContainerError> {
    for (model, adaptation) in adaptations.iter() {
        tables.push(ADAPTATION, model.number().into(), &adaptation.to_bytes())?;
    }
    Ok(())
}

/// Reads the adaptations. Their models must be in the segment's list of models.
pub(crate) fn read_adaptations(
    tables: &Tables,
    models: &[BuiltinModel],
    limits: &Limits,
) -> Result<Adaptations, ContentError> {
    let mut adaptations = Adaptations::default();
    let mut left = limits.tables_bytes;
    for table in tables.iter().filter(|table| table.kind == ADAPTATION) {
        let model = BuiltinModel::from_number(table.key).filter(|model| models.contains(model));
        let model = model.ok_or(ContentError::Invalid(
            "an adaptation of a model that the segment does not name",
        ))?;
        if table.bytes.is_empty() {
            return Err(ContentError::Invalid("an adaptation without bytes"));
        }
        let adaptation = Adaptation::from_bytes(table.bytes)?;
        left = left
            .checked_sub(adaptation.memory_bytes())
            .ok_or(CodecError::Limit("adaptations"))?;
        adaptations.insert(model, adaptation);
    }
    Ok(adaptations)
}

/// Fits the adaptations of models to the games of a segment.
pub(crate) fn fit_adaptations(
    games: &[FitGame<'_>],
    models: &BTreeSet<BuiltinModel>,
) -> Adaptations {
    let mut adaptations = Adaptations::default();
    let standard = ChessPosition::standard();
    let games: Vec<SampleGame<'_>> = games.iter().map(|seen| seen.game(&standard)).collect();
    for model in models {
        let adaptation = model.fit_adaptation(&games);
        if adaptation != Adaptation::default() {
            adaptations.insert(*model, adaptation);
        }
    }
    adaptations
}

/// The part of a game to which models are fitted.
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
