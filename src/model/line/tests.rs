use super::*;
use crate::chess::Rules;
use crate::model::Processor;
use crate::model::adaptation::example as adaptation_example;
use crate::model::context::Ratings;
use crate::model::groups::{Default, Fast, Max};
use crate::model::hash::mix;
use crate::testing::examples;
use proptest::prelude::*;
use std::sync::LazyLock;

const MODELS: &str = include_str!("../../../spec/models.md");

const UNITS: usize = 32;
const MOVE_UNITS: usize = 32;

/// Arbitrary weights: small ones, and most are 0.
fn odd<L: Level>() -> Weights<L, UNITS, MOVE_UNITS> {
    let mut weights = Weights::zero();
    let weight = |number: u64| match mix(number).to_le_bytes() {
        [low, choice, ..] if choice < 64 => low.cast_signed() / 4,
        _ => 0,
    };
    for (number, entry) in (0..).zip(weights.linear.to_mut()) {
        *entry = weight(number);
    }
    let net = &mut weights.net;
    for (number, entry) in (1 << 32..).zip(net.inputs.to_mut().as_flattened_mut()) {
        *entry = weight(number);
    }
    let rows = net.origins.to_mut().iter_mut().chain(net.targets.to_mut());
    for (number, entry) in (1 << 33..).zip(rows.flatten()) {
        *entry = weight(number);
    }
    let moves = &mut net.moves;
    let rows = moves
        .origins
        .to_mut()
        .iter_mut()
        .chain(moves.targets.to_mut());
    let rows = rows.chain(moves.features.to_mut()).flatten();
    let weights_of_moves = rows.chain(moves.position.to_mut().as_flattened_mut());
    for (number, entry) in (1 << 34..).zip(weights_of_moves) {
        *entry = weight(number);
    }
    for (number, entry) in (1 << 35..).zip(&mut moves.outputs) {
        *entry = weight(number).into();
    }
    weights
}

static FAST: LazyLock<Weights<Fast, UNITS, MOVE_UNITS>> = LazyLock::new(odd);
static DEFAULT: LazyLock<Weights<Default, UNITS, MOVE_UNITS>> = LazyLock::new(odd);
static MAX: LazyLock<Weights<Max, UNITS, MOVE_UNITS>> = LazyLock::new(odd);

/// A line of random moves with some null moves.
fn random_line(start: &ChessPosition, picks: &[prop::sample::Index]) -> Vec<PlyKind> {
    let mut position = start.clone();
    let mut line = Vec::new();
    for pick in picks {
        let mut plies = position.legal_plies();
        if plies.is_empty() {
            break;
        }
        plies.push(PlyKind::Null);
        let mut ply = plies[pick.index(plies.len())];
        if position.make(ply).is_err() {
            ply = plies[0];
            position.make(ply).expect("legal");
        }
        line.push(ply);
    }
    line
}

/// Encodes the moves of a line as on another processor.
fn encode_on<L: Level>(
    processor: Processor,
    weights: &Weights<L, UNITS, MOVE_UNITS>,
    start: &ChessPosition,
    line: &[PlyKind],
    context: GameContext,
    hints: GameAdaptation<'_>,
) -> Vec<u8> {
    let follower = Follower::new(weights, start, context, hints).expect("chess");
    let (mut follower, mut encoder) = (follower.with_processor(processor), Encoder::new());
    for ply in line {
        follower.encode(*ply, &mut encoder).expect("legal");
    }
    encoder.finish()
}

fn comes_back<L: Level>(
    weights: &Weights<L, UNITS, MOVE_UNITS>,
    start: &ChessPosition,
    line: &[PlyKind],
    context: GameContext,
    hints: GameAdaptation<'_>,
) -> Vec<u8> {
    let bytes = encode(weights, start, line, context, hints).expect("a line");
    assert_eq!(
        encode_on(Processor::ANY, weights, start, line, context, hints),
        bytes
    );
    let is_null = |number: usize| line[number] == PlyKind::Null;
    let decoded = decode(weights, start, line.len(), is_null, context, hints, &bytes);
    assert_eq!(decoded.as_deref(), Ok(line));
    bytes
}

const STARTS: [(&str, &str); 4] = [
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "chess",
        "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq - 0 1",
    ),
    ("chess", "4k3/4q3/8/8/1b5b/8/1r1NB3/q2RKR1r w - - 0 1"),
    ("chess960", "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 w GBgb - 0 1"),
];

fn start(number: usize) -> ChessPosition {
    let (name, fen) = STARTS[number];
    let rules = Rules::by_name(name.as_bytes()).expect("rules");
    ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position")
}

proptest! {
    #[test]
    fn lines_come_back(
        number in 0..STARTS.len(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..80),
        ratings in any::<(Option<u16>, Option<u16>)>(),
    ) {
        let start = start(number);
        let line = random_line(&start, &picks);
        let context = GameContext {
            ratings: Ratings { white: ratings.0, black: ratings.1 },
            outcome: None,
            plies: u32::try_from(line.len()).expect("short"),
        };
        let adaptation = adaptation_example();
        comes_back(&FAST, &start, &line, context, GameAdaptation::NONE);
        comes_back(&DEFAULT, &start, &line, context, adaptation.for_game(b"", b"Ann"));
        comes_back(&MAX, &start, &line, context, adaptation.for_game(b"", b""));
    }

    #[test]
    fn what_decodes_encodes_to_the_same(
        number in 0..STARTS.len(),
        bytes in prop::collection::vec(any::<u8>(), 0..12),
        plies in 0usize..40,
    ) {
        let (start, context) = (start(number), GameContext::default());
        let adaptation = adaptation_example();
        let hints = adaptation.for_game(b"", b"");
        if let Ok(line) = decode(&*DEFAULT, &start, plies, |_| false, context, hints, &bytes) {
            prop_assert_eq!(encode(&*DEFAULT, &start, &line, context, hints), Ok(bytes));
        }
    }
}

#[test]
fn what_is_no_line_is_refused() {
    use crate::chess::Square::{E2, E4};
    let promotion = None;
    let king_pawn = PlyKind::Move {
        from: E2,
        to: E4,
        promotion,
    };
    let (start, context) = (start(0), GameContext::default());
    let twice = encode(
        &*FAST,
        &start,
        &[king_pawn, king_pawn],
        context,
        GameAdaptation::NONE,
    );
    assert_eq!(twice, Err(EncodeError::Illegal(1)));
    let atomic = ChessPosition::start(Rules::by_name(b"atomic").expect("rules"));
    assert_eq!(
        encode(&*FAST, &atomic, &[], context, GameAdaptation::NONE),
        Err(EncodeError::Variant)
    );
    let mated = b"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let mated = ChessPosition::from_fen(mated, Rules::CHESS).expect("a position");
    for is_null in [true, false] {
        let after = decode(
            &*FAST,
            &mated,
            1,
            |_| is_null,
            context,
            GameAdaptation::NONE,
            &[],
        );
        assert_eq!(after, Err(DecodeError::NoMove(0)));
    }
}

/// A single legal move is not coded.
#[test]
fn forced_moves_are_free() {
    let forced = b"k7/8/1K6/8/8/8/8/1R6 b - - 0 1";
    let start = ChessPosition::from_fen(forced, Rules::CHESS).expect("a position");
    let line = start.legal_plies();
    assert_eq!(line.len(), 1);
    let bytes = comes_back(
        &MAX,
        &start,
        &line,
        GameContext::default(),
        GameAdaptation::NONE,
    );
    assert!(bytes.is_empty());
}

/// No share remains if the only legal move is excluded.
#[test]
fn a_forced_move_that_is_ruled_out_is_refused() {
    let forced = b"k7/8/1K6/8/8/8/8/1R6 b - - 0 1";
    let start = ChessPosition::from_fen(forced, Rules::CHESS).expect("a position");
    let mut follower = Follower::new(&*MAX, &start, GameContext::default(), GameAdaptation::NONE);
    let follower = follower.as_mut().expect("chess");
    let read = follower.decode_excluding(&start.legal_plies(), &mut Decoder::new(&[]));
    assert_eq!(read, Err(RangeError::InvalidSymbol));
}

fn plies(sans: &str) -> Vec<PlyKind> {
    let mut position = ChessPosition::standard();
    let read = |san: &str| {
        let text = crate::chess::SanText::parse(san.as_bytes()).expect("SAN");
        let (ply, _) = position.read(&text).expect("legal");
        position.make(ply).expect("legal");
        ply
    };
    sans.split_whitespace().map(read).collect()
}

/// The weights of the specification's examples.
fn example<L: Level>() -> Weights<L, UNITS, MOVE_UNITS> {
    let zero = Weights::<L, UNITS, MOVE_UNITS>::zero().to_bytes();
    let weights = zero.len() - 2 * (UNITS + 2 * MOVE_UNITS) - 17;
    let weight = |number: u64| match mix(number) {
        mixed if mixed >> 8 & 3 == 0 => (mixed & 63) as i8 - 32,
        _ => 0,
    };
    let mut bytes: Vec<u8> = (0..weights as u64)
        .map(|n| weight(n).cast_unsigned())
        .collect();
    bytes.resize(zero.len() - 1, 0);
    bytes.push(L::NUMBER);
    let mut weights: Weights<L, UNITS, MOVE_UNITS> =
        Weights::from_bytes(bytes.leak()).expect("weights");
    for (number, output) in (0..).zip(&mut weights.net.moves.outputs) {
        *output = 8 * number - 96;
    }
    weights
}

#[test]
fn examples_of_the_specification() {
    let start = start(0);
    let (short, none) = (plies("e4 e5 Nf3"), GameContext::default());
    let line =
        plies("e4 d5 exd5 c5 dxc6 Nxc6 Nf3 e5 Bb5 Bd6 O-O Nf6 d4 O-O dxe5 Bxe5 Qxd8 Rxd8 Nxe5");
    let context = GameContext {
        ratings: Ratings {
            white: Some(2500),
            black: None,
        },
        outcome: crate::chess::Outcome::from_ascii(b"1-0").ok(),
        plies: 19,
    };
    let alike = Weights::<Fast, UNITS, MOVE_UNITS>::zero();
    let (fast, default, max) = (example::<Fast>(), example::<Default>(), example::<Max>());
    let adaptation = adaptation_example();
    let hints = adaptation.for_game(b"Bob", b"Cid");
    let plain = GameAdaptation::NONE;
    let examples = [
        ("alike", comes_back(&alike, &start, &short, none, plain)),
        ("fast", comes_back(&fast, &start, &line, context, plain)),
        (
            "default",
            comes_back(&default, &start, &line, context, plain),
        ),
        ("max", comes_back(&max, &start, &line, context, plain)),
        (
            "adapted",
            comes_back(&default, &start, &line, context, hints),
        ),
    ];
    let missing = examples
        .iter()
        .filter_map(|(name, bytes)| examples::missing(MODELS, &format!("line-{name}"), bytes));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}

/// The tables of a thread hold entries of earlier positions, which must not have an effect.
#[test]
fn earlier_positions_have_no_effect() {
    let weights = example::<Default>();
    let (start, context) = (start(0), GameContext::default());
    let line =
        plies("e4 d5 exd5 c5 dxc6 Nxc6 Nf3 e5 Bb5 Bd6 O-O Nf6 d4 O-O dxe5 Bxe5 Qxd8 Rxd8 Nxe5");
    for processor in [Processor::ANY, Processor::detect()] {
        let follower = Follower::new(&weights, &start, context, GameAdaptation::NONE);
        let mut follower = follower.expect("chess").with_processor(processor);
        for ply in &line {
            let fresh = follower.probabilities(&context, 1 << 20).expect("moves");
            let mut reused = Vec::new();
            let played = follower.follow(*ply, |scored, _| {
                reused.extend(scored.frequencies.parts(1 << 20));
            });
            assert_eq!((played, reused), (Some(()), fresh));
        }
    }
}

/// Weights of one value, with outputs at their bound.
fn extreme<L: Level>(weight: i8, output: i16) -> Weights<L, UNITS, MOVE_UNITS> {
    let mut weights = Weights::<L, UNITS, MOVE_UNITS>::zero();
    weights.linear.to_mut().fill(weight);
    let net = &mut weights.net;
    for rows in [&mut net.inputs, &mut net.origins, &mut net.targets] {
        rows.to_mut().as_flattened_mut().fill(weight);
    }
    let moves = &mut net.moves;
    moves.position.to_mut().as_flattened_mut().fill(weight);
    for rows in [&mut moves.origins, &mut moves.targets, &mut moves.features] {
        rows.to_mut().as_flattened_mut().fill(weight);
    }
    (net.bias, moves.bias) = ([i16::MAX; UNITS], [i16::MAX; MOVE_UNITS]);
    moves.outputs = [output; MOVE_UNITS];
    Weights::copied(&weights.to_bytes()).expect("weights within the bound")
}

/// Sums are checked for overflow in tests, and all processors give the same bytes.
#[test]
fn extreme_weights_do_not_overflow() {
    let start = start(0);
    let line = plies("e4 d5 exd5 c5 dxc6 Nxc6 Nf3 e5 Bb5 Bd6 O-O Nf6 d4 O-O dxe5 Bxe5 Qxd8");
    let (none, plain) = (GameContext::default(), GameAdaptation::NONE);
    for weight in [i8::MIN, -127, 127] {
        for output in [-8192, 8192] {
            comes_back(&extreme::<Fast>(weight, output), &start, &line, none, plain);
            comes_back(&extreme::<Max>(weight, output), &start, &line, none, plain);
        }
    }
}
