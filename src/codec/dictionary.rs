//! The strings that occur more than once, sorted, in pages that open one at a
//! time.
//!
//! The layout is that of `spec/columns.md`, section 4. Sorting and writing
//! what two neighbours share only once is front coding (Witten, Moffat and
//! Bell, *Managing Gigabytes*, section 4.1).

use std::collections::HashMap;
use std::sync::OnceLock;

use super::error::CodecError;
use super::flat::Strings;
use super::{ints, pack};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::limits::Limits;

/// Most bytes that the strings of a page have together, unless it holds one.
pub const PAGE_BYTES: usize = 16 << 10;

/// Most strings of a page.
pub const PAGE_STRINGS: usize = 1024;

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
        let (page, after) = rest.split_at(first_page(rest));
        let packed = pack::compress(&write_page(page), pack::LEVEL);
        counts.push(page.len() as u64);
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

/// How many of `sorted`, which is not empty, fit the page that begins with it.
fn first_page(sorted: &[Vec<u8>]) -> usize {
    let mut used = ByteSet::default();
    let mut bytes = 0;
    let fitting = sorted.iter().take(PAGE_STRINGS).take_while(|string| {
        used.add(string);
        bytes += string.len();
        bytes <= PAGE_BYTES && used.first_free().is_some()
    });
    fitting.count().max(1)
}

fn write_page(page: &[Vec<u8>]) -> Vec<u8> {
    let mut used = ByteSet::default();
    page.iter().for_each(|string| used.add(string));
    let end = used.first_free().unwrap_or(0);
    let mut out = Vec::new();
    let mut before: &[u8] = &[];
    for string in page {
        let shared = before
            .iter()
            .zip(string)
            .take_while(|(a, b)| a == b)
            .count();
        out.push(end);
        put_varint(&mut out, shared as u64);
        out.extend(string.iter().skip(shared));
        before = string;
    }
    out
}

/// The byte values that occur in a page.
#[derive(Debug, Default)]
struct ByteSet([u128; 2]);

impl ByteSet {
    fn add(&mut self, string: &[u8]) {
        let ByteSet([low, high]) = self;
        for byte in string {
            let half = if *byte < 128 { &mut *low } else { &mut *high };
            *half |= 1 << (byte & 127);
        }
    }

    /// The lowest value that does not occur.
    fn first_free(&self) -> Option<u8> {
        let ByteSet([low, high]) = self;
        let free = match low.trailing_ones() {
            128 => 128 + high.trailing_ones(),
            free => free,
        };
        u8::try_from(free).ok()
    }
}

/// A dictionary to read from, by any number of threads at once.
///
/// A page is decoded when a string of it is first asked for, and kept.
#[derive(Debug)]
pub struct Dictionary {
    limits: Limits,
    pages: Vec<Page>,
    body: Vec<u8>,
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
        let dictionary = Dictionary {
            limits: limits.clone(),
            pages,
            body,
        };
        dictionary.check_growth()?;
        Ok(dictionary)
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
        let strings = read_page(&raw, page.count)?;
        Ok(page.strings.get_or_init(|| strings))
    }

    /// Bounds the memory of all pages, once open, without opening any.
    fn check_growth(&self) -> Result<(), CodecError> {
        let mut total = 0u64;
        for page in &self.pages {
            let raw_len = pack::raw_len(self.packed(page), &self.limits)?;
            total = total.saturating_add(raw_len.max(PAGE_BYTES) as u64);
        }
        if total > self.limits.tables_bytes {
            return Err(CodecError::Limit("size of a dictionary"));
        }
        Ok(())
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

fn read_page(raw: &[u8], count: usize) -> Result<Strings, CodecError> {
    let mut reader = ByteReader::new(raw);
    let mut strings = Strings::with_capacity(count);
    let mut last = Vec::new();
    let end = reader.u8()?;
    for left in (0..count).rev() {
        let shared = reader.length()?;
        let suffix = match left {
            0 => reader.take(reader.rest().len())?,
            _ => take_until(&mut reader, end)?,
        };
        replace_tail(&mut last, shared, suffix, strings.is_empty())?;
        if count > 1 && strings.total_bytes() + last.len() > PAGE_BYTES {
            return Err(CodecError::Damaged("dictionary page too large"));
        }
        strings.push(&last);
    }
    Ok(strings)
}

/// Takes the bytes before `end` and skips `end`.
fn take_until<'a>(reader: &mut ByteReader<'a>, end: u8) -> Result<&'a [u8], CodecError> {
    let len = memchr::memchr(end, reader.rest()).ok_or(CodecError::Damaged(
        "string in a dictionary page without end",
    ))?;
    let bytes = reader.take(len)?;
    reader.take(1)?;
    Ok(bytes)
}

/// Makes `last` the string that follows it.
fn replace_tail(
    last: &mut Vec<u8>,
    shared: usize,
    suffix: &[u8],
    is_first: bool,
) -> Result<(), CodecError> {
    let old = last.get(shared..).ok_or(CodecError::Damaged(
        "shared part longer than the string before",
    ))?;
    if !is_first && suffix <= old {
        return Err(CodecError::Damaged("dictionary strings do not ascend"));
    }
    last.truncate(shared);
    last.extend_from_slice(suffix);
    Ok(())
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
    fn strings_of_every_byte_need_no_terminator() {
        let every: Vec<u8> = (0..=255).collect();
        let low = every[..128].to_vec();
        let high = every[128..].to_vec();
        let nearly = every[1..].to_vec();
        assert_eq!(
            check(vec![every, low, high, nearly, Vec::new()])
                .pages
                .len(),
            3
        );
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
    fn a_lying_page_is_refused() {
        let too_large = [b"\0\0", &[b'a'; PAGE_BYTES][..], b"\0\x01b"].concat();
        let refused: [(&str, &[u8], u64); 7] = [
            ("no bytes", b"", 1),
            ("fewer strings", b"\0\0a", 2),
            ("equal strings", b"\0\0a\0\x01", 2),
            ("descending strings", b"\0\0b\0\0a", 2),
            ("shared too long", b"\0\0a\0\x02b", 2),
            ("first string shares", b"\0\x01a", 1),
            ("too large", &too_large, 2),
        ];
        for (name, raw, count) in refused {
            let dictionary = parse(&of_pages(&[(raw, count)])).unwrap();
            assert!(dictionary.get(0).is_err(), "{name}");
        }
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
        fn any_page_is_safe(raw in prop::collection::vec(0..4u8, 0..60), count in 1..20u64) {
            let dictionary = parse(&of_pages(&[(&raw, count)])).unwrap();
            if dictionary.check().is_ok() {
                let strings: Vec<_> = (0..dictionary.len())
                    .map(|id| dictionary.get(u32::try_from(id).unwrap()).unwrap())
                    .collect();
                prop_assert!(strings.is_sorted_by(|a, b| a < b));
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
