//! The features of one move.

use super::actor::{mobility, zone};
use super::*;
use crate::chess::Rank;
use crate::model::exchange::{EVEN, estimated, exact, promoted};
use crate::model::squares::SquareCode;
use crate::model::table::{MaskedTable, table};

/// A move and data that its features share.
pub(super) struct MoveFeatures {
    m: Move,
    /// The role after the move.
    role: Role,
    captured: Option<Role>,
    /// The code of the target, without the moving piece.
    code: SquareCode,
    /// The bucket of the gain of the move, 0 to 6.
    wins: usize,
    /// The squares that the piece attacks from the target.
    reach: Bitboard,
    is_direct_check: bool,
    is_check: bool,
}

impl MoveFeatures {
    #[inline(always)]
    pub(super) fn new<L: Level>(
        features: &FeatureContext<'_>,
        actor: &PieceFeatures,
        m: Move,
        reach: Bitboard,
    ) -> Self {
        let board = features.board;
        let role = m.promotion.unwrap_or(m.role);
        let captured = if board.them().contains(m.to) {
            board.role_at(m.to)
        } else {
            board.ep_captured(m).map(|_| Role::Pawn)
        };
        let code = features.codes.at(m.to);
        let code = if actor.piece.attacks.contains(m.to) {
            code.without_own_attacker()
        } else {
            code
        };
        let needs_exchange = L::EXACT_EXCHANGES && code.theirs() >= 2 && code.ours() >= 1;
        let wins = match m.promotion {
            Some(role) => promoted(role, captured, code),
            None if needs_exchange && m.role != Role::King => exact(board, m, captured),
            None => estimated(m.role, captured, code),
        };
        let is_direct_check = reach.contains(board.their_king());
        let discovers = features.discoverers.contains(m.from)
            && !attacks::ray(board.their_king(), m.from).contains(m.to);
        MoveFeatures {
            m,
            role,
            captured,
            code,
            wins,
            reach,
            is_direct_check,
            is_check: is_direct_check || discovers,
        }
    }

    #[inline(always)]
    pub(super) fn emit<L: Level, S: FeatureSink>(
        &self,
        features: &FeatureContext<'_>,
        actor: &PieceFeatures,
        sink: &mut S,
    ) {
        let (role, wins, phase) = (actor.role(), self.wins, features.phase);
        let (to, to_number) = (self.m.to, self.m.to as usize);
        let captures = usize::from(self.captured.is_some());
        let checks = usize::from(self.is_check);

        let capture = role << 11 | self.victim(features) << 7 | self.code.number();
        of_move::<L, S>(sink, FeatureGroup::Capture, capture);
        let exchange = wins << 3 | captures << 2 | phase;
        let exchange = role << 9 | actor.safety << 6 | exchange;
        of_move::<L, S>(sink, FeatureGroup::Exchange, exchange);
        if actor.is_last && features.history.ours().is_some_and(|last| last.from == to) {
            of_move::<L, S>(sink, FeatureGroup::Back, role << 2 | phase);
        }
        if self.is_check {
            let discovered = usize::from(!self.is_direct_check);
            let check = discovered << 8 | role << 5 | wins << 2 | phase;
            of_move::<L, S>(sink, FeatureGroup::Check, check);
        }
        if self.m.role == Role::King && features.board.us().contains(to) {
            of_move::<L, S>(sink, FeatureGroup::Castling, self.castling(features));
        }
        if self.m.promotion.is_some() {
            of_move::<L, S>(
                sink,
                FeatureGroup::Promotion,
                (self.role as usize) << 3 | wins,
            );
        }
        if self.m.role == Role::Pawn {
            let passed = (PASSED[to_number] & features.board.theirs(Role::Pawn).0) == 0;
            let rank = to.rank() as usize;
            let step = rank << 6 | usize::from(passed) << 5 | wins << 2 | phase;
            of_move::<L, S>(sink, FeatureGroup::PawnStep, step);
        } else {
            let more = 6 + mobility(features, self.reach);
            let more = more.saturating_sub(actor.mobility).min(12);
            of_move::<L, S>(sink, FeatureGroup::Mobility, role << 6 | more << 2 | phase);
        }
        let threats =
            features
                .threats
                .new_threats::<S::Instructions>(&actor.piece, self.role, self.reach);
        of_move::<L, S>(
            sink,
            FeatureGroup::NewThreats,
            threats << 6 | role << 3 | wins,
        );
        let pawns = role << 10 | self.pawns(features) << 6 | to_number;
        of_move::<L, S>(sink, FeatureGroup::PawnSquares, pawns);
        if matches!(self.m.role, Role::Rook | Role::Queen) {
            of_move::<L, S>(sink, FeatureGroup::Files, self.files(features));
        }
        let rated = features.rating << 7 | wins << 4 | captures << 3 | actor.safety;
        of_move::<L, S>(sink, FeatureGroup::RatedExchange, rated);
        if let Some(captured) = self.captured {
            let trade = role << 6 | (captured as usize) << 3 | wins;
            of_move::<L, S>(sink, FeatureGroup::Trade, features.balance << 9 | trade);
        }
        self.emit_threats::<L, S>(features, actor, sink);
        let outcome = features.result << 1 | usize::from(features.is_last);
        let outcome = outcome << 7 | wins << 4 | checks << 3 | captures << 2 | phase;
        of_move::<L, S>(sink, FeatureGroup::Outcome, outcome);
        let near = zone(features, self.reach) << 4 | actor.zone << 2 | phase;
        of_move::<L, S>(sink, FeatureGroup::KingZone, role << 6 | near);
        let defended = usize::from(self.code.ours() > 0);
        let least = role << 10 | self.code.least() << 7 | defended << 6 | to_number;
        of_move::<L, S>(sink, FeatureGroup::LeastAttacker, least);
        of_move::<L, S>(
            sink,
            FeatureGroup::Hits,
            role << 9 | self.hits::<S>(features),
        );
    }

    /// Emits the groups of hanging pieces and of threats.
    #[inline(always)]
    fn emit_threats<L: Level, S: FeatureSink>(
        &self,
        features: &FeatureContext<'_>,
        actor: &PieceFeatures,
        sink: &mut S,
    ) {
        let (role, wins, threats) = (actor.role(), self.wins, &features.threats);
        let captures = usize::from(self.captured.is_some());
        if let Some(last) = features.history.theirs()
            && self.reach.contains(last.to)
            && let Some(theirs) = features.board.role_at(last.to)
        {
            let safe = usize::from(wins >= EVEN);
            let defended = usize::from(features.theirs().any().contains(last.to));
            let aim = role << 5 | (theirs as usize) << 2 | safe << 1 | defended;
            of_move::<L, S>(sink, FeatureGroup::Aim, aim);
        }
        if let Some(response) = self.response(features, actor) {
            of_move::<L, S>(sink, FeatureGroup::Response, response << 3 | wins);
        }
        let losses = threats.losses::<S::Instructions>(
            &actor.threats,
            &actor.piece,
            self.m.to,
            self.reach,
            self.relief(features),
        );
        let checks = usize::from(self.is_check);
        let loss = losses << 9 | role << 6 | wins << 3 | checks << 2 | features.phase;
        of_move::<L, S>(sink, FeatureGroup::Losses, loss);
        let gains =
            threats.gains::<S::Instructions>(&actor.threats, self.m.to, self.role, self.reach);
        let gain = gains << 8 | losses << 4 | wins << 1 | captures;
        of_move::<L, S>(sink, FeatureGroup::Gains, gain);
    }

    /// The captured piece: 0 none; 1 to 5 the role, plus 5 if it has just captured there, or
    /// plus 10 if it has just moved there without a capture.
    #[inline(always)]
    fn victim(&self, features: &FeatureContext<'_>) -> usize {
        let Some(captured) = self.captured else {
            return 0;
        };
        let last = features
            .history
            .theirs()
            .filter(|last| last.to == self.m.to);
        let newcomer = last.map_or(0, |last| if last.captured.is_some() { 5 } else { 10 });
        captured as usize + newcomer
    }

    #[inline(always)]
    fn castling(&self, features: &FeatureContext<'_>) -> usize {
        let kingside = usize::from(self.m.to > self.m.from);
        let hanging = usize::from(features.threats.hanging.any());
        let both = usize::from(features.board.castling_rooks().more_than_one());
        kingside << 5 | features.ply_bucket << 2 | hanging << 1 | both
    }

    /// Four bits, from the lowest: a pawn of ours attacks the target; a pawn of theirs could
    /// attack it after a step; a pawn of theirs is on the square ahead; a pawn of ours is on
    /// the square ahead.
    #[inline(always)]
    fn pawns(&self, features: &FeatureContext<'_>) -> usize {
        let (board, target) = (features.board, Bitboard::from_square(self.m.to));
        let ahead = target.shift(8);
        let has = |pieces: Bitboard, square: Bitboard| usize::from((pieces & square).any());
        has(board.ours(Role::Pawn), ahead) << 3
            | has(board.theirs(Role::Pawn), ahead) << 2
            | has(features.pawn_steps, target) << 1
            | has(features.ours.pawns, target)
    }

    #[inline(always)]
    fn files(&self, features: &FeatureContext<'_>) -> usize {
        let seventh = usize::from(self.m.to.rank() == Rank::Seventh);
        let queen = usize::from(self.m.role == Role::Queen);
        let files = features.file(self.m.to) << 2 | features.file(self.m.from);
        files << 2 | seventh << 1 | queen
    }

    /// The squares that the captured piece attacked.
    #[inline(always)]
    fn relief(&self, features: &FeatureContext<'_>) -> Bitboard {
        match self.captured {
            Some(captured) => their_reach(captured, self.m.to, features.board.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// The response to hanging pieces: the role of the top hanging piece and, in three bits,
    /// 0 moves it, 1 captures its only attacker, 2 interposes, 3 newly defends it, 4 gives
    /// check, 5 captures, 6 other.
    #[inline(always)]
    fn response(&self, features: &FeatureContext<'_>, actor: &PieceFeatures) -> Option<usize> {
        let top = features.threats.top.as_ref()?;
        let response = if self.m.from == top.square {
            0
        } else if top.attacker == Some(self.m.to) {
            1
        } else if top.line.contains(self.m.to) {
            2
        } else if (self.reach & !actor.piece.attacks).contains(top.square) {
            3
        } else if self.is_check {
            4
        } else if self.captured.is_some() {
            5
        } else {
            6
        };
        Some((top.role as usize) << 3 | response)
    }

    /// Nine bits, from the lowest: whether the piece, from the target, defends pawns,
    /// minors, rooks and queens of ours, and whether it attacks pawns, minors, rooks, queens
    /// and the king of theirs.
    #[inline(always)]
    fn hits<S: FeatureSink>(&self, features: &FeatureContext<'_>) -> usize {
        let (board, reach) = (features.board, self.reach);
        let hit = |squares| S::Instructions::signature([(squares, &features.pieces_by_class)]);
        let king = usize::from(self.is_direct_check);
        let ours = board.us().without(self.m.from);
        king << 8 | hit(reach & board.them()) << 4 | hit(reach & ours)
    }
}

/// The squares ahead of each square on its file and the adjacent files.
static PASSED: MaskedTable<u64, 64> = table!([0; 64], |number| passed(number));

const fn passed(square: u32) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let (file, rank) = (square & 7, square >> 3);
    let files = match file {
        0 => FILE_A | FILE_A << 1,
        7 => FILE_A << 6 | FILE_A << 7,
        _ => (FILE_A | FILE_A << 1 | FILE_A << 2) << (file - 1),
    };
    match rank {
        7 => 0,
        _ => files << (8 * (rank + 1)),
    }
}
