use super::*;
use crate::bits::{put_bytes, put_varint};
use crate::codec::golden::{assert_in_spec, assert_row_in_spec};
use crate::codec::{ints, pack};
use crate::testing::sized;
use proptest::prelude::*;
use strum::VariantArray;

/// The methods of dictionaries with strings.
const METHODS: [DictionaryMethod; 2] = [DictionaryMethod::Packs, DictionaryMethod::Pieces];

fn parse(bytes: &[u8]) -> Result<Dictionary, CodecError> {
    Dictionary::parse(bytes, &Limits::default())
}

/// A dictionary of these raw pages, each with its number of strings.
fn of_pages(pages: &[(&[u8], u64)]) -> Vec<u8> {
    let packed: Vec<_> = pages
        .iter()
        .map(|(raw, _)| pack::compress(raw, 1))
        .collect();
    let counts: Vec<_> = pages.iter().map(|(_, count)| *count).collect();
    let sizes: Vec<_> = packed.iter().map(|page| page.len() as u64).collect();
    let mut out = vec![DictionaryMethod::Packs.number()];
    put_varint(&mut out, pages.len() as u64);
    put_bytes(&mut out, &ints::encode(&counts));
    put_bytes(&mut out, &ints::encode(&sizes));
    out.extend(packed.concat());
    out
}

/// Encodes a dictionary with a given method.
fn by(method: DictionaryMethod, sorted: &[Vec<u8>]) -> Vec<u8> {
    let body = match method {
        DictionaryMethod::Packs => packs::write(sorted),
        DictionaryMethod::Pieces => pieces::write(sorted).unwrap(),
        DictionaryMethod::Large => panic!("no strings"),
    };
    [vec![method.number()], body].concat()
}

fn check(strings: Vec<Vec<u8>>) -> Dictionary {
    let (bytes, ids) = build(strings.clone());
    let dictionary = parse(&bytes).unwrap();
    for string in &strings {
        let id = ids.id_of(string).unwrap();
        assert_eq!(dictionary.get(id), Ok(&string[..]));
    }
    assert_eq!(dictionary.check(), Ok(()));
    dictionary
}

/// The numbers below `count` as texts, ascending.
fn numbers(count: u32) -> Vec<Vec<u8>> {
    (0..count).map(|n| format!("{n:05}").into_bytes()).collect()
}

fn names() -> Vec<Vec<u8>> {
    let names = ["Karpov, Alexander", "Karpov, Anatoly", "Kasparov, Garry"];
    names.map(|name| name.as_bytes().to_vec()).to_vec()
}

#[test]
fn method_numbers_are_those_of_the_spec() {
    for &method in DictionaryMethod::VARIANTS {
        assert_row_in_spec(method.number(), &format!("{method:?}"));
    }
    assert!(parse(&[3, 0, 0, 0]).is_err());
}

#[test]
fn large_dictionaries_are_announced() {
    for strings in [0, 1, 300, MAX_STRINGS] {
        let bytes = announce(strings);
        assert_eq!(announced(&bytes), Ok(Some(strings)));
        assert!(announced(&bytes[..bytes.len() - 1]).is_err());
        assert!(announced(&[&bytes[..], &[0]].concat()).is_err());
        assert!(parse(&bytes).is_err(), "no strings");
    }
    assert!(announced(&announce(MAX_STRINGS + 1)).is_err());
    assert_eq!(announced(&build(names()).0), Ok(None));
    assert!(announced(&[]).is_err());
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn golden_dictionaries() {
    for (name, method) in [
        ("dictionary-packs", DictionaryMethod::Packs),
        ("dictionary-pieces", DictionaryMethod::Pieces),
    ] {
        let bytes = by(method, &names());
        assert_in_spec(name, &bytes);
        let dictionary = parse(&bytes).unwrap();
        for (name, id) in names().iter().zip(0..) {
            assert_eq!(dictionary.get(id), Ok(&name[..]));
        }
        assert!(dictionary.get(3).is_err());
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn ids_are_those_of_the_sorted_strings() {
    let strings = names().into_iter().rev().chain(names()).collect();
    let (_, ids) = build(strings);
    assert_eq!(ids.id_of(b"Karpov, Anatoly"), Some(1));
    assert_eq!(ids.id_of(b"Karpov"), None);
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn the_smaller_method_is_taken() {
    let short = [b"a".to_vec()];
    assert_eq!(build(short.to_vec()).0, by(DictionaryMethod::Packs, &short));
    assert_eq!(build(names()).0, by(DictionaryMethod::Pieces, &names()));
}

#[test]
fn an_empty_dictionary_holds_nothing() {
    let (bytes, _) = build(Vec::new());
    assert_eq!(bytes, [0, 0, 0, 0]);
    let dictionary = parse(&bytes).unwrap();
    assert!(dictionary.is_empty() && dictionary.get(0).is_err());
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn one_string_opens_one_page() {
    for (method, pages) in [
        (DictionaryMethod::Packs, 5),
        (DictionaryMethod::Pieces, 313),
    ] {
        let dictionary = parse(&by(method, &numbers(5000))).unwrap();
        assert_eq!((dictionary.len(), dictionary.pages.len()), (5000, pages));
        assert_eq!(dictionary.get(2048), Ok(&b"02048"[..]));
        let open = dictionary
            .pages
            .iter()
            .filter(|page| page.strings.get().is_some());
        let first: Vec<_> = open.map(|page| page.first_id).collect();
        assert_eq!(first, [2048]);
        assert_eq!(dictionary.get(4999), Ok(&b"04999"[..]));
        assert!(dictionary.get(5000).is_err());
    }
}

#[test]
fn long_strings_have_a_page_of_their_own() {
    let long = vec![b'l'; PAGE_BYTES + 1];
    let strings = vec![b"a".to_vec(), long.clone(), b"z".to_vec()];
    assert_eq!(check(strings).pages.len(), 3);
}

#[test]
fn strings_may_contain_any_byte() {
    let every: Vec<u8> = (0..=255).collect();
    let halves = [every[..128].to_vec(), every[128..].to_vec()];
    let strings = [&halves[..], &[every[1..].to_vec(), Vec::new(), every]].concat();
    assert_eq!(check(strings).pages.len(), 3);
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn threads_read_the_same_page() {
    let strings = numbers(500);
    let dictionary = parse(&build(strings.clone()).0).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (string, id) in strings.iter().zip(0..) {
                    assert_eq!(dictionary.get(id), Ok(&string[..]));
                }
            });
        }
    });
}

#[test]
fn a_lying_index_is_refused() {
    assert!(parse(&[]).is_err());
    let refused: [(&str, Vec<u8>); 6] = [
        ("more pages than bytes", vec![0, 100, 2, 0, 1, 2, 0, 2]),
        ("no string", of_pages(&[(b"\0\0", 0)])),
        ("too many strings", of_pages(&[(b"\0\0", 1025)])),
        ("body cut", vec![0, 1, 2, 0, 1, 2, 0, 4, 0, 0, 0]),
        (
            "body trailed",
            vec![0, 1, 2, 0, 1, 2, 0, 4, 0, 0, 0, 65, 66],
        ),
        (
            "sizes overflow",
            [&[0, 2, 2, 0, 1, 11, 0][..], &[0xff; 9], &[1, 0, 0]].concat(),
        ),
    ];
    for (name, bytes) in refused {
        assert!(parse(&bytes).is_err(), "{name}");
    }
}

#[test]
fn a_damaged_page_is_an_error_each_time() {
    let dictionary = parse(&of_pages(&[(b"\0\0b\0\0a", 2)])).unwrap();
    let damaged = Err(CodecError::Damaged("dictionary strings do not ascend"));
    assert_eq!(dictionary.get(0), damaged);
    assert_eq!(dictionary.get(0), damaged);
}

#[test]
fn pages_out_of_order_are_found_by_a_check() {
    let dictionary = parse(&of_pages(&[(b"\0\0b", 1), (b"\0\0a", 1)])).unwrap();
    assert_eq!(dictionary.get(1), Ok(&b"a"[..]));
    assert!(dictionary.check().is_err());
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn growth_is_bounded_before_a_page_is_opened() {
    let tight = Limits {
        tables_bytes: 40_000,
        ..Limits::default()
    };
    let limit = CodecError::Limit("size of a dictionary");
    for (method, fits, exceeds) in [
        (DictionaryMethod::Packs, 2000, 4000),
        (DictionaryMethod::Pieces, 300, 700),
    ] {
        let of = |count| Dictionary::parse(&by(method, &numbers(count)), &tight);
        assert!(of(fits).is_ok());
        assert_eq!(of(exceeds).unwrap_err(), limit);
    }
    let (bytes, _) = build(vec![vec![b'x'; 50_000]]);
    assert_eq!(Dictionary::parse(&bytes, &tight).unwrap_err(), limit);
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn strings_come_back(strings in prop::collection::vec("[ab\n]{0,9}|.{0,40}", 0..sized(60, 200))) {
        check(strings.into_iter().map(String::into_bytes).collect());
    }

    #[test]
    fn any_bytes_are_safe(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(dictionary) = parse(&bytes) {
            let _ = dictionary.check();
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn strings_come_back_by_either_method(
        strings in prop::collection::btree_set(prop::collection::vec(0..5u8, 0..9), 1..99),
    ) {
        let strings: Vec<_> = strings.into_iter().collect();
        for method in METHODS {
            let dictionary = parse(&by(method, &strings)).unwrap();
            prop_assert_eq!(dictionary.check(), Ok(()));
            for (string, id) in strings.iter().zip(0..) {
                prop_assert_eq!(dictionary.get(id), Ok(&string[..]));
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn changed_dictionaries_are_safe(
        is_pieces in any::<bool>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let method = METHODS[usize::from(is_pieces)];
        let mut bytes = by(method, &numbers(300));
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(dictionary) = parse(&bytes)
            && dictionary.check().is_ok()
        {
            let ids = 0..u32::try_from(dictionary.len()).unwrap();
            let strings: Vec<_> = ids.map(|id| dictionary.get(id).unwrap()).collect();
            prop_assert!(strings.is_sorted_by(|a, b| a < b));
        }
    }
}
