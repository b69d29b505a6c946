//! Shared by the targets of the move codecs: start positions, games played from the input, and the
//! properties of each codec.

use pgna::internals::chess::{ChessPosition, Outcome, PlyKind, Rules};
use pgna::internals::moves::{
    Line, LineInfo, LineStart, MoveCodec, Ratings, SegmentModel, SideInfo, null_plies,
};
use pgna::{BuiltinModel, Codec, MoveModel};

use crate::archives::small_limits;

/// LineStart positions and the names of their rules. The first is the standard one.
const STARTS: [(&str, &str); 18] = [
    (STANDARD, "chess"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "chess"),
    (
        "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq - 0 1",
        "chess",
    ),
    (
        "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w Kq d6 0 17",
        "chess",
    ),
    ("1r2k3/8/QN6/NQ6/1N1R4/8/P6P/RR2K3 b - - 0 1", "chess"),
    ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "chess"),
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

/// Flag of the first byte: the rest is a game to play instead of bits.
const PLAYS: u8 = 0x80;

/// Flag of the first byte: the decoder is given the start position without its pieces.
const REST_ONLY: u8 = 0x40;

/// Checks a codec on an input: options (the start position, the number of plies, and which of the
/// first eight are null moves), then bits to decode or bytes that pick the moves of a game.
pub(super) fn check(codec: Codec, input: &[u8]) {
    check_with(codec, &SegmentModel::default(), input);
}

/// As [`check`], with the model that the first byte selects.
pub(super) fn check_model(input: &[u8]) {
    if let [choice, rest @ ..] = input {
        let level = BuiltinModel::ALL[usize::from(*choice) % BuiltinModel::ALL.len()];
        check_with(Codec::Model, &MoveModel::from(level).into(), rest);
    }
}

fn check_with(codec: Codec, model: &SegmentModel, input: &[u8]) {
    let side_info = SideInfo::from(model);
    let [options, plies, null_mask, bytes @ ..] = input else {
        return;
    };
    let (fen, rules) = STARTS[usize::from(options & 0x3f) % STARTS.len()];
    let rules = Rules::by_name(rules.as_bytes()).expect("rules");
    let start = ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position");
    if options & PLAYS != 0 {
        comes_back((codec, side_info), &start, bytes, plies & 1 == 1);
        return;
    }
    let nulls: Vec<u64> = (0..8).filter(|ply| null_mask >> ply & 1 == 1).collect();
    let rest = start.setup_rest();
    let known = match options & REST_ONLY {
        0 => LineStart::Position(&start),
        _ => LineStart::WithoutPieces(&rest),
    };
    let shape = LineInfo {
        side_info,
        ..LineInfo::new(known, u64::from(*plies), &nulls)
    };
    if let Ok(line) = codec.decode(bytes, &shape, &small_limits()) {
        let again = Line {
            start: &line.start,
            plies: &line.plies,
            result: line.result,
            side_info,
            ..Line::new(&start, &[])
        };
        let encoded = codec.encode(again).expect("what was decoded is encoded");
        if codec.name().starts_with("huffman") {
            // A decoder accepts trees of any shape; those of the encoder are the smallest.
            assert!(encoded.len() <= bytes.len());
            assert_eq!(codec.decode(&encoded, &shape, &small_limits()), Ok(line));
        } else {
            assert_eq!(encoded, bytes);
        }
    }
}

/// Plays a game, one ply for each byte, and asserts that it round-trips unless the codec cannot
/// represent it.
fn comes_back(
    (codec, side_info): (Codec, SideInfo<'_>),
    start: &ChessPosition,
    picks: &[u8],
    is_drawn: bool,
) {
    let (plies, last) = play(start, picks);
    let resigned = Outcome::Decisive {
        winner: last.turn().other(),
    };
    let agreed = if is_drawn { Outcome::Draw } else { resigned };
    let line = Line {
        result: Some(last.outcome().unwrap_or(agreed)),
        ratings: Ratings {
            white: picks.first().map(|pick| 13 * u16::from(*pick)),
            black: None,
        },
        side_info,
        ..Line::new(start, &plies)
    };
    let Ok(bytes) = codec.encode(line) else {
        return;
    };
    assert!(codec.least_bytes(line) <= bytes.len());
    let nulls = null_plies(&plies);
    let shape = LineInfo {
        result: line.result,
        ratings: line.ratings,
        side_info,
        ..LineInfo::new(LineStart::Position(start), plies.len() as u64, &nulls)
    };
    let decoded = codec
        .decode(&bytes, &shape, &small_limits())
        .expect("a line");
    assert!(decoded.start.is_same_as(start));
    assert_eq!(decoded.plies, plies);
    assert!(decoded.result.is_none() || decoded.result == line.result);
}

/// The legal plies that the bytes pick, and the position after them. A byte of 255 is a null move
/// where that is possible.
fn play(start: &ChessPosition, picks: &[u8]) -> (Vec<PlyKind>, ChessPosition) {
    let mut position = start.clone();
    let mut plies = Vec::new();
    for pick in picks {
        if *pick == u8::MAX && position.make(PlyKind::Null).is_ok() {
            plies.push(PlyKind::Null);
            continue;
        }
        let choose = |moves: u32| Ok::<_, ()>(u32::from(*pick) % moves.max(1));
        match position.play_nth(choose) {
            Ok(Some(ply)) => plies.push(ply),
            _ => break,
        }
    }
    (plies, position)
}

/// As [`check`], for the codec that the first byte selects.
pub(super) fn check_one_of(codecs: &[Codec], input: &[u8]) {
    if let [choice, rest @ ..] = input {
        check(codecs[usize::from(*choice) % codecs.len()], rest);
    }
}
