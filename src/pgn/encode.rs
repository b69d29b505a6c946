//! Encodes a record as tree, layout and patch.

use super::compare::{break_len, comment_breaks, match_gap, unwrap_comment};
use super::layout::Layout;
use super::parse::Parsed;
use super::patch::Patch;
use super::render::render_flow;
use super::scan::LexemeKind;
use super::steps::{Lexed, steps};
use super::tree::{GameTree, Node};
use std::collections::BTreeMap;
use std::ops::Range;

/// The maximum number of rounds. Patching the breaks that a layout gets wrong
/// can change the breaks before them; more rounds are not worth it.
const MAX_ROUNDS: usize = 4;

/// A record encoded with a layout.
#[derive(Debug)]
pub struct Encoded<'a> {
    /// The tree, with the text of comments as this layout requires it.
    pub tree: GameTree<'a>,
    /// The pieces that the layout gets wrong.
    pub patch: Patch<'a>,
}

/// Finds the patch with which `layout` reproduces the record's text. `None` if
/// there is none, if it is too long, or if it would take more than a few rounds
/// to find.
pub fn encode<'a>(record: &'a [u8], parsed: &Parsed<'a>, layout: &Layout) -> Option<Encoded<'a>> {
    let tree = unwrap_comments(&parsed.tree, layout);
    let (mut patch, gaps) = patch_pieces(record, parsed, layout);
    for _ in 0..MAX_ROUNDS {
        let wrong = differing_breaks(record, &tree, layout, &patch, &gaps)?;
        if patch.is_full() {
            return None;
        }
        if wrong.is_empty() {
            return Some(Encoded { tree, patch });
        }
        for (piece, range) in wrong {
            patch.push(piece, record.get(range)?);
        }
        patch.sort();
    }
    None
}

/// The tree with comments unwrapped.
fn unwrap_comments<'a>(tree: &GameTree<'a>, layout: &Layout) -> GameTree<'a> {
    let mut tree = tree.clone();
    for node in &mut tree.nodes {
        if let Node::Comment(text) = node
            && let std::borrow::Cow::Owned(flowing) = unwrap_comment(text, layout)
        {
            *text = flowing.into();
        }
    }
    tree
}

/// Patches the pieces that differ by more than line breaks. Also returns the
/// range of each gap.
fn patch_pieces<'a>(
    record: &'a [u8],
    parsed: &Parsed<'_>,
    layout: &Layout,
) -> (Patch<'a>, BTreeMap<u64, Range<usize>>) {
    let mut patch = Patch::default();
    let mut gaps = BTreeMap::new();
    let mut piece = 0;
    let tree = &parsed.tree;
    let text = Lexed {
        record,
        lexemes: &parsed.lexemes,
        start: &tree.start,
    };
    for step in steps(text, tree.tail.is_empty()) {
        let range = step.start..step.start + step.gap.len();
        let fits = match layout.gap(step.context) {
            Some(template) => match_gap(template, layout, &step, |_| {}),
            None => step.gap.is_empty(),
        };
        if !fits && let Some(gap) = record.get(range.clone()) {
            patch.push(piece, gap);
        }
        gaps.insert(piece, range);
        let Some(lexeme) = step.lexeme else { break };
        let text = record.get(lexeme.start..lexeme.end).unwrap_or_default();
        if lexeme.kind == LexemeKind::Comment && layout.wrap.wraps_comments() {
            piece += comment_breaks(text, layout).count() as u64;
        }
        piece += 1;
        if lexeme.kind == LexemeKind::TagValue && matches!(text, [.., b' ' | b'\t', b']']) {
            patch.push(piece, text);
        }
        piece += 1;
    }
    (patch, gaps)
}

/// The break opportunities at which the record differs from the layout, each
/// with the range that the patch must cover. `None` if the text differs
/// elsewhere.
fn differing_breaks(
    record: &[u8],
    tree: &GameTree<'_>,
    layout: &Layout,
    patch: &Patch<'_>,
    gaps: &BTreeMap<u64, Range<usize>>,
) -> Option<Vec<(u64, Range<usize>)>> {
    let flow = render_flow(tree, layout, patch, record.len()).ok()?;
    let mut wrong: Vec<(u64, Range<usize>)> = Vec::new();
    let mut at = Some(0);
    flow.wrap(layout.wrap, |stretch, place| {
        at = at.filter(|at| {
            record
                .get(*at..)
                .is_some_and(|rest| rest.starts_with(stretch))
        });
        let start = at.unwrap_or_default() + stretch.len();
        let Some(place) = place else {
            at = at.map(|_| start);
            return false;
        };
        let seen = break_len(record.get(start..).unwrap_or_default(), layout);
        at = at.and(seen).map(|(len, _)| start + len);
        let (len, is_broken) = seen.unwrap_or_default();
        let is_new = wrong.last().is_none_or(|(piece, _)| *piece != place.piece);
        if is_broken != place.breaks && is_new {
            let range = gaps.get(&place.piece).cloned();
            wrong.push((place.piece, range.unwrap_or(start..start + len)));
        }
        is_broken
    });
    let end = record.len() - tree.tail.len();
    (at == Some(end)).then_some(wrong)
}
