//! Archives whose moves are coded by a model: their columns and tables, and the errors of a reader
//! that lacks the model.

use crate::forged::{with_adaptation, with_model};
use pgna::{Archive, BuiltinModel, Codec, Error, ErrorClass, PackOptions, Writer};
use std::collections::BTreeMap;

/// An archive of a text, with the model `fast`.
fn pack(text: &str, codecs: Vec<Codec>) -> Vec<u8> {
    pack_with(BuiltinModel::Fast, text, codecs)
}

fn pack_with(model: BuiltinModel, text: &str, codecs: Vec<Codec>) -> Vec<u8> {
    let options = PackOptions {
        codecs,
        model: model.into(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("games.pgn", text.as_bytes()).unwrap();
    writer.finish().unwrap().0
}

/// The size in bytes of each nonempty column. Asserts that the first game round-trips.
fn columns(text: &str, codecs: Vec<Codec>) -> BTreeMap<String, u64> {
    columns_of(pack(text, codecs), text)
}

fn columns_of(archive: Vec<u8>, text: &str) -> BTreeMap<String, u64> {
    let archive = Archive::new(archive).unwrap();
    assert_eq!(archive.text(1).unwrap(), text.as_bytes());
    let columns = archive.sizes().unwrap().columns.into_iter();
    let mut columns: BTreeMap<String, u64> = columns
        .map(|(name, size)| (name, size.blocks_bytes))
        .collect();
    columns.retain(|_, bytes| *bytes > 0);
    columns
}

fn models_of(archive: Vec<u8>) -> Vec<Option<&'static str>> {
    let archive = Archive::new(archive).unwrap();
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
    for model in BuiltinModel::ALL {
        for text in [VARIATIONS, CHESS960, SET_UP] {
            let archive = pack_with(model, text, vec![Codec::Model]);
            let columns = columns_of(archive.clone(), text);
            assert!(columns.contains_key("moves"), "{text}");
            assert!(columns.contains_key("variation plies"), "{text}");
            assert!(!columns.contains_key("variations"), "{text}");
            assert_eq!(models_of(archive), [Some(model.level())]);
        }
    }
}

#[test]
fn other_variants_use_other_codecs() {
    for codecs in [vec![Codec::Model], Codec::ALL.to_vec()] {
        assert!(columns(CRAZYHOUSE, codecs.clone()).contains_key("variations"));
        assert_eq!(models_of(pack(CRAZYHOUSE, codecs.clone())), []);
        let both = format!("{CRAZYHOUSE}\n{SET_UP}");
        assert_eq!(models_of(pack(&both, codecs)), [Some("fast")]);
    }
    assert_eq!(models_of(pack(SET_UP, vec![Codec::Radix])), []);
    let no_moves = "[White \"A\"]\n\n*\n";
    assert_eq!(models_of(pack(no_moves, Codec::ALL.to_vec())), []);
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
    assert!(!columns(&nested(255), vec![Codec::Model]).contains_key("variations"));
    assert!(columns(&nested(256), vec![Codec::Model]).contains_key("variations"));
    assert!(columns(&nested(256), Codec::ALL.to_vec()).contains_key("variations"));
}

fn read(archive: &[u8]) -> Result<Vec<u8>, Error> {
    Archive::new(archive).unwrap().text(1)
}

#[test]
fn unknown_models_are_refused_by_digest() {
    let archive = pack(VARIATIONS, Codec::ALL.to_vec());
    let mut digest = BuiltinModel::Fast.digest();
    let same = with_model(&archive, Some(&digest));
    assert_eq!(read(&same).unwrap(), VARIATIONS.as_bytes());
    digest[0] ^= 1;
    let forged = with_model(&archive, Some(&digest));
    let error = read(&forged).unwrap_err();
    let hex = blake3::Hash::from_bytes(digest).to_string();
    assert!(error.to_string().contains(&hex), "{error}");
    assert_eq!(error.class(), ErrorClass::Version);
    let models = Archive::new(&forged[..]).unwrap().models().unwrap();
    assert_eq!((models.len(), models[0].level()), (1, None));
}

#[test]
fn moves_of_a_model_that_no_table_names_are_refused() {
    let archive = pack(VARIATIONS, Codec::ALL.to_vec());
    for model in [None, Some(&[][..]), Some(&[0; 31])] {
        let error = read(&with_model(&archive, model)).unwrap_err();
        assert_eq!(error.class(), ErrorClass::Damaged, "{error}");
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
    let archive = pack(&text, vec![Codec::Model]);
    let sizes = Archive::new(&archive[..]).unwrap().sizes().unwrap();
    let adaptation = sizes.adaptations.values().next().unwrap();
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
    let plain = with_adaptation(&archive, None);
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
        pool.install(|| pack(&text, vec![Codec::Model]))
    };
    assert!(packed(1) == packed(4));
}

#[test]
fn a_few_games_get_no_adaptation() {
    let archive = Archive::new(pack(&unusual_games(6), vec![Codec::Model])).unwrap();
    let sizes = archive.sizes().unwrap();
    assert!(sizes.adaptations.is_empty());
    assert!(!sizes.tables.contains_key("adaptation"));
}

#[test]
fn invalid_adaptations_are_refused() {
    let archive = pack(VARIATIONS, vec![Codec::Model]);
    let terms = [0x11; 15];
    let of = |archive: &[u8], bytes: &[u8]| read(&with_adaptation(archive, Some(bytes)));
    let without_model = with_model(&archive, None);
    for (archive, bytes, expected) in [
        (&archive, &[][..], "without bytes"),
        (&archive, &[0; 16], "without effect"),
        (&archive, &terms, "ends early"),
        (&archive, &[0x11; 16], "adaptation"),
        (&archive, &[&terms[..], &[0, 16]].concat(), "no book"),
        (&archive, &[&terms[..], &[0, 0]].concat(), "adaptation"),
        (
            &without_model,
            &[&terms[..], &[0]].concat(),
            "without a model",
        ),
    ] {
        let error = of(archive, bytes).unwrap_err();
        assert!(error.to_string().contains(expected), "{error} {expected}");
        assert_eq!(error.class(), ErrorClass::Damaged, "{error}");
    }
}
