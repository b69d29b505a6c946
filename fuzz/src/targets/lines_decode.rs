//! Fields of moves in comments: arbitrary bits decode within the budget, and arbitrary text
//! round-trips, also with a trace.

use pgna::Limits;
use pgna::internals::annotation::lines::{
    FAMILIES, KINDS, LineCoder, LineError, LineState, MoveLines, MoveSource, NamedMoves, Recent,
};
use pgna::internals::chess::{ChessPosition, PlyKind, SanText};
use pgna::internals::codec::distributions::{
    Distributions, SymbolReader, SymbolWriter, Tally, Traced,
};
use pgna::internals::codec::range::{Decoder, Encoder};
use pgna::internals::codec::trace::Trace;
use pgna::internals::model::{BuiltinFollower, BuiltinModel, GameAdaptation, GameContext};

const GAME: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O";
const BUDGET: usize = 1 << 12;

pub(super) fn check(input: &[u8]) {
    let [with_model, table, rest @ ..] = input else {
        return;
    };
    let (table, rest) = rest.split_at(rest.len().min(usize::from(*table)));
    let unfitted = Tally::new(&FAMILIES).fit();
    let tables = [table, &unfitted];
    let read = |table: &&[u8]| Distributions::read(table, &FAMILIES, &Limits::default()).ok();
    let distributions = tables.iter().find_map(read).expect("a table");
    let with_model = with_model & 1 != 0;

    let mut decoder = Decoder::new(rest);
    if let Ok(texts) = code(
        &mut SymbolReader(&distributions, &mut decoder),
        with_model,
        None,
    ) {
        assert!(texts.iter().all(|text| text.len() <= BUDGET));
        comes_back(&distributions, with_model, &texts);
    }
    let texts: Vec<Vec<u8>> = rest.chunks(64).map(<[u8]>::to_vec).collect();
    comes_back(&distributions, with_model, &texts);
}

fn comes_back(distributions: &Distributions, with_model: bool, texts: &[Vec<u8>]) {
    let (mut encoder, mut trace) = (Encoder::new(), Trace::default());
    let writer = &mut Traced {
        coder: SymbolWriter(distributions, &mut encoder),
        steps: &mut trace,
    };
    let written = code(writer, with_model, Some(texts));
    let bytes = encoder.finish();
    let mut decoder = Decoder::new(&bytes);
    let read = code(
        &mut SymbolReader(distributions, &mut decoder),
        with_model,
        None,
    );
    assert_eq!(read, written);
    assert_eq!(decoder.finish(), Ok(()));
    let (mut decoder, mut steps) = (Decoder::new(&bytes), trace.reader());
    let traced_reader = &mut Traced {
        coder: SymbolReader(distributions, &mut decoder),
        steps: &mut steps,
    };
    assert_eq!(code(traced_reader, with_model, None), written);
    assert_eq!(steps.finish(), Ok(()));
    assert_eq!(decoder.finish(), Ok(()));
    let mut given = texts.iter();
    assert!(
        read.expect("texts")
            .iter()
            .all(|text| given.next().is_none_or(|given| given == text))
    );
}

/// Codes a field after each ply of a game, from `given` or from the decoder.
fn code(
    coder: &mut impl LineCoder,
    with_model: bool,
    given: Option<&[Vec<u8>]>,
) -> Result<Vec<Vec<u8>>, LineError> {
    let position = ChessPosition::standard();
    let plies = plies();
    let follower = || {
        let model = with_model.then_some(BuiltinModel::Fast)?;
        BuiltinFollower::new(
            model,
            &position,
            GameContext::default(),
            GameAdaptation::NONE,
        )
        .ok()
    };
    let mut known = NamedMoves::default();
    if let Some(mut game) = follower() {
        for ply in &plies {
            known.note(game.key(), MoveSource::Game, *ply);
            game.advance(*ply).expect("legal");
        }
    }
    let mut lines = MoveLines::new(known);
    let game = follower();
    let mut places = Recent::new(LineState { position, game });
    let mut texts = Vec::new();
    for (number, ply) in plies.into_iter().enumerate() {
        let played = places.step(|state| state.play(ply).ok_or(()));
        played.expect("legal");
        let text = given.map(|texts| texts.get(number).map_or(&b""[..], Vec::as_slice));
        let kind = u32::try_from(number).expect("few plies") % KINDS;
        texts.push(lines.field(coder, kind, &places, text, BUDGET)?);
    }
    Ok(texts)
}

fn plies() -> Vec<PlyKind> {
    let mut position = ChessPosition::standard();
    let words = GAME.split(' ');
    let plies = words.map(|word| {
        let text = SanText::parse(word.as_bytes()).expect("a move");
        position.play_text(&text).expect("legal").0
    });
    plies.collect()
}
