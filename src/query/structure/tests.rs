//! Expressions on hand-made positions and games.

use super::*;
use crate::chess::{ChessPosition, Rules};
use crate::pgn::{Game, Moves};
use crate::query::PositionTest;

mod properties;

fn test(text: &str) -> PositionTest {
    let test = text.parse::<PositionTest>();
    test.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Whether a position, as the only one of its line, satisfies an expression.
fn holds(fen: &str, text: &str) -> bool {
    let moves = Moves {
        start: ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect(fen),
        steps: Vec::new(),
    };
    let found = find_in_main_line(&moves, &[test(text)]).is_some();
    let flipped = Moves {
        start: flip(&moves.start),
        steps: Vec::new(),
    };
    let other = find_in_main_line(&flipped, &[test(text).flipped()]).is_some();
    assert_eq!(found, other, "{text} on {fen}, with colours exchanged");
    found
}

/// The position with colours exchanged and ranks mirrored.
fn flip(position: &ChessPosition) -> ChessPosition {
    let fen = position.setup().flipped().fen();
    ChessPosition::from_fen(fen.as_bytes(), position.rules()).expect("a position")
}

fn moves(text: &str) -> Moves {
    Game::parse(text.as_bytes()).moves().expect("a start")
}

/// The first ply of a game that satisfies an expression.
fn first(game: &str, text: &str) -> Option<usize> {
    find_in_main_line(&moves(game), &[test(text)])
}

fn assert_all(fen: &str, expected: &[(&str, bool)]) {
    for (text, expected) in expected {
        assert_eq!(holds(fen, text), *expected, "{text} on {fen}");
    }
}

#[test]
fn pieces_are_counted_on_squares() {
    assert_all(
        "r3k2r/pp1p1ppp/8/3N4/8/8/PP3PPP/R3K2R w KQkq - 0 1",
        &[
            ("Nd5", true),
            ("nd5", false),
            ("N[a-c,d5]", true),
            ("Na-c", false),
            ("P = 5 and p = 6", true),
            ("P < p", true),
            ("P >= p", false),
            ("[RN] = 3", true),
            ("A = 9 and a = 9", true),
            ("A1 = 3", true),
            ("P2 <= 4", false),
            ("Q = 0 and q = 0", true),
            ("Pa and Ph and pa7 and ph7", true),
        ],
    );
}

#[test]
fn pawns_have_their_properties() {
    // White: a2, a3 doubled and isolated; d4 backward (c5, e5 ahead; d5 held); h6 passed.
    let fen = "4k3/8/2p4P/2PpP3/3P4/P7/P7/4K3 w - - 0 1";
    assert_all(
        fen,
        &[
            ("doubled P", true),
            ("doubled P = 2", true),
            ("doubled p", false),
            ("isolated Pa = 2", true),
            ("isolated Ph", true),
            ("isolated P = 3", true),
            ("isolated pc", false),
            ("passed P6 and passed Ph", true),
            ("passed Pe and not passed [Pp][c,d]", true),
            ("passed Pa = 2", true),
            ("passed p", false),
            ("backward Pd4", true),
            ("backward P = 1", true),
            ("backward pc6", true),
        ],
    );
}

#[test]
fn files_are_open_or_half_open() {
    assert_all(
        "4k3/p3pp2/8/8/8/8/P2P2P1/4K3 w - - 0 1",
        &[
            ("open b and open h and not open a", true),
            ("open a-h = 3", true),
            ("open [a,d,e]", false),
            ("half-open white e", true),
            ("half-open white [e,f] = 2", true),
            ("half-open black d", true),
            ("half-open black a-h = 2", true),
            ("half-open white b", false),
            ("half-open white h or half-open white a", false),
        ],
    );
}

#[test]
fn pieces_are_attacked_and_pinned() {
    assert_all(
        "4r1k1/5b2/8/3Pq3/2n5/8/3QR3/4K3 w - - 0 1",
        &[
            ("attacked q", true),
            ("attacked q by R", true),
            ("attacked q by P", false),
            ("attacked Q", true),
            ("attacked Q by n", true),
            ("attacked [QR] = 2", true),
            ("attacked R by Q", true),
            ("attacked K", false),
            ("attacked Pd by b", true),
            ("pinned R", true),
            ("pinned Q", false),
            ("pinned [Aa] = 1", true),
        ],
    );
}

#[test]
fn bishops_checks_and_mates() {
    let bishops = "4k3/8/4b3/8/8/4B3/8/4K3 w - - 0 1";
    assert_all(bishops, &[("opposite bishops", true), ("check", false)]);
    for other in [
        "4k3/8/3b4/8/8/4B3/8/4K3",
        "4k3/8/3bb3/8/8/4B3/8/4K3",
        "4k3/8/8/8/8/4B3/8/4K3",
    ] {
        assert_all(
            &format!("{other} w - - 0 1"),
            &[("opposite bishops", false)],
        );
    }
    let mate = "6k1/5ppp/8/8/8/8/8/R3K2r w - - 0 1";
    assert_all(
        mate,
        &[("check", true), ("mate", false), ("turn white", true)],
    );
    let mate = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
    assert_all(mate, &[("check and mate", true), ("stalemate", false)]);
    let stale = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_all(stale, &[("stalemate", true), ("mate or check", false)]);
}

#[test]
fn boards_materials_and_imbalances() {
    let fen = "4k2r/7p/8/8/8/8/PP6/4K1N1 b k - 0 1";
    assert_all(
        fen,
        &[
            ("fen \"4k2r/7p/8/8/8/8/PP6/4K1N1 b k -\"", true),
            ("fen \"4k2r/7p/8/8/8/8/PP6/4K1N1 w k -\"", false),
            ("pieces 4k2r/7p/8/8/8/8/PP6/4K1N1", true),
            ("material KNP+krp", true),
            ("material KNPkrp", false),
            ("pattern \"rh8 .a1\"", true),
            ("imbalance NPvR", true),
            ("imbalance NPPPvRPP", true),
            ("imbalance NvR", false),
            ("imbalance RvNP", false),
        ],
    );
}

const CASTLING: &str =
    "1. e4 e5 2. Nf3 d6 3. Bc4 Be6 4. O-O Nc6 5. d3 Qd7 6. a3 O-O-O 7. Bxe6 fxe6 *";

#[test]
fn castling_is_remembered() {
    for (text, ply) in [
        ("castled white", Some(7)),
        ("castled white short", Some(7)),
        ("castled white long", None),
        ("castled black short", None),
        ("castled black", Some(12)),
        ("castled opposite", Some(12)),
        ("castled same", None),
        ("plays O-O", Some(6)),
        ("plays O-O-O and turn black", Some(11)),
        ("Kg1", Some(7)),
    ] {
        assert_eq!(first(CASTLING, text), ply, "{text}");
    }
    let walked = "[FEN \"4k3/8/8/8/8/8/8/6KR w - - 0 1\"]\n\n1. Kf1 Ke7 *";
    assert_eq!(first(walked, "castled white"), None);
}

#[test]
fn moves_are_those_that_follow() {
    for (text, ply) in [
        ("plays Nf3", Some(2)),
        ("plays fxe6", Some(13)),
        ("plays e6", Some(13)),
        ("plays dxe6", None),
        ("plays Bxe6", Some(5)),
        ("plays Bxe6 and turn white", Some(12)),
        ("moves B", Some(4)),
        ("moves b", Some(5)),
        ("moves B to e6", Some(12)),
        ("moves Bf", Some(4)),
        ("moves Bg", None),
        ("takes b", Some(12)),
        ("takes B", Some(13)),
        ("takes [Qq]", None),
        ("end", Some(14)),
        ("end and not plays O-O", Some(14)),
    ] {
        assert_eq!(first(CASTLING, text), ply, "{text}");
    }
    let passant = "1. e4 a6 2. e5 d5 3. exd6 *";
    assert_eq!(first(passant, "takes pd5"), Some(4));
    assert_eq!(first(passant, "takes pd6"), None);
    let null = "1. e4 -- 2. d4 *";
    assert_eq!(first(null, "moves [Aa] and turn black"), None);
    assert_eq!(first(null, "end"), Some(3));
}

#[test]
fn relations_look_back() {
    for (text, ply) in [
        ("castled white then castled black", Some(12)),
        ("castled black then castled white", Some(13)),
        ("castled black then not castled white", None),
        ("plays Nf3 then Bc4", Some(5)),
        ("plays Nf3 then within 3 Bc4", Some(5)),
        ("plays Nf3 then within 2 Bc4", None),
        (
            "plays e4 then within 1 plays e5 then within 1 plays Nf3",
            Some(2),
        ),
        ("plays e4 then within 1 plays Nf3", None),
        ("any then any then any", Some(2)),
        ("Bc4 for 3", Some(7)),
        ("Bc4 for 8", Some(12)),
        ("Bc4 for 9", None),
        ("turn white for 2", None),
        ("end and ever Bc4 and not Bc4", Some(14)),
        ("end and not ever Bc4", None),
        ("end and not ever Qd4", Some(14)),
        // The last of several beginnings counts.
        ("turn white then within 1 plays O-O-O", Some(11)),
        // A part that is not asked for its value still sees the position.
        ("end and (Bc4 for 8 then any)", Some(14)),
        (
            "(castled white then castled black) and not (castled black then any)",
            Some(12),
        ),
    ] {
        assert_eq!(first(CASTLING, text), ply, "{text}");
    }
}

/// A streak that begins anew within another one is found.
#[test]
fn relations_overlap() {
    let game = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. e4 *";
    let knights = "moves [Nn] then within 1 moves [Nn] then within 1 moves P";
    assert_eq!(first(game, knights), Some(6));
    assert_eq!(first(game, "moves [Nn] for 6"), Some(5));
}

#[test]
fn repetitions_are_counted() {
    let game = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *";
    assert_eq!(first(game, "repeated 1"), Some(0));
    assert_eq!(first(game, "repeated 2"), Some(4));
    assert_eq!(first(game, "repeated 3"), Some(8));
    assert_eq!(first(game, "repeated 4"), None);
    // The castling rights are lost, so the position is another one.
    let rook = "1. Nf3 Nf6 2. Rg1 Rg8 3. Rh1 Rh8 4. Rg1 Rg8 *";
    assert_eq!(first(rook, "repeated 2"), Some(8));
}

#[test]
fn variations_are_lines_from_the_start() {
    let game = "1. e4 (1. d4 d5 2. c4 (2. Nc3 Nf6) 2... e6) 1... e5 2. Nf3 *";
    let is_in = |text: &str| is_in_variations(&moves(game), &[test(text)]);
    for text in [
        "plays d4",
        "Pd4 then pd5",
        "plays d4 then within 1 plays d5 then within 1 plays Nc3",
        "end and Nc3 and nf6",
        "end and Pc4",
        "any for 5",
        "plays e6 and not ever Nc3",
    ] {
        assert!(is_in(text), "{text}");
    }
    for text in [
        "plays e4",
        "Pe4 then any",
        "Pc4 then Nc3",
        "any for 6",
        "end and Nf3",
        "Pe4",
    ] {
        assert!(!is_in(text), "{text}");
    }
    let repeated = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 (3. e4) (3. Nf3 Nf6 4. Ng1 Ng8) 3... e5 *";
    let is_in = |text: &str| is_in_variations(&moves(repeated), &[test(text)]);
    assert!(is_in("repeated 3") && !is_in("repeated 4"));
    // Variations are searched down to some depth, and the line goes on after deeper ones.
    let last = moves(&format!(
        "1. e4 {}1. d3{} *",
        "(1. d4 ".repeat(999) + "(",
        ")".repeat(1000)
    ));
    assert!(is_in_variations(&last, &[test("Pd3")]));
    let deep = moves(&format!(
        "1. e4 {}1. d3{} *",
        "(1. d4 ".repeat(1000) + "(",
        ")".repeat(1001)
    ));
    assert!(!is_in_variations(&deep, &[test("Pd3")]));
    let after = format!(
        "1. e4 {}{} 1... a6 *",
        "(1. d4 ".repeat(1500),
        ")".repeat(1499) + " 1... a5)"
    );
    assert!(is_in_variations(&moves(&after), &[test("Pd4 and pa5")]));
    // An empty variation is no line.
    let empty = "1. e4 () 1... e5 *";
    assert!(!is_in_variations(&moves(empty), &[test("any")]));
}

#[test]
fn all_tests_hold_in_one_position() {
    let tests =
        |texts: &[&str]| -> Vec<PositionTest> { texts.iter().map(|text| test(text)).collect() };
    let game = moves(CASTLING);
    let both = tests(&["castled white then any", "turn white"]);
    assert_eq!(find_in_main_line(&game, &both), Some(8));
    let mut with_board = tests(&["any for 3"]);
    with_board.push(PositionTest::pattern(vec!["Bc4".parse().unwrap()]));
    assert_eq!(find_in_main_line(&game, &with_board), Some(5));
    let any = PositionTest::any(tests(&["castled black", "castled white"]));
    assert_eq!(find_in_main_line(&game, &[any]), Some(7));
    let none = PositionTest::any([]);
    assert_eq!(find_in_main_line(&game, &[none]), None);
}
