//! Fitting the distributions of lines of moves in comments to a segment.

use crate::annotation::lines::{FAMILIES, LineState};
use crate::annotation::{Item, Items, Notation};
use crate::archive::write::source_reader::SegmentText;
use crate::chess::PlyKind;
use crate::codec::distributions::Tally;
use crate::model::{BuiltinFollower, BuiltinModel, GameAdaptation, GameContext};
use crate::parallel;
use crate::pgn::{Lexeme, Node, Record, Scanner, parse};

/// The distributions are fitted to a sample of about this many bytes of text from
/// the whole segment.
const FITTED_BYTES: usize = 8 << 20;

/// Fits the distributions of lines in a segment's comments; `None` if there are
/// no lines. `has_model` says whether a model codes the moves.
pub(crate) fn fit_lines(
    segment: &SegmentText,
    notation: &Notation,
    has_model: bool,
) -> Option<Vec<u8>> {
    if !notation.has_lines() {
        return None;
    }
    let stride = segment.text.len().div_ceil(FITTED_BYTES).max(1);
    let games = segment.records.iter().filter(|record| record.is_game);
    let sample: Vec<&Record> = games.step_by(stride).collect();
    let (tally, _) = parallel::fold(
        sample,
        || Tally::new(&FAMILIES),
        |tally, record| count(tally, segment.bytes(record), notation, has_model),
        |tally, other| tally.merge(&other),
    );
    Some(tally.fit())
}

/// Counts the lines of a record. It does not matter which model follows the game.
fn count(tally: &mut Tally, bytes: &[u8], notation: &Notation, has_model: bool) {
    let lexemes: Vec<Lexeme> = Scanner::new(bytes).collect();
    let tree = parse(bytes, &lexemes).tree;
    let start = &tree.start;
    let game = has_model.then(|| {
        BuiltinFollower::new(
            BuiltinModel::Fast,
            start,
            GameContext::default(),
            GameAdaptation::NONE,
        )
        .ok()
    });
    let line_start = LineState {
        position: start.clone(),
        game: game.flatten(),
    };
    let (plies, mut items) = plies_and_items(&tree.nodes, notation);
    notation.count_lines(tally, &line_start, &plies, &mut items);
}

/// The plies of all lines of a movetext, and the items between them.
pub(crate) fn plies_and_items<'a>(
    nodes: &'a [Node<'_>],
    notation: &Notation,
) -> (Vec<PlyKind>, Items<'a>) {
    let (mut plies, mut items) = (Vec::new(), Items::new());
    for node in nodes {
        // A null move is both a mark and a ply.
        items.extend(Item::of(node, notation.templates()).map(|item| (plies.len(), item)));
        if let Node::Ply(ply, _) = node {
            plies.push(*ply);
        }
    }
    (plies, items)
}
