use super::*;
use crate::codec::golden::{assert_in_spec, assert_row_in_spec};
use crate::testing::sized;
use proptest::prelude::*;
use strum::VariantArray;

fn parse(bytes: &[u8]) -> Result<Dictionary, CodecError> {
    Dictionary::parse(bytes, &Limits::default())
}

/// Encodes a dictionary of strings in any order.
fn written(strings: &[Vec<u8>]) -> Vec<u8> {
    let body = pieces::write(strings);
    [vec![DictionaryMethod::Pieces.number()], body].concat()
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
    assert!(parse(&[2, 0, 0, 0]).is_err());
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
fn golden_dictionary() {
    let bytes = written(&names());
    assert_in_spec("dictionary", &bytes);
    let dictionary = check(names());
    assert!(dictionary.get(3).is_err());
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
fn an_empty_dictionary_holds_nothing() {
    let dictionary = parse(&build(Vec::new()).0).unwrap();
    assert!(dictionary.is_empty() && dictionary.get(0).is_err());
    assert_eq!(dictionary.check(), Ok(()));
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn one_string_opens_one_page() {
    let dictionary = parse(&build(numbers(5000)).0).unwrap();
    assert_eq!((dictionary.len(), dictionary.pages.len()), (5000, 313));
    assert_eq!(dictionary.get(2048), Ok(&b"02048"[..]));
    let pages = dictionary.pages.iter();
    let open = pages.filter(|page| page.strings.get().is_some());
    let first: Vec<_> = open.map(|page| page.first_id).collect();
    assert_eq!(first, [2048]);
    assert_eq!(dictionary.get(4999), Ok(&b"04999"[..]));
    assert!(dictionary.get(5000).is_err());
}

#[test]
fn strings_may_contain_any_byte_but_ff() {
    let every: Vec<u8> = (0..255).collect();
    let strings = vec![
        every[..128].to_vec(),
        every[128..].to_vec(),
        every,
        Vec::new(),
    ];
    check(strings.clone());
    let others = vec![vec![0xff], vec![b'x'; MAX_ENTRY_BYTES + 1]];
    let (bytes, ids) = build([&strings[..], &others].concat());
    assert_eq!(bytes, build(strings).0);
    assert!(others.iter().all(|string| ids.id_of(string).is_none()));
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
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_lying_header_is_refused() {
    assert!(parse(&[]).is_err());
    let bytes = build(names()).0;
    for length in 0..bytes.len() {
        let cut = parse(&bytes[..length]).and_then(|dictionary| dictionary.check());
        assert!(cut.is_err(), "{length}");
    }
    assert!(parse(&[&bytes[..], &[0]].concat()).is_err(), "trailed");
    // The strings, those of a page, and the bytes of a page.
    for (name, at, byte) in [
        ("a page more", 1, 17),
        ("no strings in a page", 2, 0),
        ("too many strings in a page", 2, 65),
    ] {
        let mut changed = bytes.clone();
        changed[at] = byte;
        assert!(parse(&changed).is_err(), "{name}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn pages_out_of_order_are_found_by_a_check() {
    // Within a page of 16 strings, order is certain. The first string of the second is less.
    let mut strings = numbers(17);
    strings[16] = b"00000".to_vec();
    let dictionary = parse(&written(&strings)).unwrap();
    assert_eq!(dictionary.get(16), Ok(&b"00000"[..]));
    assert!(dictionary.check().is_err());
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn growth_is_bounded_before_a_page_is_opened() {
    let tight = Limits {
        tables_bytes: 40_000,
        ..Limits::default()
    };
    let of = |count| Dictionary::parse(&build(numbers(count)).0, &tight);
    assert!(of(300).unwrap().max_memory_bytes() <= tight.tables_bytes);
    assert_eq!(
        of(700).unwrap_err(),
        CodecError::Limit("size of a dictionary")
    );
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
    fn short_strings_come_back(
        strings in prop::collection::btree_set(prop::collection::vec(0..5u8, 0..9), 1..99),
    ) {
        check(strings.into_iter().collect());
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn changed_dictionaries_are_safe(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = build(numbers(300)).0;
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
