use super::*;
use crate::chess::{ChessPosition, PlyKind, Rules};
use crate::model::board::PlacedPiece;
use proptest::prelude::*;

fn position(name: &str, fen: &str) -> ChessPosition {
    let rules = Rules::by_name(name.as_bytes()).expect("rules");
    ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position")
}

fn board(position: &ChessPosition) -> Board {
    Board::new(position).expect("a position of chess")
}

fn legal(board: &Board) -> Legal {
    Legal::new(board)
}

/// Asserts that the moves of a board are those of the position, and returns
/// them.
fn agreed(position: &ChessPosition, board: &Board) -> Vec<(Move, PlyKind)> {
    let legal = legal(board);
    let moves: Vec<_> = legal.moves().map(|m| (m, board.ply(m))).collect();
    let mut plies: Vec<_> = moves.iter().map(|(_, ply)| format!("{ply:?}")).collect();
    let expected = position.legal_plies();
    let mut expected: Vec<_> = expected.iter().map(|ply| format!("{ply:?}")).collect();
    plies.sort();
    expected.sort();
    assert_eq!(plies, expected, "{}", position.fen());
    assert_eq!(legal.count, moves.len());
    for (m, ply) in &moves {
        assert_eq!(board.move_of_ply(*ply), Some(*m), "{}", position.fen());
    }
    moves
}

/// Counts the lines of a depth, and checks every position on the way.
fn perft(position: &ChessPosition, board: &Board, depth: u32) -> usize {
    let moves = agreed(position, board);
    if depth <= 1 {
        return moves.len();
    }
    let lines = moves.into_iter().map(|(m, ply)| {
        let (mut position, mut board) = (position.clone(), board.clone());
        position.make(ply).expect("legal");
        board.play(m);
        assert_eq!(board, self::board(&position), "{}", position.fen());
        perft(&position, &board, depth - 1)
    });
    lines.sum()
}

/// Well-known perft positions, with depths and node counts.
#[test]
fn perft_numbers() {
    for (name, fen, depth, lines) in [
        ("chess", START, 3, 8_902),
        ("chess", KIWIPETE, 2, 2_039),
        (
            "chess",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            3,
            2_812,
        ),
        (
            "chess",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            2,
            264,
        ),
        (
            "chess960",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            2,
            528,
        ),
        (
            "chess960",
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            2,
            807,
        ),
    ] {
        let position = position(name, fen);
        assert_eq!(perft(&position, &board(&position), depth), lines, "{fen}");
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Start positions of random play. Checks, pins, castling, promotions, en
/// passant (also pinned) and Chess960 occur in it.
const STARTS: [(&str, &str); 12] = [
    ("chess", START),
    ("chess", KIWIPETE),
    (
        "chess",
        "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq - 0 1",
    ),
    (
        "chess",
        "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w Kq d6 0 17",
    ),
    ("chess", "8/8/8/K1Pp3r/8/8/3k4/8 w - d6 0 1"),
    ("chess", "4k3/4q3/8/8/1b5b/8/1r1NB3/q2RKR1r w - - 0 1"),
    ("chess", "k7/8/8/1N3N2/3K4/1n3n2/8/8 w - - 0 1"),
    ("chess", "7k/8/8/2pP4/1K6/8/8/5b2 w - c6 0 1"),
    ("chess960", "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 w GBgb - 0 1"),
    ("chess960", "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1"),
    ("chess960", "r3k3/8/8/8/8/8/8/qRK4R w HB - 0 1"),
    ("chess960", "qrkr4/8/8/8/8/8/8/QRKR4 b DBdb - 0 1"),
];

proptest! {
    #[test]
    fn random_games(
        start in 0..STARTS.len(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
    ) {
        let (name, fen) = STARTS[start];
        let mut position = position(name, fen);
        let mut board = board(&position);
        for (number, pick) in picks.into_iter().enumerate() {
            let moves = agreed(&position, &board);
            if number % 16 == 15 && position.make(PlyKind::Null).is_ok() {
                board.pass();
            } else if moves.is_empty() {
                break;
            } else {
                let (m, ply) = moves[pick.index(moves.len())];
                position.make(ply).expect("legal");
                board.play(m);
            }
            prop_assert_eq!(&board, &self::board(&position), "{}", position.fen());
        }
    }
}

/// The order of the specification, on a position with all cases that it
/// names.
#[test]
fn the_order_of_moves() {
    let position = position("chess", "1n5k/P7/8/8/8/8/P5p1/R3K1N1 w Q - 0 1");
    let board = board(&position);
    let legal = legal(&board);
    let moves = legal.moves().map(|m| {
        let promotion = m
            .promotion
            .map_or(String::new(), |role| format!("={role:?}"));
        format!("{:?} {}{}{promotion}", m.role, m.from, m.to)
    });
    let moves: Vec<_> = moves.collect();
    let spec = include_str!("../../../spec/models.md");
    let shown = moves.join(", ");
    assert!(spec.contains(&shown), "spec lacks {shown}");
}

#[test]
fn variants_have_no_board() {
    let start = ChessPosition::start(Rules::by_name(b"atomic").expect("rules"));
    assert_eq!(Board::new(&start), None);
}

#[test]
fn changes_list_all_pieces_that_come_and_go() {
    let before = board(&position("chess", KIWIPETE));
    for m in legal(&before).moves() {
        let mut after = before.clone();
        let changes = after.play(m);
        let stays = |piece: &PlacedPiece| !changes.removed.contains(&Some(*piece));
        let mut expected: Vec<_> = before.pieces().filter(stays).collect();
        expected.extend(changes.added.iter().flatten());
        let mut found: Vec<_> = after.pieces().map(PlacedPiece::flipped).collect();
        expected.sort_by_key(|piece| piece.square);
        found.sort_by_key(|piece| piece.square);
        assert_eq!(found, expected);
    }
}
