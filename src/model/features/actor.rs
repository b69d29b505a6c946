//! The features that all moves of a piece share.

use super::*;
use crate::model::squares::safety;
use crate::model::table::MaskedTable;
use crate::model::threats::PieceThreats;

/// A piece and the data that all its moves share.
pub(super) struct PieceFeatures {
    pub(super) piece: PieceTargets,
    /// Its safety on its square, 0 to 4.
    pub(super) safety: usize,
    pub(super) threats: PieceThreats,
    /// Whether it made our last move.
    pub(super) is_last: bool,
    pub(super) mobility: usize,
    pub(super) zone: usize,
}

impl PieceFeatures {
    #[inline(always)]
    pub(super) fn new(features: &FeatureContext<'_>, piece: &PieceTargets) -> Self {
        let last = features.history.ours();
        PieceFeatures {
            piece: *piece,
            safety: safety(piece.role, features.codes.at(piece.from)),
            threats: features.threats.of(piece, &features.ours),
            is_last: last.is_some_and(|last| last.to == piece.from),
            mobility: mobility(features, piece.attacks),
            zone: zone(features, piece.attacks),
        }
    }

    /// The number of its role.
    #[inline(always)]
    pub(super) fn role(&self) -> usize {
        self.piece.role as usize
    }

    #[inline(always)]
    pub(super) fn emit_actor<L: Level, S: FeatureSink>(
        &self,
        features: &FeatureContext<'_>,
        shielded: &MaskedTable<Option<Role>, 64>,
        sink: &mut S,
    ) {
        let (role, from, phase) = (self.role(), self.piece.from, features.phase);
        let code = features.codes.at(from).number();
        let origin = phase << 9 | role << 6 | from as usize;
        of_piece::<L, S>(sink, FeatureGroup::Origin, origin);
        of_piece::<L, S>(sink, FeatureGroup::Standing, role << 9 | code << 2 | phase);
        if let Some(again) = self.again(features) {
            of_piece::<L, S>(sink, FeatureGroup::Again, role << 5 | phase << 3 | again);
        }
        if let Some(last) = features.history.theirs()
            && let Some(theirs) = features.board.role_at(last.to)
            && L::GROUPS.has(FeatureGroup::Harried)
            && their_reach(theirs, last.to, features.board.occupied()).contains(from)
        {
            let defended = usize::from(features.ours.any().contains(from));
            let harried = role << 4 | (theirs as usize) << 1 | defended;
            of_piece::<L, S>(sink, FeatureGroup::Harried, harried);
        }
        let shield = shielded[from as usize].map_or(0, |role| role as usize);
        of_piece::<L, S>(sink, FeatureGroup::Shield, role << 3 | shield);
        if L::GROUPS.has(FeatureGroup::Surroundings) {
            let around = surroundings::<L>(features, self.piece.role, from);
            sink.of_piece(L::WEIGHTS.number(FeatureGroup::Surroundings, around));
        }
    }

    /// Whether it made our last move: 0 to 3, plus 2 if that was a capture and
    /// plus 1 if their last move took back their last but one. 4 if it made our
    /// last move but one.
    #[inline(always)]
    fn again(&self, features: &FeatureContext<'_>) -> Option<usize> {
        let history = features.history;
        if self.is_last {
            let captured = history.ours().is_some_and(|last| last.captured.is_some());
            return Some(usize::from(captured) << 1 | usize::from(history.they_went_back()));
        }
        let before = history.ours_before()?;
        (before.to == self.piece.from).then_some(4)
    }
}

/// The number of squares open to a piece that attacks these squares.
#[inline(always)]
pub(super) fn mobility(features: &FeatureContext<'_>, attacks: Bitboard) -> usize {
    (attacks & !features.board.us() & !features.theirs().pawns).count()
}

/// The number of these squares that are their king's or adjacent to it. The
/// maximum is 3.
#[inline(always)]
pub(super) fn zone(features: &FeatureContext<'_>, attacks: Bitboard) -> usize {
    (attacks & features.king_zone).count().min(3)
}
