//! The strings that occur more than once, sorted, in pages that open one at a
//! time.
//!
//! The layout is that of `spec/columns.md`, section 4.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::error::CodecError;
use super::flat::Strings;
use super::{ints, pack, page};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::limits::Limits;

pub use super::page::{PAGE_BYTES, PAGE_STRINGS};

/// Most strings of a dictionary: an ID and the mark of a literal fit 32 bits.
pub const MAX_STRINGS: usize = (u32::MAX - 1) as usize;

/// Finds the ID of a string, on the side of the writer.
#[derive(Debug, Clone, Default)]
pub struct Ids {
    by_string: HashMap<Vec<u8>, u32>,
}

impl Ids {
    /// The ID of `string`, if the dictionary holds it.
    pub fn id_of(&self, string: &[u8]) -> Option<u32> {
        self.by_string.get(string).copied()
    }

    /// Whether the dictionary holds nothing.
    pub fn is_empty(&self) -> bool {
        self.by_string.is_empty()
    }
}

/// Writes a dictionary of `strings`, in any order and with any repeats.
pub fn build(mut strings: Vec<Vec<u8>>) -> (Vec<u8>, Ids) {
    strings.sort_unstable();
    strings.dedup();
    strings.truncate(MAX_STRINGS);
    let bytes = write(&strings);
    let by_string = strings.into_iter().zip(0..).collect();
    (bytes, Ids { by_string })
}

fn write(sorted: &[Vec<u8>]) -> Vec<u8> {
    let mut counts = Vec::new();
    let mut sizes = Vec::new();
    let mut body = Vec::new();
    let mut rest = sorted;
    while !rest.is_empty() {
        let (strings, after) = rest.split_at(page::fitting(rest));
        let packed = pack::compress(&page::write(strings), pack::LEVEL);
        counts.push(strings.len() as u64);
        sizes.push(packed.len() as u64);
        body.extend(packed);
        rest = after;
    }
    let mut out = Vec::new();
    put_varint(&mut out, counts.len() as u64);
    put_bytes(&mut out, &ints::encode(&counts));
    put_bytes(&mut out, &ints::encode(&sizes));
    out.extend(body);
    out
}

/// A dictionary to read from, by any number of threads at once.
///
/// A page is decoded when a string of it is first asked for, and kept.
#[derive(Debug)]
pub struct Dictionary {
    limits: Limits,
    pages: Vec<Page>,
    body: Vec<u8>,
    grown_bytes: u64,
}

#[derive(Debug)]
struct Page {
    first_id: usize,
    count: usize,
    /// Where the page starts and ends in the body.
    start: usize,
    end: usize,
    strings: OnceLock<Strings>,
}

impl Dictionary {
    /// Reads the index of a dictionary and bounds what its pages can grow to.
    ///
    /// # Errors
    /// [`CodecError::Limit`] when the strings could take more than
    /// [`Limits::tables_bytes`], otherwise a damaged index.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, CodecError> {
        let mut reader = ByteReader::new(bytes);
        let count = reader.length()?;
        if count > bytes.len() {
            return Err(CodecError::Damaged("more pages than bytes"));
        }
        let counts = ints::decode(reader.bytes()?, count, limits)?;
        let sizes = ints::decode(reader.bytes()?, count, limits)?;
        let body = reader.rest().to_vec();
        let pages = index(&counts, &sizes)?;
        if pages.last().map_or(0, |page| page.end) != body.len() {
            return Err(CodecError::Damaged("pages do not fill the dictionary"));
        }
        let mut dictionary = Dictionary {
            limits: limits.clone(),
            pages,
            body,
            grown_bytes: 0,
        };
        dictionary.grown_bytes = dictionary.growth()?;
        Ok(dictionary)
    }

    /// What all pages can grow to in memory, in bytes.
    pub fn grown_bytes(&self) -> u64 {
        self.grown_bytes
    }

    /// How many strings there are; their IDs count from 0.
    pub fn len(&self) -> usize {
        self.pages
            .last()
            .map_or(0, |page| page.first_id + page.count)
    }

    /// Whether there is no string.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The string with this ID; opens one page at most.
    ///
    /// # Errors
    /// No such ID, or a damaged page.
    pub fn get(&self, id: u32) -> Result<&[u8], CodecError> {
        let missing = CodecError::Damaged("ID past the dictionary");
        let id = usize::try_from(id).map_err(|_| missing)?;
        let after = self.pages.partition_point(|page| page.first_id <= id);
        let page = after
            .checked_sub(1)
            .and_then(|at| self.pages.get(at))
            .ok_or(missing)?;
        self.open(page)?.get(id - page.first_id).ok_or(missing)
    }

    /// Opens every page and checks that the strings ascend throughout.
    ///
    /// # Errors
    /// Pages that are damaged or out of order.
    pub fn check(&self) -> Result<(), CodecError> {
        let mut last: Option<&[u8]> = None;
        for page in &self.pages {
            let strings = self.open(page)?;
            if last.is_some() && last >= strings.get(0) {
                return Err(CodecError::Damaged("dictionary pages are not in order"));
            }
            last = strings.get(page.count - 1);
        }
        Ok(())
    }

    fn packed(&self, page: &Page) -> &[u8] {
        self.body.get(page.start..page.end).unwrap_or_default()
    }

    fn open<'a>(&self, page: &'a Page) -> Result<&'a Strings, CodecError> {
        if let Some(strings) = page.strings.get() {
            return Ok(strings);
        }
        let most = self.limits.tables_bytes;
        let raw = pack::decompress(self.packed(page), most, &self.limits)?;
        let strings = page::read(&raw, page.count)?;
        Ok(page.strings.get_or_init(|| strings))
    }

    /// Bounds the memory of all pages, once open, without opening any.
    fn growth(&self) -> Result<u64, CodecError> {
        let mut total = 0u64;
        for page in &self.pages {
            let raw_len = pack::raw_len(self.packed(page), &self.limits)?;
            total = total.saturating_add(raw_len.max(PAGE_BYTES) as u64);
        }
        if total > self.limits.tables_bytes {
            return Err(CodecError::Limit("size of a dictionary"));
        }
        Ok(total)
    }
}

fn index(counts: &[u64], sizes: &[u64]) -> Result<Vec<Page>, CodecError> {
    let mut pages = Vec::with_capacity(counts.len());
    let (mut first_id, mut start) = (0usize, 0usize);
    for (count, size) in counts.iter().zip(sizes) {
        let count = usize::try_from(*count)
            .ok()
            .filter(|count| (1..=PAGE_STRINGS).contains(count))
            .ok_or(CodecError::Damaged("strings in a dictionary page"))?;
        let end = usize::try_from(*size)
            .ok()
            .and_then(|size| start.checked_add(size));
        let end = end.ok_or(CodecError::Damaged("size of a dictionary page"))?;
        pages.push(Page {
            first_id,
            count,
            start,
            end,
            strings: OnceLock::new(),
        });
        first_id += count;
        start = end;
    }
    if first_id > MAX_STRINGS {
        return Err(CodecError::Damaged("strings in a dictionary"));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::golden::assert_in_spec;
    use proptest::prelude::*;

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
        let mut out = Vec::new();
        put_varint(&mut out, pages.len() as u64);
        put_bytes(&mut out, &ints::encode(&counts));
        put_bytes(&mut out, &ints::encode(&sizes));
        out.extend(packed.concat());
        out
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

    #[test]
    fn golden_dictionary() {
        let names = ["Karpov, Anatoly", "Karpov, Alexander", "Kasparov, Garry"];
        let (bytes, ids) = build(names.map(|name| name.as_bytes().to_vec()).to_vec());
        assert_in_spec("dictionary", &bytes);
        assert_eq!(ids.id_of(b"Karpov, Anatoly"), Some(1));
        assert_eq!(ids.id_of(b"Karpov"), None);
        assert_eq!(parse(&bytes).unwrap().get(2), Ok(&b"Kasparov, Garry"[..]));
        assert!(parse(&bytes).unwrap().get(3).is_err());
    }

    #[test]
    fn an_empty_dictionary_holds_nothing() {
        let (bytes, _) = build(Vec::new());
        assert_eq!(bytes, [0, 0, 0]);
        let dictionary = parse(&bytes).unwrap();
        assert!(dictionary.is_empty() && dictionary.get(0).is_err());
    }

    #[test]
    fn one_string_opens_one_page() {
        let dictionary = check(
            (0..5000u32)
                .map(|n| format!("{n:05}").into_bytes())
                .collect(),
        );
        assert_eq!((dictionary.len(), dictionary.pages.len()), (5000, 5));
        let fresh = parse(
            &build(
                (0..5000u32)
                    .map(|n| format!("{n:05}").into_bytes())
                    .collect(),
            )
            .0,
        );
        let fresh = fresh.unwrap();
        assert_eq!(fresh.get(2048), Ok(&b"02048"[..]));
        let open: Vec<_> = fresh
            .pages
            .iter()
            .map(|page| page.strings.get().is_some())
            .collect();
        assert_eq!(open, [false, false, true, false, false]);
    }

    #[test]
    fn long_strings_have_a_page_of_their_own() {
        let long = vec![b'l'; PAGE_BYTES + 1];
        let strings = vec![b"a".to_vec(), long.clone(), b"z".to_vec()];
        assert_eq!(check(strings).pages.len(), 3);
    }

    #[test]
    fn any_byte_may_stand_in_a_string() {
        let every: Vec<u8> = (0..=255).collect();
        let halves = [every[..128].to_vec(), every[128..].to_vec()];
        let strings = [&halves[..], &[every[1..].to_vec(), Vec::new(), every]].concat();
        assert_eq!(check(strings).pages.len(), 3);
    }

    #[test]
    fn threads_read_the_same_page() {
        let strings: Vec<_> = (0..500u32)
            .map(|n| format!("{n:04}").into_bytes())
            .collect();
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
            ("more pages than bytes", vec![100, 2, 0, 1, 2, 0, 2]),
            ("no string", of_pages(&[(b"\0\0", 0)])),
            ("too many strings", of_pages(&[(b"\0\0", 1025)])),
            ("body cut", vec![1, 2, 0, 1, 2, 0, 4, 0, 0, 0]),
            ("body trailed", vec![1, 2, 0, 1, 2, 0, 4, 0, 0, 0, 65, 66]),
            (
                "sizes overflow",
                [&[2, 2, 0, 1, 11, 0][..], &[0xff; 9], &[1, 0, 0]].concat(),
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
    fn growth_is_bounded_before_a_page_is_opened() {
        let tight = Limits {
            tables_bytes: 40_000,
            ..Limits::default()
        };
        let (bytes, _) = build(
            (0..2000u32)
                .map(|n| format!("{n:05}").into_bytes())
                .collect(),
        );
        assert!(Dictionary::parse(&bytes, &tight).is_ok());
        let (bytes, _) = build(
            (0..4000u32)
                .map(|n| format!("{n:05}").into_bytes())
                .collect(),
        );
        let limit = CodecError::Limit("size of a dictionary");
        assert_eq!(Dictionary::parse(&bytes, &tight).unwrap_err(), limit);
        let (bytes, _) = build(vec![vec![b'x'; 50_000]]);
        assert_eq!(Dictionary::parse(&bytes, &tight).unwrap_err(), limit);
    }

    proptest! {
        #[test]
        fn strings_come_back(strings in prop::collection::vec("[ab\n]{0,9}|.{0,40}", 0..200)) {
            check(strings.into_iter().map(String::into_bytes).collect());
        }

        #[test]
        fn any_bytes_are_safe(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(dictionary) = parse(&bytes) {
                let _ = dictionary.check();
            }
        }

        #[test]
        fn changed_dictionaries_are_safe(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let (mut bytes, _) = build((0..3000u32).map(|n| format!("{n:05}").into_bytes()).collect());
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Ok(dictionary) = parse(&bytes) {
                let _ = dictionary.check();
            }
        }
    }
}
