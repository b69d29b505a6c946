//! A page of a dictionary: sorted strings, front-coded.
//!
//! `spec/columns.md`, section 4, defines the layout. Front coding stores the
//! common prefix of two adjacent sorted strings only once (Witten, Moffat and
//! Bell, *Managing Gigabytes*). A terminating byte for each string takes 7 %
//! less than the strings' lengths, on the tags of 192,630 games.

use super::super::error::CodecError;
use super::super::string_list::StringList;
use crate::bits::{ByteReader, put_varint};

/// The maximum total size of the strings of a page, in bytes. A page of one
/// string may exceed it.
pub const PAGE_BYTES: usize = 16 << 10;

/// The maximum number of strings in a page.
pub const PAGE_STRINGS: usize = 1024;

/// The number of strings at the start of `sorted`, which is not empty, that fit
/// one page.
pub(super) fn count_fitting(sorted: &[Vec<u8>]) -> usize {
    let mut used = ByteSet::default();
    let mut bytes = 0;
    let fitting = sorted.iter().take(PAGE_STRINGS).take_while(|string| {
        used.add(string);
        bytes += string.len();
        bytes <= PAGE_BYTES && used.first_free().is_some()
    });
    fitting.count().max(1)
}

/// Encodes a page, before compression.
pub(super) fn write(page: &[Vec<u8>]) -> Vec<u8> {
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

    /// The lowest byte value that does not occur.
    fn first_free(&self) -> Option<u8> {
        let ByteSet([low, high]) = self;
        let free = match low.trailing_ones() {
            128 => 128 + high.trailing_ones(),
            free => free,
        };
        u8::try_from(free).ok()
    }
}

/// Decodes a page of `count` strings.
pub(super) fn read(raw: &[u8], count: usize) -> Result<StringList, CodecError> {
    let mut reader = ByteReader::new(raw);
    let mut strings = StringList::with_capacity(count);
    let mut last = Vec::new();
    let end = reader.u8()?;
    for left in (0..count).rev() {
        let shared = reader.length()?;
        let suffix = match left {
            0 => reader.take(reader.rest().len())?,
            _ => take_until(&mut reader, end)?,
        };
        advance(&mut last, shared, suffix, strings.is_empty())?;
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

/// Replaces `last` by the next string.
fn advance(
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
    use proptest::prelude::*;

    #[test]
    fn a_page_leaves_a_byte_to_end_its_strings() {
        let every: Vec<u8> = (0..=255).collect();
        let nearly = every[1..].to_vec();
        let (low, high) = every.split_at(128);
        let strings = [low.to_vec(), every.clone(), nearly.clone(), high.to_vec()];
        assert_eq!(count_fitting(&strings), 1);
        assert_eq!(count_fitting(&strings[1..]), 1);
        assert_eq!(count_fitting(&strings[2..]), 2);
        assert_eq!(read(&write(&[every]), 1).map(|page| page.len()), Ok(1));
        let raw = write(&strings[2..]);
        assert_eq!(raw[0], 0);
        assert_eq!(read(&raw, 2).unwrap().get(0), Some(&nearly[..]));
    }

    #[test]
    fn a_page_is_bounded() {
        let short: Vec<_> = (0..2000u32).map(|n| n.to_be_bytes().to_vec()).collect();
        assert!(count_fitting(&short) < PAGE_STRINGS, "no byte is left");
        let plain: Vec<_> = (0..2000u32)
            .map(|n| format!("{n:04}").into_bytes())
            .collect();
        assert_eq!(count_fitting(&plain), PAGE_STRINGS);
        let long = [vec![b'a'; PAGE_BYTES - 1], b"b".to_vec(), b"c".to_vec()];
        assert_eq!(count_fitting(&long), 2);
        assert_eq!(count_fitting(&[vec![b'a'; PAGE_BYTES + 1]]), 1);
    }

    #[test]
    fn a_lying_page_is_refused() {
        let too_large = [b"\0\0", &[b'a'; PAGE_BYTES][..], b"\0\x01b"].concat();
        let refused: [(&str, &[u8], usize); 7] = [
            ("no bytes", b"", 1),
            ("fewer strings", b"\0\0a", 2),
            ("equal strings", b"\0\0a\0\x01", 2),
            ("descending strings", b"\0\0b\0\0a", 2),
            ("shared too long", b"\0\0a\0\x02b", 2),
            ("first string shares", b"\0\x01a", 1),
            ("too large", &too_large, 2),
        ];
        for (name, raw, count) in refused {
            assert!(read(raw, count).is_err(), "{name}");
        }
        assert!(read(&too_large[..PAGE_BYTES + 2], 1).is_ok());
    }

    proptest! {
        #[test]
        fn strings_come_back(
            strings in prop::collection::btree_set(prop::collection::vec(0..3u8, 0..9), 1..60),
        ) {
            let strings: Vec<_> = strings.into_iter().collect();
            let page = read(&write(&strings), strings.len()).unwrap();
            prop_assert!(page.iter().eq(strings.iter().map(Vec::as_slice)));
        }

        #[test]
        fn any_page_is_safe(raw in prop::collection::vec(0..4u8, 0..60), count in 1..20usize) {
            if let Ok(page) = read(&raw, count) {
                prop_assert_eq!(page.len(), count);
                prop_assert!(page.iter().is_sorted_by(|a, b| a < b));
            }
        }
    }
}
