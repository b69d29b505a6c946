//! Encoding the movetext of a record.

use crate::annotation::{Notation, TimeControl};
use crate::archive::block::spelling::write_spellings;
use crate::archive::block::stream::{prove_moves, write_stream};
use crate::archive::block::variations::fold_variations;
use crate::archive::schema::record::{GameTrace, Movetext, StreamTrace};
use crate::archive::write::lines::plies_and_items;
use crate::chess::{ChessPosition, PlyKind};
use crate::codec::trace::Trace;
use crate::model::{Ratings, SegmentModel};
use crate::moves::{self, Codec, Line};
use crate::pgn::{GameTree, Node};
use std::sync::Arc;

/// Encodes the movetext of a tree. The moves are written with the best of the
/// candidate codecs, or with `radix` if no candidate can write them. `None` if a move is illegal or a variation is misplaced.
pub(crate) fn encode_movetext<'a>(
    tree: &GameTree<'a>,
    candidates: &[Codec],
    model: &'a SegmentModel,
    notation: &Notation,
) -> Option<Movetext<'a>> {
    let mut movetext = Movetext::default();
    let nodes = match tree.nodes.split_last() {
        Some((Node::Result(number), rest)) => {
            movetext.result = number + 1;
            rest
        }
        _ => &tree.nodes,
    };
    let (plies, mut items) = plies_and_items(nodes, notation);
    let main: Vec<PlyKind> = tree.plies().collect();
    movetext.variation_plies = (plies.len() - main.len()) as u64;
    let tags = tree.tags.iter().map(|tag| (tag.name, tag.value));
    movetext.ratings = Ratings::of_tags(tags.clone());
    movetext.side_info = model.side_info(tags.clone());
    movetext.time = TimeControl::of_tags(tags);
    let marks = notation.write(plies.len(), &items, movetext.time)?;
    (movetext.marks, movetext.prose) = (marks.bits.into(), marks.prose.into());
    let mut moves_trace = Trace::default();
    if !main.is_empty() {
        let line = Line {
            start: &tree.start,
            plies: &main,
            result: movetext.outcome(),
            ratings: movetext.ratings,
            side_info: movetext.side_info,
        };
        let written = match movetext.variation_plies {
            0 => write_line(line, candidates)?,
            _ => write_tree(tree, line, candidates)?,
        };
        moves_trace = movetext.set_moves(written, main.len());
    }
    let mut lines_trace = Trace::default();
    if notation.has_lines_in(&items) {
        let line_start = movetext.line_start(&tree.start);
        let (lines, trace) = notation.write_lines(&line_start, &plies, &mut items)?;
        (movetext.lines, lines_trace) = (lines.into(), trace);
    }
    let trace = movetext.game_trace(&tree.start, &moves_trace, lines_trace);
    movetext.trace = trace.map(Arc::new);
    let (default, exceptions) = write_spellings(tree);
    movetext.default_spelling = default.to_byte();
    movetext.exceptions = exceptions.into();
    Some(movetext)
}

/// The moves of a game, encoded with a codec.
struct EncodedMoves {
    codec: Codec,
    moves: Vec<u8>,
    variations: Vec<u8>,
    /// The trace, if the codec has a model.
    trace: Trace,
}

impl EncodedMoves {
    fn bytes(&self) -> usize {
        self.moves.len() + self.variations.len()
    }
}

/// Encodes the moves of a tree with variations; `line` is its main line.
fn write_tree(tree: &GameTree<'_>, line: Line<'_>, candidates: &[Codec]) -> Option<EncodedMoves> {
    let mut others = candidates.to_vec();
    others.retain(|codec| *codec != Codec::Model);
    let has_model = others.len() < candidates.len();
    let stream = has_model.then(|| write_stream(tree, line.context(), line.side_info));
    let stream = stream.flatten().map(|(moves, trace)| EncodedMoves {
        codec: Codec::Model,
        moves,
        variations: Vec::new(),
        trace,
    });
    let is_good_enough = |stream: &EncodedMoves| {
        let plies = tree
            .nodes
            .iter()
            .filter(|node| matches!(node, Node::Ply(..)));
        others.is_empty() || moves::is_small_enough(stream.bytes(), plies.count())
    };
    match stream {
        Some(stream) if is_good_enough(&stream) => Some(stream),
        stream => {
            let separate = EncodedMoves {
                variations: fold_variations(tree)?,
                ..write_line(line, &others)?
            };
            let stream = stream.filter(|stream| stream.bytes() < separate.bytes());
            Some(stream.unwrap_or(separate))
        }
    }
}

/// Encodes the moves of a main line.
fn write_line(line: Line<'_>, candidates: &[Codec]) -> Option<EncodedMoves> {
    let has_nulls = line.plies.contains(&PlyKind::Null);
    let mut candidates = candidates.to_vec();
    candidates.retain(|codec| !(has_nulls && codec.codes_plies()));
    let encoded = moves::encode_smallest(line, &candidates);
    let encoded = encoded.or_else(|_| moves::encode_smallest(line, &[Codec::Radix]));
    let moves::EncodedLine {
        codec,
        bytes,
        trace,
    } = encoded.ok()?;
    Some(EncodedMoves {
        codec,
        moves: bytes,
        variations: Vec::new(),
        trace,
    })
}

impl Movetext<'_> {
    /// The trace of a game from `start`. `None` if no model codes the moves, or if they are not
    /// those of the trace.
    fn game_trace(&self, start: &ChessPosition, moves: &Trace, lines: Trace) -> Option<GameTrace> {
        Some(GameTrace {
            inputs: self.start_inputs(start)?,
            moves: StreamTrace {
                bytes: self.moves.as_ref().into(),
                steps: prove_moves(&self.moves, moves).ok()?,
            },
            lines: StreamTrace {
                bytes: self.lines.as_ref().into(),
                steps: lines.shrink(),
            },
        })
    }

    /// Stores the encoded moves of a game whose main line has `plies` plies. Returns their trace.
    fn set_moves(&mut self, written: EncodedMoves, plies: usize) -> Trace {
        self.codec = written.codec.selector();
        self.moves = written.moves.into();
        self.variations = written.variations.into();
        if written.codec.codes_plies() {
            self.result = 0;
        } else {
            self.plies = plies as u64;
        }
        written.trace
    }
}
