use super::*;
use crate::chess::{Rules, SanText, Variant};
use crate::codec::distributions::{
    DistributionError, Distributions, SymbolCoder, SymbolCounter, SymbolReader, SymbolWriter,
    Tally, Traced,
};
use crate::codec::range::{Decoder, Encoder};
use crate::codec::trace::Trace;
use crate::limits::Limits;
use crate::model::{BuiltinModel, GameAdaptation, GameContext};
use proptest::prelude::*;
use std::sync::OnceLock;

const BUDGET: usize = 1 << 12;

/// A ply, and the fields after it.
type TestStep = (PlyKind, Vec<(u32, Vec<u8>)>);

/// A game with fields after some of its plies.
#[derive(Debug, Clone)]
struct TestGame {
    start: ChessPosition,
    steps: Vec<TestStep>,
}

impl TestGame {
    fn of(start: ChessPosition, steps: &[(&str, &[(u32, &str)])]) -> Self {
        let mut position = start.clone();
        let steps = steps.iter().map(|(san, fields)| {
            let text = SanText::parse(san.as_bytes()).expect("a move");
            let (ply, _) = position.play_text(&text).expect("legal");
            let fields = fields
                .iter()
                .map(|(kind, text)| (*kind, text.as_bytes().to_vec()));
            (ply, fields.collect())
        });
        let steps = steps.collect();
        TestGame { start, steps }
    }

    /// Passes all fields through a coder and returns their texts. With `reads`,
    /// the texts come from the coder.
    fn code(&self, coder: &mut impl LineCoder, reads: bool) -> Result<Vec<Vec<u8>>, LineError> {
        let game = || {
            let hints = GameAdaptation::NONE;
            BuiltinFollower::new(
                BuiltinModel::Fast,
                &self.start,
                GameContext::default(),
                hints,
            )
            .ok()
        };
        let mut known = NamedMoves::default();
        let mut follower = game();
        for (ply, _) in &self.steps {
            if let Some(game) = &mut follower {
                known.note(game.key(), MoveSource::Game, *ply);
                game.advance(*ply).expect("legal");
            }
        }
        let mut lines = MoveLines::new(known);
        let mut places = Recent::new(LineState {
            position: self.start.clone(),
            game: game(),
        });
        let mut texts = Vec::new();
        for (ply, fields) in &self.steps {
            let played = places.step(|state| state.play(*ply).ok_or(()));
            played.expect("legal");
            for (kind, text) in fields {
                let given = (!reads).then_some(text.as_slice());
                texts.push(lines.field(coder, *kind, &places, given, BUDGET)?);
            }
        }
        Ok(texts)
    }

    /// Fits distributions, writes the fields and reads them back. Returns the
    /// distributions and the bytes.
    fn prove(&self) -> (Distributions, Vec<u8>) {
        let mut tally = Tally::new(&FAMILIES);
        let texts = self
            .code(&mut SymbolCounter(&mut tally), false)
            .expect("fields");
        let expected = self.steps.iter().flat_map(|(_, fields)| fields);
        assert!(texts.iter().eq(expected.map(|(_, text)| text)));
        let distributions = Distributions::read(&tally.fit(), &FAMILIES, &Limits::default());
        let distributions = distributions.expect("a table");
        let (mut encoder, mut trace) = (Encoder::new(), Trace::default());
        let writer = &mut Traced {
            coder: SymbolWriter(&distributions, &mut encoder),
            steps: &mut trace,
        };
        assert_eq!(self.code(writer, false).as_ref(), Ok(&texts));
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let read = self.code(&mut SymbolReader(&distributions, &mut decoder), true);
        assert_eq!(read.as_ref(), Ok(&texts));
        assert_eq!(decoder.finish(), Ok(()));
        let (mut decoder, mut steps) = (Decoder::new(&bytes), trace.reader());
        let reader = &mut Traced {
            coder: SymbolReader(&distributions, &mut decoder),
            steps: &mut steps,
        };
        assert_eq!(self.code(reader, true), Ok(texts));
        assert_eq!((steps.finish(), decoder.finish()), (Ok(()), Ok(())));
        (distributions, bytes)
    }
}

fn ruy(second: &str) -> TestGame {
    let steps: &[(&str, &[(u32, &str)])] = &[
        ("e4", &[(0, "e5"), (1, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6")]),
        (
            "e5",
            &[(0, "Nf3"), (1, "1... e5 2. Nf3 Nc6"), (2, "g1f3 b8c6 f1b5")],
        ),
        ("Nf3", &[(0, "Nc6"), (1, second)]),
        ("Nc6", &[(0, "Bb5"), (1, "")]),
        (
            "Bb5",
            &[
                (3, "Bc4 was better"),
                (1, "Bb5 a6 Ba4 Nf6 O-O!?"),
                (2, "Zug"),
            ],
        ),
        ("a6", &[(0, "Bb5"), (15, "e4 e5"), (4, "Ngf3")]),
    ];
    TestGame::of(ChessPosition::standard(), steps)
}

#[test]
fn fields_come_back() {
    ruy("Nf3 Nc6 Bb5 a6 Ba4 Nf6").prove();
}

#[test]
fn known_moves_take_less_than_others() {
    let (_, known) = ruy("Nf3 Nc6 Bb5 a6 Ba4 Nf6").prove();
    let (_, unknown) = ruy("Nf3 d5 Rg1 Kd7 h3 Qg5").prove();
    assert!(known.len() + 4 < unknown.len());
}

#[test]
fn without_a_model_moves_are_numbers() {
    let rules = Rules {
        variant: Variant::Crazyhouse,
        chess960: false,
    };
    let game = TestGame::of(
        ChessPosition::start(rules),
        &[
            ("e4", &[(0, "d5"), (1, "e4 d5 exd5 Qxd5 P@e4")]),
            ("d5", &[(0, "exd5"), (1, "d5 exd5 Qxd5 P@e4 Q@h8")]),
        ],
    );
    game.prove();
}

/// Claims for each field that text follows its moves.
struct RestSaid<'a>(SymbolCounter<'a>);

impl SymbolCoder for RestSaid<'_> {
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError> {
        let said = if place.family == REST { 1 } else { symbol };
        self.0.symbol(place, said)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, DistributionError> {
        self.0.bits(count, value)
    }
}

impl LineCoder for RestSaid<'_> {}

#[test]
fn a_rest_of_no_bytes_is_refused() {
    let code = |text| {
        let game = TestGame::of(ChessPosition::standard(), &[("e4", &[(0, text)])]);
        let mut tally = Tally::new(&FAMILIES);
        game.code(&mut RestSaid(SymbolCounter(&mut tally)), false)
    };
    assert_eq!(code("e5 is played"), Ok(vec![b"e5 is played".to_vec()]));
    let refused = LineError::Invalid("no text where it is said to follow");
    assert_eq!(code("e5"), Err(refused));
}

#[test]
fn long_lines_go_on_as_text() {
    let shuffle = ["Nf3 Nf6 Ng1 Ng8"; MAX_PLIES / 4 + 1].join(" ");
    let mut game = ruy(&shuffle);
    let budget = game.code(&mut SymbolCounter(&mut Tally::new(&FAMILIES)), false);
    assert_eq!(budget, Err(TOO_LONG));
    for (_, fields) in &mut game.steps {
        fields.retain(|(_, text)| text.len() < BUDGET);
    }
    game.prove();
}

fn word() -> impl Strategy<Value = &'static str> {
    let words = [
        "e4", "e5", "Nf3", "Nc6", "Bb5", "O-O", "d2d4", "1.", "1...", "2.Nf3", "2. Nf3", "--", "x",
        "Qh5+", "", "a8=Q", "b1c3", "exd5", "d5",
    ];
    prop::sample::select(words.to_vec())
}

/// A game with its distributions and encoded bytes.
fn proven() -> &'static (TestGame, Distributions, Vec<u8>) {
    static PROVEN: OnceLock<(TestGame, Distributions, Vec<u8>)> = OnceLock::new();
    PROVEN.get_or_init(|| {
        let game = ruy("Nf3 Nc6 Bb5 a6 Ba4 Nf6");
        let (distributions, bytes) = game.prove();
        (game, distributions, bytes)
    })
}

/// Texts stay within `BUDGET`, whatever the bytes.
fn read(distributions: &Distributions, bytes: &[u8]) {
    let (game, ..) = proven();
    let mut decoder = Decoder::new(bytes);
    if let Ok(texts) = game.code(&mut SymbolReader(distributions, &mut decoder), true) {
        assert!(texts.iter().all(|text| text.len() <= BUDGET));
    }
}

proptest! {
    #[test]
    fn any_words_come_back(fields in prop::collection::vec((0..KINDS, prop::collection::vec(word(), 0..9)), 6)) {
        let mut game = ruy("Nf3");
        for ((_, place), (kind, words)) in game.steps.iter_mut().zip(fields) {
            place.push((kind, words.join(" ").into_bytes()));
        }
        game.prove();
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes: Vec<u8>) {
        let (_, fitted, _) = proven();
        read(fitted, &bytes);
        let table = Tally::new(&FAMILIES).fit();
        let unfitted = Distributions::read(&table, &FAMILIES, &Limits::default());
        read(&unfitted.expect("a table"), &bytes);
    }

    #[test]
    fn damaged_bytes_are_read_without_panic(at: usize, bit in 0..8u32) {
        let (_, fitted, bytes) = proven();
        let mut bytes = bytes.clone();
        let len = bytes.len();
        bytes[at % len] ^= 1 << bit;
        read(fitted, &bytes);
    }
}
