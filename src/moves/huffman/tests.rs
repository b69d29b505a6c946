//! Tests of both codecs and both forms.

use super::*;
use crate::chess::{ChessPosition, NoPieceIds, PlyKind, Role, Rules};
use crate::moves::{LineStart, null_plies};
use proptest::prelude::*;

/// Rules and start positions; only the first can be elided.
const STARTS: [(&str, &str); 15] = [
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 2",
    ),
    (
        "chess",
        "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq - 0 1",
    ),
    (
        "chess",
        "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w Kq d6 0 17",
    ),
    ("chess", "8/8/4k3/8/8/3K4/8/8 b - - 99 120"),
    ("chess", "1r2k3/8/QN6/NQ6/1N1R4/8/P6P/RR2K3 b - - 0 1"),
    ("chess960", "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 w GBgb - 0 1"),
    ("chess960", "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1"),
    (
        "atomic",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "atomic",
        "r3k2r/1P4P1/nb6/p1pPpPp1/P1PpPpP1/5BN1/1p4p1/R3K2R w KQkq - 0 1",
    ),
    (
        "threecheck",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+3 0 1",
    ),
    (
        "kingofthehill",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    ("racingkings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),
    (
        "crazyhouse",
        "rQ~bqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR[Pn] w KQkq - 0 1",
    ),
    (
        "antichess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    ),
];

const FORMS: [Huffman; 4] = [
    Huffman::WITH_START,
    Huffman::ELIDED,
    Huffman::INDEX_WITH_START,
    Huffman::INDEX_ELIDED,
];

fn position(rules: &str, fen: &str) -> ChessPosition {
    let rules = Rules::by_name(rules.as_bytes()).expect("rules");
    ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position")
}

fn start(index: usize) -> ChessPosition {
    let (rules, fen) = STARTS[index];
    position(rules, fen)
}

fn can_be_coded(ply: &PlyKind) -> bool {
    match ply {
        PlyKind::Move { promotion, .. } => *promotion != Some(Role::King),
        PlyKind::Drop { .. } => false,
        PlyKind::Null => true,
    }
}

/// Plays from a start position, one ply per pick, with some null moves.
fn play(start: &ChessPosition, picks: &[usize]) -> Vec<PlyKind> {
    let mut position = start.clone();
    let mut plies = Vec::new();
    for pick in picks {
        let mut legal = position.legal_plies();
        legal.retain(can_be_coded);
        let ply = match legal.get(pick % legal.len().max(1)) {
            Some(_) if pick % 31 == 0 => PlyKind::Null,
            Some(ply) => *ply,
            None => break,
        };
        if position.make(ply).is_ok() {
            plies.push(ply);
        }
    }
    plies
}

fn picks() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 0..150)
}

fn codec(naming: TargetAlphabet, elided: bool) -> Huffman {
    let form = match elided {
        true => HuffmanForm::StartElided,
        false => HuffmanForm::WithStart,
    };
    Huffman { naming, form }
}

fn naming() -> impl Strategy<Value = TargetAlphabet> {
    prop_oneof![Just(TargetAlphabet::Squares), Just(TargetAlphabet::Numbers)]
}

fn ply(text: &str) -> PlyKind {
    let square = |name: &str| name.parse().expect("a square");
    PlyKind::Move {
        from: square(&text[..2]),
        to: square(&text[2..4]),
        promotion: text.chars().nth(4).and_then(Role::from_char),
    }
}

#[test]
fn only_the_standard_start_can_be_elided() {
    for index in 0..STARTS.len() {
        let start = start(index);
        let line = Line::new(&start, &[]);
        let expected = match index {
            0 => Ok(Vec::new()),
            _ => Err(LineEncodeError::NotStandardStart),
        };
        assert_eq!(Huffman::ELIDED.encode(line), expected);
        assert_eq!(Huffman::INDEX_ELIDED.encode(line), expected);
        assert!(Huffman::WITH_START.encode(line).is_ok());
        assert!(Huffman::INDEX_WITH_START.encode(line).is_ok());
    }
}

#[test]
fn what_has_no_entry_cannot_be_represented() {
    let answer = |rules, fen, ply| {
        let start = position(rules, fen);
        let line = |codec: Huffman| codec.encode(Line::new(&start, &[ply]));
        assert_eq!(line(Huffman::WITH_START), line(Huffman::INDEX_WITH_START));
        line(Huffman::WITH_START).expect_err("an answer")
    };
    let fen = "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1";
    let (role, to) = (Role::Queen, crate::chess::Square::A1);
    let drop = answer("crazyhouse", fen, PlyKind::Drop { role, to });
    assert_eq!(drop, LineEncodeError::Drop { ply: 0 });
    let king = answer("antichess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", ply("a7a8k"));
    assert_eq!(king, LineEncodeError::KingPromotion { ply: 0 });
    let horde = ChessPosition::start(Rules::by_name(b"horde").expect("rules"));
    let answer = Huffman::WITH_START.encode(Line::new(&horde, &[]));
    assert_eq!(answer, Err(LineEncodeError::PieceIds(NoPieceIds::Kings)));
}

/// A queen that moves to the last of 27 targets; promotions, which are one
/// target; en passant and castling, which are ordinary targets.
#[test]
fn numbers_name_targets() {
    let last = |rules, fen, text| {
        let start = position(rules, fen);
        let plies = [ply(text)];
        let script = Huffman::INDEX_WITH_START.script(Line::new(&start, &plies));
        script.expect("a script").moves[0].target
    };
    assert_eq!(last("chess", "8/8/8/8/3Q4/8/K6k/8 w - - 0 1", "d4h8"), 26);
    let pawn = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(last("chess", pawn, "a7b8n"), 1);
    assert_eq!(last("chess", pawn, "a7b8q"), 1);
    let passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9";
    assert_eq!(last("chess", passant, "e5d6"), 0);
    let castle = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_eq!(last("chess", castle, "e1c1"), 0);
    assert_eq!(last("chess", castle, "e1g1"), 3);
    let random = "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1";
    assert_eq!(last("chess960", random, "f1g1"), 1);
    assert_eq!(last("chess960", random, "f1h1"), 2);
}

#[test]
fn the_start_announced_is_checked() {
    let announced = start(1);
    let standard = start(0);
    let line = Line::new(&standard, &[]);
    for form in FORMS {
        let bytes = form.encode(line).expect("an encoding");
        let shape = LineInfo::new(LineStart::Position(&announced), 0, &[]);
        let decoded = form.decode(&bytes, &shape, &Limits::default());
        let rebuilt_from_the_rest = form.form == HuffmanForm::WithStart;
        assert_eq!(decoded.is_ok(), rebuilt_from_the_rest);
        let moved = start(4);
        let shape = LineInfo {
            start: LineStart::Position(&moved),
            ..shape
        };
        let decoded = form.decode(&bytes, &shape, &Limits::default());
        assert_eq!(decoded, Err(MoveError::WrongStart));
    }
}

#[test]
fn what_is_not_legal_cannot_be_represented() {
    let start = start(0);
    let mut plies = play(&start, &[1, 2, 3]);
    plies.extend(plies.clone());
    for form in FORMS {
        let line = Line::new(&start, &plies);
        let answer = Err(LineEncodeError::IllegalPly { ply: 3 });
        assert_eq!(form.encode(line), answer);
    }
}

proptest! {
    #[test]
    fn games_come_back(
        index in 0..STARTS.len(),
        picks in picks(),
        naming in naming(),
        elided: bool,
        known: bool,
    ) {
        let form = codec(naming, elided && index == 0);
        let start = start(index);
        let plies = play(&start, &picks);
        let line = Line::new(&start, &plies);
        let bytes = form.encode(line).expect("an encoding");
        let parts = form.parts(line).expect("parts");
        let bits = parts.trees + parts.start + parts.moves;
        prop_assert_eq!(bits.div_ceil(8), bytes.len() as u64);
        prop_assert_eq!(parts.start == 0, form.form == HuffmanForm::StartElided);
        let least = form.least_bytes(line);
        prop_assert!(least <= bytes.len());
        let rest = start.setup_rest();
        let known_start = if known { LineStart::Position(&start) } else { LineStart::WithoutPieces(&rest) };
        let nulls = null_plies(&plies);
        let shape = LineInfo::new(known_start, plies.len() as u64, &nulls);
        let decoded = form.decode(&bytes, &shape, &Limits::default()).expect("a line");
        prop_assert!(decoded.start.is_same_as(&start));
        prop_assert_eq!(decoded.plies, plies);
    }

    /// Bits that decode are an encoding of their line, at most as small as the encoder's.
    #[test]
    fn changed_bits_decode_to_a_line_or_fail(
        index in 0..STARTS.len(),
        picks in picks(),
        naming in naming(),
        elided: bool,
        flips in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        let form = codec(naming, elided && index == 0);
        let start = start(index);
        let plies = play(&start, &picks);
        let mut bytes = form.encode(Line::new(&start, &plies)).expect("an encoding");
        if bytes.is_empty() {
            return Ok(());
        }
        for flip in flips {
            let bit = flip.index(bytes.len() * 8);
            bytes[bit / 8] ^= 0x80 >> (bit % 8);
        }
        let rest = start.setup_rest();
        let nulls = null_plies(&plies);
        let shape = LineInfo::new(LineStart::WithoutPieces(&rest), plies.len() as u64, &nulls);
        if let Ok(decoded) = form.decode(&bytes, &shape, &Limits::default()) {
            let encoded = form.encode(Line::new(&decoded.start, &decoded.plies)).expect("an encoding");
            prop_assert!(encoded.len() <= bytes.len());
            prop_assert_eq!(form.decode(&encoded, &shape, &Limits::default()), Ok(decoded));
        }
    }

    #[test]
    fn any_bits_give_an_answer(
        bytes in prop::collection::vec(any::<u8>(), 0..100),
        plies in 0u64..40,
        naming in naming(),
        elided: bool,
    ) {
        // Castling rights would make almost every position invalid.
        let rest = start(if elided { 0 } else { 4 }).setup_rest();
        let shape = LineInfo::new(LineStart::WithoutPieces(&rest), plies, &[]);
        let form = codec(naming, elided);
        if let Ok(line) = form.decode(&bytes, &shape, &Limits::default()) {
            let encoded = form.encode(Line::new(&line.start, &line.plies)).expect("an encoding");
            prop_assert!(encoded.len() <= bytes.len());
            prop_assert_eq!(form.decode(&encoded, &shape, &Limits::default()), Ok(line));
        }
    }
}
