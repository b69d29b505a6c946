use super::*;
use crate::chess::{ChessPosition, PlyKind, Rules, SanText};
use crate::model::groups::{Fast, Groups, Max};
use crate::model::{Baseline, Board, GameContext, Legal, MoveHistory, Ratings};

/// Collects the features of one move, each as a group and an index.
#[derive(Default)]
struct CollectedFeatures {
    wanted: Option<Move>,
    of_piece: Case,
    lines: Vec<(usize, usize)>,
    of_targets: Vec<(Square, usize)>,
    now: Case,
    found: Case,
    is_wanted: bool,
}

impl FeatureSink for CollectedFeatures {
    type Instructions = Baseline;

    fn piece(&mut self, _: &PieceTargets) {
        self.of_piece = Case::default();
        self.lines.clear();
        self.of_targets.clear();
    }

    fn of_piece(&mut self, weight: usize) {
        self.of_piece.weights.push(weight);
    }

    fn row_of_piece(&mut self, row: usize) {
        self.of_piece.rows.push(row);
    }

    fn hashed_line(&mut self, weight: usize, turn: usize) {
        self.lines.push((weight, turn));
    }

    fn target(&mut self, to: Square, weight: Option<usize>) {
        self.of_targets.extend(weight.map(|weight| (to, weight)));
    }

    fn begin(&mut self, m: &Move) {
        self.is_wanted = Some(*m) == self.wanted;
        let lines = self.lines.iter();
        let of_lines = lines.map(|(first, turn)| first + (m.to as usize ^ turn));
        self.now = self.of_piece.clone();
        self.now.weights.extend(of_lines);
        let of_target = self.of_targets.iter().filter(|(to, _)| *to == m.to);
        self.now.weights.extend(of_target.map(|(_, weight)| weight));
    }

    fn of_move(&mut self, weight: usize) {
        self.now.weights.push(weight);
    }

    fn row_of_move(&mut self, row: usize) {
        self.now.rows.push(row);
    }

    fn end(&mut self) {
        if self.is_wanted {
            self.found = std::mem::take(&mut self.now);
        }
    }
}

/// The features of a move that is played from a position after others.
#[derive(Default, Clone)]
struct Case {
    weights: Vec<usize>,
    rows: Vec<usize>,
}

fn case<L: Level>(fen: &str, sans: &[&str], context: GameContext) -> Case {
    let mut position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
    let mut board = Board::new(&position).expect("chess");
    let mut history = MoveHistory::default();
    let (last, before) = sans.split_last().expect("a move");
    let named = |position: &ChessPosition, board: &Board, san: &str| -> (PlyKind, Move) {
        let text = SanText::parse(san.as_bytes()).expect("SAN");
        let (ply, _) = position.read(&text).expect("legal");
        (ply, board.move_of_ply(ply).expect("a move"))
    };
    for san in before {
        let (ply, m) = named(&position, &board, san);
        position.make(ply).expect("legal");
        let changes = board.play(m);
        history.push(m, &changes);
    }
    let ply = u32::try_from(before.len()).expect("short");
    let legal = Legal::new(&board);
    let features = FeatureContext::new::<Baseline>(&board, &legal, &history, &context, ply);
    let (_, wanted) = named(&position, &board, last);
    let mut collected = CollectedFeatures {
        wanted: Some(wanted),
        ..CollectedFeatures::default()
    };
    emit_features::<L, _>(&features, &mut collected);
    collected.found
}

impl Case {
    /// The index of a group of the level `max`, if it was emitted.
    fn index(&self, group: FeatureGroup) -> Option<usize> {
        let (starts, collected) = if Groups::WEIGHTED.has(group) {
            (Max::WEIGHTS, &self.weights)
        } else {
            (Max::ROWS, &self.rows)
        };
        let start = starts.number(group, 0);
        let bits = match FeatureGroup::ALL[group as usize].1 {
            0 => Max::HASH_BITS,
            bits => bits,
        };
        let mut collected = collected.iter();
        let found = collected.find(|number| (start..start + (1 << bits)).contains(number))?;
        Some(found - start)
    }

    fn expect(&self, group: FeatureGroup, index: usize) {
        assert_eq!(self.index(group), Some(index), "{group:?}");
    }
}

fn max(fen: &str, sans: &[&str]) -> Case {
    case::<Max>(fen, sans, GameContext::default())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The move 1. e4: a pawn (1) from e2 (12) to e4 (28). Neither side attacks e4, also after it.
#[test]
fn the_first_move() {
    let case = max(START, &["e4"]);
    case.expect(FeatureGroup::PhaseTargets, (1 << 6) + 28);
    case.expect(FeatureGroup::OriginTargets, (1 << 6 | 12) << 6 | 28);
    case.expect(FeatureGroup::TheirKing, (60 << 3 | 1) << 6 | 28);
    case.expect(FeatureGroup::OurKing, (4 << 3 | 1) << 6 | 28);
    case.expect(FeatureGroup::Origin, 1 << 6 | 12);
    case.expect(FeatureGroup::Standing, 1 << 9 | (3 << 5) << 2);
    case.expect(FeatureGroup::Capture, 1 << 11);
    case.expect(FeatureGroup::Exchange, 1 << 9 | 3 << 3);
    case.expect(FeatureGroup::PawnStep, 3 << 6 | 3 << 2);
    case.expect(FeatureGroup::PawnSquares, 1 << 10 | 28);
    case.expect(FeatureGroup::Outcome, 3 << 4);
    case.expect(FeatureGroup::Losses, 1 << 6 | 3 << 3);
    for group in [
        FeatureGroup::TheirLast,
        FeatureGroup::OurLast,
        FeatureGroup::TheirMove,
        FeatureGroup::OurPlan,
        FeatureGroup::TopHanging,
        FeatureGroup::Again,
        FeatureGroup::Harried,
        FeatureGroup::Back,
        FeatureGroup::Check,
        FeatureGroup::Castling,
        FeatureGroup::Promotion,
        FeatureGroup::Mobility,
        FeatureGroup::Files,
        FeatureGroup::Trade,
        FeatureGroup::Aim,
        FeatureGroup::Response,
    ] {
        assert_eq!(case.index(group), None, "{group:?}");
    }
    for group in [
        FeatureGroup::Opening,
        FeatureGroup::Position,
        FeatureGroup::RatedPosition,
    ] {
        assert!(case.index(group).is_some(), "{group:?}");
    }
}

/// The knight attacks the queen, which has just recaptured.
#[test]
fn a_threat_to_the_last_moved_piece() {
    let moves = ["e4", "d5", "exd5", "Qxd5", "Nc3"];
    let case = max(START, &moves);
    let (knight, queen) = (2, 5);
    case.expect(
        FeatureGroup::TheirLast,
        (queen << 6 | 35) << 9 | knight << 6 | 18,
    );
    // The queen is not defended, and the knight is safe on c3: the last bits of
    // Aim are 10.
    case.expect(FeatureGroup::Aim, knight << 5 | queen << 2 | 1 << 1);
    // c3 is defended by b2 and d2: two of ours, none of theirs.
    case.expect(FeatureGroup::Capture, knight << 11 | 2 << 5);
    // The knight defends a2 and d1.
    case.expect(FeatureGroup::Hits, knight << 9 | 1 << 7 | 0b1001);
    // The queen is newly attacked and belongs to the set of the highest value.
    case.expect(FeatureGroup::NewThreats, 0b1000 << 6 | knight << 3 | 3);
    // The pawn moved last; the knight did not.
    assert_eq!(case.index(FeatureGroup::Again), None);
    // Their queen does not attack b1, so Harried does not apply.
    assert_eq!(case.index(FeatureGroup::Harried), None);
}

/// The recapture 2. … Qxd5, after a capture by White.
#[test]
fn a_recapture() {
    let case = max(START, &["e4", "d5", "exd5", "Qxd5"]);
    let (queen, pawn) = (5, 1);
    // Of ours, only the queen attacks d5 (d4 from our view), so no other
    // attacker remains.
    case.expect(FeatureGroup::Capture, queen << 11 | (pawn + 5) << 7);
    case.expect(FeatureGroup::Trade, 1 << 9 | queen << 6 | pawn << 3 | 4);
    case.expect(FeatureGroup::Exchange, queen << 9 | 4 << 3 | 1 << 2);
}

/// Checks by a rook that a knight uncovers, and by a rook that moves.
#[test]
fn checks() {
    let fen = "4k3/8/8/4N3/8/8/8/4RK2 w - - 0 1";
    let discovered = max(fen, &["Nc4"]);
    discovered.expect(FeatureGroup::Check, 1 << 8 | 2 << 5 | 3 << 2);
    let direct = max("4k3/8/8/8/8/8/8/R4K2 w - - 0 1", &["Ra8"]);
    direct.expect(FeatureGroup::Check, 4 << 5 | 3 << 2);
}

#[test]
fn castling() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    max(fen, &["O-O"]).expect(FeatureGroup::Castling, 1 << 5 | 1);
    max(fen, &["O-O-O"]).expect(FeatureGroup::Castling, 1);
    assert_eq!(max(fen, &["Kf1"]).index(FeatureGroup::Castling), None);
}

#[test]
fn promotions() {
    let fen = "8/P6k/8/8/8/8/8/4K3 w - - 0 1";
    max(fen, &["a8=Q"]).expect(FeatureGroup::Promotion, 5 << 3 | 6);
    max(fen, &["a8=N"]).expect(FeatureGroup::Promotion, 2 << 3 | 4);
    max(fen, &["a8=N"]).expect(FeatureGroup::PawnStep, 7 << 6 | 1 << 5 | 4 << 2);
}

/// A bishop attacks an undefended rook on h1 and an undefended knight on c2.
#[test]
fn responses_to_a_hanging_piece() {
    let fen = "4k3/8/8/8/4b3/8/P1N5/1R2K2R w K - 0 1";
    let rook = 4;
    let response = |san, response: usize, wins: usize| {
        let case = max(fen, &[san]);
        case.expect(FeatureGroup::Response, rook << 6 | response << 3 | wins);
    };
    response("Rg1", 0, 3);
    response("a3", 6, 3);
    response("O-O", 6, 3);
    let between = max("4k3/8/8/8/4b3/8/P1N2P2/4K2R w K - 0 1", &["f3"]);
    between.expect(FeatureGroup::Response, rook << 6 | 2 << 3 | 2);
    let taken = max("4k3/8/8/8/4b3/8/P3R3/4K2R w K - 0 1", &["Rxe4+"]);
    taken.expect(FeatureGroup::Response, rook << 6 | 1 << 3 | 5);
    let losses = |san| {
        max(fen, &[san])
            .index(FeatureGroup::Losses)
            .expect("collected")
            >> 9
    };
    assert_eq!(losses("a3"), 0b0110, "a minor and a rook");
    assert_eq!(losses("Rg1"), 0b0010, "the knight");
    assert_eq!(
        losses("Nd4"),
        0b0100,
        "the rook; on d4 nothing attacks the knight"
    );
}

#[test]
fn files_and_ranks_of_rooks() {
    let fen = "4k3/p7/8/8/8/8/P7/2R1K3 w - - 0 1";
    let rook = |to: usize, from: usize, seventh: usize| (to << 2 | from) << 2 | seventh << 1;
    max(fen, &["Rc7"]).expect(FeatureGroup::Files, rook(2, 2, 1));
    max(fen, &["Ra1"]).expect(FeatureGroup::Files, rook(0, 2, 0));
}

#[test]
fn going_back() {
    let case = max(START, &["Nf3", "Nf6", "Ng1"]);
    case.expect(FeatureGroup::Back, 2 << 2);
    case.expect(FeatureGroup::Again, 2 << 5);
    let case = max(START, &["Nf3", "Nf6", "Ng1", "Ng8", "Nf3"]);
    case.expect(FeatureGroup::Again, 2 << 5 | 1);
    let case = max(START, &["Nf3", "Nf6", "e3", "e6", "Ng1"]);
    case.expect(FeatureGroup::Again, 2 << 5 | 4);
    assert_eq!(case.index(FeatureGroup::Back), None);
}

#[test]
fn a_level_has_only_its_groups() {
    let Case { weights, rows } = case::<Fast>(START, &["e4", "e5", "Nf3"], GameContext::default());
    assert_eq!((weights.len(), rows.len()), (3, 3));
    assert!(weights.iter().all(|weight| *weight < Fast::WEIGHTS.count));
    assert!(rows.iter().all(|row| *row < Fast::ROWS.count));
}

/// Different contexts select different lines; a rating is a context.
#[test]
fn ratings_are_seen() {
    let rated = |white| {
        let context = GameContext {
            ratings: Ratings { white, black: None },
            ..GameContext::default()
        };
        case::<Max>(START, &["e4"], context)
    };
    let (unknown, known) = (rated(None), rated(Some(2500)));
    for group in [FeatureGroup::RatedPosition, FeatureGroup::RatedExchange] {
        assert_ne!(unknown.index(group), known.index(group), "{group:?}");
    }
    let position = FeatureGroup::Position;
    assert_eq!(unknown.index(position), known.index(position));
}
