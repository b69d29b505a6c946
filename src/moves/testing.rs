//! Test games, and properties of all codecs that do not encode the start
//! position.

use proptest::prelude::*;
use proptest::sample::Index;

use super::{
    BuiltinModel, Codec, Line, LineEncodeError, LineInfo, LineStart, MoveCodec, MoveError,
    MoveModel, Ratings, SegmentModel, SideInfo, null_plies,
};
use crate::chess::{ChessPosition, Outcome, PlyKind, Rules, SanText, Variant};
use crate::limits::Limits;

/// Start positions with their rules.
const STARTS: [(&str, &str); 18] = [
    (STANDARD, ""),
    (
        "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq - 0 1",
        "",
    ),
    ("r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w Kq d6 0 17", ""),
    ("8/8/4k3/8/8/3K4/8/8 b - - 99 120", ""),
    ("1r2k3/8/QN6/NQ6/1N1R4/8/P6P/RR2K3 b - - 0 1", ""),
    ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", ""),
    ("1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 w GBgb - 0 1", "chess960"),
    ("5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1", "chess960"),
    ("6kr/8/8/8/8/8/8/6KR w Hh - 0 1", "chess960"),
    (STANDARD, "atomic"),
    (STANDARD, "antichess"),
    ("8/PPP5/8/8/8/8/5ppp/8 w - - 0 1", "antichess"),
    (STANDARD, "kingofthehill"),
    (STANDARD, "threecheck"),
    (STANDARD, "crazyhouse"),
    ("r3k3/7P/8/8/8/8/8/4K2R[QRBNPqrbnp] w K - 0 1", "crazyhouse"),
    ("8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "racingkings"),
    (
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        "horde",
    ),
];

const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The codecs that do not encode the start position, each with the model that it is given.
fn codecs() -> Vec<(Codec, SegmentModel)> {
    let others = [Codec::Radix, Codec::RadixEnd, Codec::Squares, Codec::San];
    let others = others.map(|codec| (codec, SegmentModel::default()));
    let models = BuiltinModel::ALL.map(|model| (Codec::Model, MoveModel::from(model).into()));
    others.into_iter().chain(models).collect()
}

/// The position of a FEN, by the rules of the variant with this name.
pub(super) fn start(fen: &str, variant: &str) -> ChessPosition {
    let rules = Rules::by_name(variant.as_bytes()).expect("rules");
    ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position")
}

/// The standard start position and the plies of these moves.
pub(super) fn line_of(sans: &str) -> (ChessPosition, Vec<PlyKind>) {
    let start = ChessPosition::standard();
    let mut position = start.clone();
    let read = |san: &str| {
        let text = SanText::parse(san.as_bytes()).expect("a move");
        let (ply, _) = position.read(&text).expect("a legal move");
        position.make(ply).expect("a legal move");
        ply
    };
    let plies = sans.split_whitespace().map(read).collect();
    (start, plies)
}

/// Plays from a start position, one ply per pick, with some null moves.
fn play(start: &ChessPosition, picks: &[usize]) -> (Vec<PlyKind>, ChessPosition) {
    let mut position = start.clone();
    let mut plies = Vec::new();
    for pick in picks {
        let legal = position.legal_plies();
        let ply = match legal.get(pick % legal.len().max(1)) {
            Some(_) if pick % 31 == 0 => PlyKind::Null,
            Some(ply) => *ply,
            None => break,
        };
        if position.make(ply).is_ok() {
            plies.push(ply);
        }
    }
    (plies, position)
}

/// An ending of a game in this position: by the rules, otherwise an agreed draw
/// or resignation.
fn ending(last: &ChessPosition, is_drawn: bool) -> Outcome {
    let resigned = Outcome::Decisive {
        winner: last.turn().other(),
    };
    let chosen = if is_drawn { Outcome::Draw } else { resigned };
    last.outcome().unwrap_or(chosen)
}

fn picks() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 0..150)
}

proptest! {
    #[test]
    fn games_come_back(
        index in 0..STARTS.len(),
        picks in picks(),
        is_drawn: bool,
        white: Option<u16>,
    ) {
        let (fen, variant) = STARTS[index];
        let start = start(fen, variant);
        let (plies, last) = play(&start, &picks);
        let nulls = null_plies(&plies);
        let result = Some(ending(&last, is_drawn));
        let ratings = Ratings { white, black: None };
        let line = Line { result, ratings, ..Line::new(&start, &plies) };
        for (codec, model) in codecs() {
            let side_info = SideInfo::from(&model);
            let line = Line { side_info, ..line };
            let bytes = match codec.encode(line) {
                Ok(bytes) => bytes,
                Err(LineEncodeError::Drop { .. } | LineEncodeError::KingPromotion { .. })
                    if codec == Codec::Squares => continue,
                Err(LineEncodeError::Variant) if codec == Codec::Model => {
                    prop_assert_ne!(start.rules().variant, Variant::Chess);
                    continue;
                }
                Err(answer) => panic!("{codec:?}: {answer}"),
            };
            prop_assert!(codec.least_bytes(line) <= bytes.len());
            let shape = LineInfo::new(LineStart::Position(&start), plies.len() as u64, &nulls);
            let shape = LineInfo { result, ratings, side_info, ..shape };
            let decoded = codec.decode(&bytes, &shape, &Limits::default()).expect("a line");
            prop_assert!(decoded.start.is_same_as(&start));
            prop_assert_eq!(&decoded.plies, &plies);
            prop_assert_eq!(decoded.result, result.filter(|_| codec == Codec::RadixEnd));
        }
    }

    /// Bytes that decode are the encoding of their line.
    #[test]
    fn one_game_has_one_encoding(
        index in 0..STARTS.len(),
        picks in picks(),
        is_drawn: bool,
        flips in prop::collection::vec(any::<Index>(), 1..4),
    ) {
        let (fen, variant) = STARTS[index];
        let start = start(fen, variant);
        let (plies, last) = play(&start, &picks);
        let result = Some(ending(&last, is_drawn));
        let line = Line { result, ..Line::new(&start, &plies) };
        for (codec, model) in codecs() {
            let line = Line { side_info: SideInfo::from(&model), ..line };
            let Ok(mut bytes) = codec.encode(line) else { continue };
            for flip in &flips {
                if bytes.is_empty() {
                    break;
                }
                let bit = flip.index(bytes.len() * 8);
                bytes[bit / 8] ^= 0x80 >> (bit % 8);
            }
            check_any((codec, &model), &start, &bytes, plies.len() as u64, &null_plies(&plies))?;
        }
    }

    #[test]
    fn any_bytes_give_an_answer(
        index in 0..STARTS.len(),
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        plies in 0u64..80,
    ) {
        let (fen, variant) = STARTS[index];
        let start = start(fen, variant);
        for (codec, model) in codecs() {
            check_any((codec, &model), &start, &bytes, plies, &[])?;
        }
    }
}

/// Checks that bytes, if they decode, are the encoding of their line.
fn check_any(
    (codec, model): (Codec, &SegmentModel),
    start: &ChessPosition,
    bytes: &[u8],
    plies: u64,
    nulls: &[u64],
) -> Result<(), TestCaseError> {
    let side_info = SideInfo::from(model);
    let shape = LineInfo {
        side_info,
        ..LineInfo::new(LineStart::Position(start), plies, nulls)
    };
    if let Ok(decoded) = codec.decode(bytes, &shape, &Limits::default()) {
        let again = Line {
            start: &decoded.start,
            plies: &decoded.plies,
            result: decoded.result,
            side_info,
            ..Line::new(start, &[])
        };
        prop_assert_eq!(codec.encode(again), Ok(bytes.to_vec()));
    }
    Ok(())
}

#[test]
fn the_start_must_be_known() {
    let rest = ChessPosition::standard().setup_rest();
    let shape = LineInfo::new(LineStart::WithoutPieces(&rest), 0, &[]);
    for (codec, _) in codecs() {
        let decoded = codec.decode(&[], &shape, &Limits::default());
        assert_eq!(decoded, Err(MoveError::StartUnknown));
    }
}

#[test]
fn what_is_not_legal_cannot_be_represented() {
    let (start, mut plies) = line_of("e4 e5");
    plies.extend(plies.clone());
    for (codec, model) in codecs() {
        let line = Line {
            result: Some(Outcome::Draw),
            side_info: SideInfo::from(&model),
            ..Line::new(&start, &plies)
        };
        let answer = Err(LineEncodeError::IllegalPly { ply: 2 });
        assert_eq!(codec.encode(line), answer);
    }
}
