//! Arbitrary bytes as a compressed byte string, a column or a dictionary: no panic, and no memory
//! beyond the limits.

use pgna::Limits;
use pgna::internals::codec::dictionary::{Dictionary, build};
use pgna::internals::codec::{ints, pack, strings};

const MAX_RAW: u64 = 1 << 20;

pub(super) fn check(data: &[u8]) {
    let Some(([kind, count, more], bytes)) = data.split_first_chunk::<3>() else {
        return;
    };
    let count = usize::from(*count) + 256 * usize::from(*more);
    match kind % 4 {
        0 => read_pack(bytes),
        1 => read_ints(bytes, count),
        2 => read_dictionary(bytes),
        _ => read_strings(bytes, count),
    }
}

fn read_pack(bytes: &[u8]) {
    if let Ok(raw) = pack::decompress(bytes, MAX_RAW, &Limits::default()) {
        let again = pack::compress(&raw, 1);
        assert_eq!(
            pack::decompress(&again, MAX_RAW, &Limits::default()),
            Ok(raw)
        );
    }
}

fn read_ints(bytes: &[u8], count: usize) {
    if let Ok(values) = ints::decode(bytes, count, &Limits::default()) {
        let again = ints::encode(&values);
        assert_eq!(ints::decode(&again, count, &Limits::default()), Ok(values));
    }
}

fn read_dictionary(bytes: &[u8]) {
    let Ok(dictionary) = Dictionary::parse(bytes, &Limits::default()) else {
        return;
    };
    let _ = dictionary.get(0);
    if dictionary.check().is_err() {
        return;
    }
    let ids = 0..u32::try_from(dictionary.len()).unwrap();
    let strings: Vec<Vec<u8>> = ids.map(|id| dictionary.get(id).unwrap().to_vec()).collect();
    let (again, _) = build(strings.clone());
    let again = Dictionary::parse(&again, &Limits::default()).unwrap();
    for (string, id) in strings.iter().zip(0..) {
        assert_eq!(again.get(id), Ok(&string[..]));
    }
}

/// The bytes are a dictionary and a column that refers to it.
fn read_strings(bytes: &[u8], count: usize) {
    let limits = Limits::default();
    let (table, column) = bytes.split_at(bytes.len() / 2);
    let dictionary = Dictionary::parse(table, &limits).ok();
    if let Ok(column) = strings::decode(column, count, dictionary.as_ref(), MAX_RAW, &limits) {
        assert_eq!(column.len(), count);
        let values: Vec<&[u8]> = column.iter().collect();
        let again = strings::encode(&values, None);
        assert_eq!(
            strings::decode(&again, count, None, MAX_RAW, &limits),
            Ok(column)
        );
    }
}
