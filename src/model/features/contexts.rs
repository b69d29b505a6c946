//! Lines of 64 weights, one for each target, selected by a piece and a context.

use super::*;

/// The hashed contexts of a position; `None` if a context does not exist.
pub(super) struct Contexts {
    our_last: Option<u64>,
    their_move: Option<u64>,
    our_plan: Option<u64>,
    opening: Option<u64>,
    position: Option<u64>,
    rated_position: Option<u64>,
    top_hanging: Option<u64>,
}

/// The number of plies with the contexts of the ply and of the position.
const OPENING_PLIES: u32 = 24;

/// The number of plies with the context of the position and the rating.
const RATED_PLIES: u32 = 20;

impl Contexts {
    #[inline(always)]
    pub(super) fn new(features: &FeatureContext<'_>) -> Self {
        let history = features.history;
        let number = |role: Role, square: Square| (role as u64) << 6 | u64::from(square.to_u32());
        let our_last = history.ours().map(|last| number(last.role, last.to));
        let before = history.ours_before().map(|m| number(m.role, m.to));
        let their_move = history
            .theirs()
            .map(|last| number(last.role, last.to) << 6 | u64::from(last.from.to_u32()));
        let rooks = features.board.castling_rooks() | features.board.their_castling_rooks();
        let position = mix(features.board.hash() ^ rooks.0);
        let rated = position.wrapping_add(features.rating as u64);
        let top = features.threats.top.as_ref();
        Contexts {
            our_last: our_last.map(mix),
            their_move: their_move.map(mix),
            our_plan: our_last
                .zip(before)
                .map(|(last, before)| mix(last << 9 | before)),
            opening: (features.ply < OPENING_PLIES).then(|| mix(features.ply.into())),
            position: (features.ply < OPENING_PLIES).then_some(position),
            rated_position: (features.ply < RATED_PLIES).then(|| mix(rated)),
            top_hanging: top.map(|top| mix(number(top.role, top.square))),
        }
    }

    #[inline(always)]
    pub(super) fn emit<L: Level, S: FeatureSink>(
        &self,
        features: &FeatureContext<'_>,
        actor: &PieceFeatures,
        sink: &mut S,
    ) {
        let (role, from) = (actor.role(), actor.piece.from as usize);
        let (king, their_king) = (features.board.king(), features.board.their_king());
        dense::<L, S>(sink, FeatureGroup::PhaseTargets, features.phase << 3 | role);
        dense::<L, S>(sink, FeatureGroup::OriginTargets, role << 6 | from);
        dense::<L, S>(
            sink,
            FeatureGroup::TheirKing,
            (their_king as usize) << 3 | role,
        );
        dense::<L, S>(sink, FeatureGroup::OurKing, (king as usize) << 3 | role);
        if let Some(last) = features.history.theirs() {
            let last = (last.role as usize) << 6 | last.to as usize;
            dense::<L, S>(sink, FeatureGroup::TheirLast, last << 3 | role);
        }
        let piece = role << 6 | from;
        sparse::<L, S>(sink, FeatureGroup::OurLast, self.our_last, piece);
        sparse::<L, S>(sink, FeatureGroup::TheirMove, self.their_move, piece);
        sparse::<L, S>(sink, FeatureGroup::OurPlan, self.our_plan, piece);
        sparse::<L, S>(sink, FeatureGroup::Opening, self.opening, piece);
        sparse::<L, S>(sink, FeatureGroup::Position, self.position, piece);
        sparse::<L, S>(
            sink,
            FeatureGroup::RatedPosition,
            self.rated_position,
            piece,
        );
        sparse::<L, S>(sink, FeatureGroup::TopHanging, self.top_hanging, piece);
    }
}

/// Emits the line with this number of a group.
#[inline(always)]
fn dense<L: Level, S: FeatureSink>(sink: &mut S, group: FeatureGroup, line: usize) {
    if L::GROUPS.has(group) {
        sink.line(L::WEIGHTS.number(group, line << 6));
    }
}

/// Emits the line that the hash of a context and a piece selects. Lines can
/// collide, so the same hash also selects the permutation of the targets in the
/// line.
#[inline(always)]
fn sparse<L: Level, S: FeatureSink>(
    sink: &mut S,
    group: FeatureGroup,
    context: Option<u64>,
    piece: usize,
) {
    if L::GROUPS.has(group)
        && let Some(context) = context
    {
        let hash = mix(context ^ piece as u64);
        let line = highest(hash, L::HASH_BITS - 6);
        sink.hashed_line(L::WEIGHTS.number(group, line << 6), highest(hash << 58, 6));
    }
}
