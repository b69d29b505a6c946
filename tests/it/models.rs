//! Archives whose moves are coded by a model: their columns and tables, and the errors of a reader
//! that lacks the model.

use crate::forged::{with_adaptation, with_models};
use pgna::{Archive, BuiltinModel, Codec, Error, ErrorClass, PackOptions, Writer};
use std::collections::BTreeMap;

fn pack(text: &str, codecs: Vec<Codec>) -> Vec<u8> {
    let options = PackOptions {
        codecs,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("games.pgn", text.as_bytes()).unwrap();
    writer.finish().unwrap().0
}

/// The size in bytes of each nonempty column. Asserts that the first game round-trips.
fn columns(text: &str, codecs: Vec<Codec>) -> BTreeMap<String, u64> {
    let archive = Archive::new(pack(text, codecs)).unwrap();
    assert_eq!(archive.text(1).unwrap(), text.as_bytes());
    let columns = archive.sizes().unwrap().columns.into_iter();
    let mut columns: BTreeMap<String, u64> = columns
        .map(|(name, size)| (name, size.blocks_bytes))
        .collect();
    columns.retain(|_, bytes| *bytes > 0);
    columns
}

fn models_of(text: &str, codecs: Vec<Codec>) -> Vec<Option<&'static str>> {
    let archive = Archive::new(pack(text, codecs)).unwrap();
    let models = archive.models().unwrap();
    models.iter().map(|model| model.level()).collect()
}

const VARIATIONS: &str = "[White \"A\"]\n[WhiteElo \"2500\"]\n\n\
    1. e4 (1. d4 Nf6 (1... d5 2. -- e6) 2. c4) 1... e5 2. Nf3 -- 3. Nc3 (3. Bc4) () 1-0\n";
const CHESS960: &str = "[Variant \"Chess960\"]\n\
    [FEN \"nqnrkrbb/pppppppp/8/8/8/8/PPPPPPPP/NQNRKRBB w FDfd - 0 1\"]\n\n\
    1. f4 (1. g3 g6) 1... f5 2. g3 g6 3. Bf3 Bf6 4. Bf2 Bf7 5. O-O O-O 1/2-1/2\n";
const SET_UP: &str =
    "[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n\n1. O-O (1. e4 Ke7) 1... Kd7 2. Kg2 *\n";
const CRAZYHOUSE: &str =
    "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 (3. P@e4 Qxe4+) 3... P@e4 *\n";

#[test]
fn a_model_codes_a_game_in_one_stream() {
    for codec in [Codec::ModelFast, Codec::ModelDefault, Codec::ModelMax] {
        for text in [VARIATIONS, CHESS960, SET_UP] {
            let columns = columns(text, vec![codec]);
            assert!(columns.contains_key("moves"), "{text}");
            assert!(columns.contains_key("variation plies"), "{text}");
            assert!(!columns.contains_key("variations"), "{text}");
            let level = codec.model().map(BuiltinModel::level);
            assert_eq!(models_of(text, vec![codec]), [level]);
        }
    }
}

#[test]
fn other_variants_use_other_codecs() {
    for codecs in [vec![Codec::ModelFast], Codec::auto(BuiltinModel::Fast)] {
        assert!(columns(CRAZYHOUSE, codecs.clone()).contains_key("variations"));
        assert_eq!(models_of(CRAZYHOUSE, codecs.clone()), []);
        let both = format!("{CRAZYHOUSE}\n{SET_UP}");
        assert_eq!(models_of(&both, codecs), [Some("fast")]);
    }
    assert_eq!(models_of(SET_UP, vec![Codec::Radix]), []);
    assert_eq!(
        models_of("[White \"A\"]\n\n*\n", Codec::auto(BuiltinModel::Max)),
        []
    );
}

/// Games with variations nested deeper than a stream allows use another codec.
#[test]
fn deep_variations_use_another_codec() {
    let nested = |depth| {
        format!(
            "1. e4 {}{} *\n",
            "(1. d4 ".repeat(depth),
            ") ".repeat(depth)
        )
    };
    let auto = || Codec::auto(BuiltinModel::Fast);
    assert!(!columns(&nested(255), vec![Codec::ModelFast]).contains_key("variations"));
    assert!(columns(&nested(256), vec![Codec::ModelFast]).contains_key("variations"));
    assert!(columns(&nested(256), auto()).contains_key("variations"));
}

fn read(archive: &[u8]) -> Result<Vec<u8>, Error> {
    Archive::new(archive).unwrap().text(1)
}

#[test]
fn unknown_models_are_refused_by_number() {
    let archive = pack(VARIATIONS, Codec::auto(BuiltinModel::Default));
    let list = |number: u8, digest: [u8; 32]| [&[number], &digest[..]].concat();
    let (number, digest) = (
        BuiltinModel::Default.number(),
        BuiltinModel::Default.digest(),
    );
    let same = with_models(&archive, Some(&list(number, digest)));
    assert_eq!(read(&same).unwrap(), VARIATIONS.as_bytes());
    let mut other = digest;
    other[0] ^= 1;
    for (list, expected) in [
        (
            list(7, digest),
            "needs move model 7, which this release does not have",
        ),
        (
            list(number, other),
            "needs another move model 2 than this release has",
        ),
    ] {
        let forged = with_models(&archive, Some(&list));
        let error = read(&forged).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.class(), ErrorClass::Version);
        let models = Archive::new(&forged[..]).unwrap().models().unwrap();
        assert_eq!((models.len(), models[0].level()), (1, None));
    }
}

#[test]
fn models_missing_from_the_table_are_refused() {
    let archive = pack(VARIATIONS, Codec::auto(BuiltinModel::Default));
    let fast = BuiltinModel::Fast;
    let of_other = [&[fast.number()][..], &fast.digest()].concat();
    for models in [None, Some(&of_other[..])] {
        let error = read(&with_models(&archive, models)).unwrap_err();
        assert!(error.to_string().contains("does not name"), "{error}");
        assert_eq!(error.class(), ErrorClass::Damaged);
    }
}

/// Games of three pairs of players, an equal number of each. Two of the pairs play openings that
/// the model does not expect; the last move varies.
fn unusual_games(games: usize) -> String {
    let game = |number: usize| {
        let (white, black, opening) = match number % 3 {
            0 => (
                "Ann",
                "Bob",
                "1. a3 h6 2. h3 a6 3. Ra2 Rh7 4. Ra1 Rh8 5. Ra2 Rh7",
            ),
            1 => (
                "Bob",
                "Ann",
                "1. Na3 Nh6 2. Nb1 Ng8 3. Nh3 Na6 4. Ng1 Nb8 5. f3 f6",
            ),
            _ => (
                "Cid",
                "Dan",
                "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7",
            ),
        };
        let last = ["Kf2", "Nc3", "c3", "d3", "b3"][number % 5];
        let last = match (number % 3, last) {
            (0, _) => "b4",
            (2, "Kf2" | "d3") => "Re1",
            (_, last) => last,
        };
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n{opening} 6. {last} *\n\n")
    };
    (0..games).map(game).collect()
}

#[test]
fn a_segment_adapts_the_model_to_its_games() {
    let text = unusual_games(900);
    let archive = pack(&text, vec![Codec::ModelFast]);
    let sizes = Archive::new(&archive[..]).unwrap().sizes().unwrap();
    let adaptation = sizes.adaptations[&BuiltinModel::Fast];
    assert_eq!(adaptation.segments, 1);
    assert!(adaptation.parts.positions > 10, "{adaptation:?}");
    assert!(sizes.tables["adaptation"] > 0);
    let opened = Archive::new(&archive[..]).unwrap();
    let all: Vec<u8> = opened.texts().flat_map(Result::unwrap).collect();
    assert!(all == text.as_bytes());
    // Random access to a single game also works.
    let alone = Archive::new(&archive[..]).unwrap().text(500).unwrap();
    assert!(alone.starts_with(b"[White \"Bob\"]"), "{alone:?}");
    // Without the adaptation the same bytes decode to other moves or to an error.
    let plain = with_adaptation(&archive, BuiltinModel::Fast.number(), None);
    let same = |number| {
        let read = Archive::new(&plain[..]).unwrap().text(number);
        read.is_ok_and(|read| read == opened.text(number).unwrap())
    };
    assert!((1..=900).filter(|number| same(*number)).count() < 10);
}

#[test]
fn adaptation_does_not_depend_on_the_number_of_threads() {
    let text = unusual_games(600);
    let packed = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| pack(&text, vec![Codec::ModelFast]))
    };
    assert!(packed(1) == packed(4));
}

#[test]
fn a_few_games_get_no_adaptation() {
    let archive = Archive::new(pack(&unusual_games(6), vec![Codec::ModelFast])).unwrap();
    let sizes = archive.sizes().unwrap();
    assert!(sizes.adaptations.is_empty());
    assert!(!sizes.tables.contains_key("adaptation"));
}

#[test]
fn invalid_adaptations_are_refused() {
    let archive = pack(VARIATIONS, vec![Codec::ModelFast]);
    let [fast, default] = [BuiltinModel::Fast, BuiltinModel::Default].map(BuiltinModel::number);
    let terms = [0x11; 15];
    let of = |model, bytes: &[u8]| read(&with_adaptation(&archive, model, Some(bytes)));
    for (model, bytes, expected) in [
        (fast, &[][..], "without bytes"),
        (fast, &[0; 16], "without effect"),
        (fast, &terms, "ends early"),
        (fast, &[0x11; 16], "adaptation"),
        (fast, &[&terms[..], &[0, 16]].concat(), "no book"),
        (fast, &[&terms[..], &[0, 0]].concat(), "adaptation"),
        (default, &[&terms[..], &[0]].concat(), "does not name"),
        (99, &[&terms[..], &[0]].concat(), "does not name"),
    ] {
        let error = of(model, bytes).unwrap_err();
        assert!(error.to_string().contains(expected), "{error} {expected}");
        assert_eq!(error.class(), ErrorClass::Damaged, "{error}");
    }
}
