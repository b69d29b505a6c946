use super::*;
use crate::codec::distributions::{SymbolCounter, SymbolWriter, Tally};
use crate::codec::range::Encoder;
use proptest::prelude::*;

/// The pieces a, b, ab and aba.
fn recipe() -> Recipe {
    Recipe {
        bytes: b"ab".to_vec(),
        pairs: vec![(0, 1), (2, 0)],
    }
}

fn read_recipe(bytes: &[u8]) -> Result<Recipe, CodecError> {
    let mut reader = ByteReader::new(bytes);
    let recipe = Recipe::read(&mut reader, &Limits::default())?;
    reader.finish()?;
    Ok(recipe)
}

fn written(recipe: &Recipe) -> Vec<u8> {
    let mut out = Vec::new();
    recipe.write(&mut out);
    out
}

#[test]
fn symbols_are_ordered_by_their_spelling() {
    let set = PieceSet::new(&recipe()).unwrap();
    let spelled: Vec<&[u8]> = (0..=5).map(|symbol| set.bytes_of(symbol)).collect();
    assert_eq!(spelled, [&b""[..], b"a", b"ab", b"aba", b"b", b""]);
    assert_eq!(set.symbols(), 5);
    assert_eq!(set.first_above(b'A'), Some(1));
    assert_eq!(set.first_above(b'a'), Some(4));
    assert_eq!(set.first_above(b'b'), None);
    assert_eq!(set.first_above(255), None);
    assert_eq!([b'a', b'b', b'c'].map(|byte| set.rank(byte)), [1, 2, 0]);
}

#[test]
fn a_text_is_cut_into_the_pieces_that_cost_least() {
    let set = PieceSet::new(&recipe()).unwrap();
    let costs = |aba| [1, 10, 10, aba, 10];
    assert_eq!(set.split(b"abab", &costs(10)), Some(vec![2, 2, END]));
    assert_eq!(set.split(b"aba", &costs(19)), Some(vec![3, END]));
    assert_eq!(set.split(b"aba", &costs(21)), Some(vec![2, 1, END]));
    assert_eq!(set.split(b"", &costs(10)), Some(vec![END]));
    assert_eq!(set.split(b"abc", &costs(10)), None);
}

#[test]
fn learning_joins_the_most_frequent_pairs() {
    let recipe = learn::learn(&[&b"abc"[..]; 10]).unwrap();
    assert_eq!(recipe.bytes, b"abc");
    assert_eq!(recipe.pairs, [(0, 1), (3, 2)]);
    let rare = learn::learn(&[&b"abc"[..]; 3]).unwrap();
    assert_eq!(rare.pairs, []);
    let every: Vec<u8> = (0..=255).collect();
    assert_eq!(learn::learn(&[&every]), None);
}

#[test]
fn lying_recipes_are_refused() {
    let lies: [(&str, &[u8]); 8] = [
        ("cut", &[2, 2, 0, 97]),
        ("too many bytes", &[0x80, 2, 2, 0, 0]),
        ("a byte above 255", &[2, 4, 2, 2, 255, 0, 0, 0, 0]),
        ("too many pieces", &[1, 2, 0, 97, 0xff, 1, 2, 0, 0, 2, 0, 0]),
        ("a pair of no pieces", &[0, 0, 1, 2, 0, 0, 2, 0, 0]),
        (
            "a later piece on the left",
            &[1, 2, 0, 97, 1, 2, 0, 1, 2, 0, 0],
        ),
        (
            "a later piece on the right",
            &[1, 2, 0, 97, 1, 2, 0, 0, 2, 0, 1],
        ),
        ("twice the same", &[1, 2, 0, 97, 2, 2, 0, 0, 2, 0, 0]),
    ];
    for (name, bytes) in lies {
        let set = read_recipe(bytes).and_then(|recipe| PieceSet::new(&recipe));
        assert!(set.is_err(), "{name}");
    }
    let doubling = Recipe {
        bytes: b"a".to_vec(),
        pairs: (0..6).map(|n| (n, n)).collect(),
    };
    assert!(PieceSet::new(&doubling).is_err(), "64 bytes");
    let most = Recipe {
        pairs: (0..5).map(|n| (n, n)).collect(),
        ..doubling
    };
    assert!(PieceSet::new(&most).is_ok(), "32 bytes");
}

/// Encodes and decodes a page of these strings without checking them.
fn page(strings: &[(u8, &[u8])]) -> Result<Vec<Vec<u8>>, CodecError> {
    let set = PieceSet::new(&recipe())?;
    let coded: Vec<StringSymbols> = strings
        .iter()
        .map(|(shared, symbols)| StringSymbols {
            shared: *shared,
            symbols: symbols.to_vec(),
        })
        .collect();
    let mut tally = Tally::new(&families(&set));
    let mut counted = PageCoder::new(&set);
    for coded in &coded {
        counted.code_string(&mut SymbolCounter(&mut tally), coded, 99)?;
    }
    let distributions = Distributions::read(&tally.fit(), &families(&set), &Limits::default())?;
    let mut encoder = Encoder::new();
    let mut writing = PageCoder::new(&set);
    for coded in &coded {
        writing.code_string(&mut SymbolWriter(&distributions, &mut encoder), coded, 99)?;
    }
    let pieces = Pieces {
        set,
        distributions,
        max_strings_bytes: 12,
    };
    let strings = pieces.read(&encoder.finish(), coded.len())?;
    Ok(strings.iter().map(<[u8]>::to_vec).collect())
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn pages_store_shared_lengths() {
    let strings = page(&[(0, &[2, 0]), (2, &[1, 1, 0]), (2, &[4, 0]), (0, &[4, 0])]);
    assert_eq!(strings.unwrap(), [&b"ab"[..], b"abaa", b"abb", b"b"]);
}

/// Records the places of symbols.
#[derive(Default)]
struct ContextRecorder(Vec<SymbolContext>);

impl SymbolCoder for ContextRecorder {
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError> {
        self.0.push(place);
        Ok(symbol)
    }

    fn bits(&mut self, _: u32, value: u64) -> Result<u64, DistributionError> {
        Ok(value)
    }
}

#[test]
fn contexts_are_previous_byte_and_shared_length() {
    let set = PieceSet::new(&recipe()).unwrap();
    let mut page = PageCoder::new(&set);
    let mut places = ContextRecorder::default();
    for (shared, symbols) in [(0, vec![2, 0]), (2, vec![1, 0]), (0, vec![4, 0])] {
        page.code_string(&mut places, &StringSymbols { shared, symbols }, 99)
            .unwrap();
    }
    let place = |family, outer| SymbolContext {
        outer,
        ..SymbolContext::only(family)
    };
    let (start, a, b) = (place(PIECE, 0), place(PIECE, 1), place(PIECE, 2));
    let [none, two] = [0, 2].map(|shared| place(SHARED, shared));
    assert_eq!(places.0, [start, b, none, b, a, two, start, b]);
}

/// The name of a case, and its strings.
type PieceCase<'a> = (&'a str, &'a [(u8, &'a [u8])]);

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn impossible_pages_are_refused() {
    let too_long = [3; 5];
    let refused: [PieceCase<'_>; 7] = [
        ("shared too long", &[(0, &[1, 0]), (2, &[1, 0])]),
        ("equal", &[(0, &[1, 0]), (1, &[0])]),
        ("descending", &[(0, &[4, 0]), (0, &[1, 0])]),
        ("shares more than it says", &[(0, &[1, 0]), (0, &[2, 0])]),
        ("a prefix", &[(0, &[2, 0]), (1, &[0])]),
        ("too large", &[(0, &too_long)]),
        ("too large together", &[(0, &[3, 3, 0]), (6, &[1, 0])]),
    ];
    for (name, coded) in refused {
        assert!(page(coded).is_err(), "{name}");
    }
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn recipes_round_trip(texts in prop::collection::vec("[abc]{0,40}", 0..30), part in 0..9usize) {
        let texts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
        let learned = learn::learn(&texts).unwrap();
        let count = learned.pairs.len() * part / 8;
        let recipe = learned.with_pairs(count);
        prop_assert_eq!(read_recipe(&written(&recipe)), Ok(recipe.clone()));
        let mut spelled = recipe.piece_bytes().unwrap();
        let mut expected = learned.piece_bytes().unwrap();
        expected.truncate(spelled.len());
        spelled.sort();
        expected.sort();
        prop_assert_eq!(spelled, expected);
    }

    #[test]
    fn any_recipe_is_safe(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        if let Ok(set) = read_recipe(&bytes).and_then(|recipe| PieceSet::new(&recipe)) {
            prop_assert!(usize::from(set.symbols()) <= recipe::MAX_PIECES + 1);
        }
    }
}
