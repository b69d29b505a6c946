//! Dictionaries: sorted strings that are referred to by ID, in pages that are
//! decoded one at a time.
//!
//! `spec/columns.md`, section 4, defines the layout.

mod pieces;
#[cfg(test)]
mod tests;

use foldhash::HashMap;
use std::sync::OnceLock;

use super::error::CodecError;
use super::string_list::StringList;
use crate::bits::{ByteReader, put_varint};
use crate::limits::Limits;
use pieces::Pieces;
use strum::FromRepr;

pub use pieces::{MAX_PAGE_STRINGS, PAGE_BYTES};

/// The maximum size of a string that writers add, in bytes. Longer strings rarely
/// repeat.
pub const MAX_ENTRY_BYTES: usize = 255;

/// Whether a writer adds a string to dictionaries. There are at most 255 pieces, so a dictionary
/// with each of the 256 bytes could not be written; FF does not occur in UTF-8.
pub fn may_contain(string: &[u8]) -> bool {
    string.len() <= MAX_ENTRY_BYTES && !string.contains(&0xff)
}

/// The maximum number of strings in all dictionaries that are written together. It
/// keeps them within the default limits for tables.
pub const MAX_ENTRIES: usize = 1 << 19;

/// The maximum number of strings in a dictionary: an ID plus 1, or the mark of a
/// literal, fits 32 bits.
pub const MAX_STRINGS: usize = (u32::MAX - 1) as usize;

/// The encoding of a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRepr)]
#[cfg_attr(test, derive(strum::VariantArray))]
#[repr(u8)]
pub enum DictionaryMethod {
    /// Pages are symbols, which represent pieces of strings.
    Pieces = 0,
    /// The strings are in a table of their own; only their number is here.
    Large = 1,
}

impl DictionaryMethod {
    /// The number of this method in a file.
    pub const fn number(self) -> u8 {
        self as u8
    }

    fn read(reader: &mut ByteReader<'_>) -> Result<Self, CodecError> {
        let method = Self::from_repr(reader.u8()?);
        method.ok_or(CodecError::Damaged("unknown method of a dictionary"))
    }
}

/// Maps strings to IDs, for a writer.
#[derive(Debug, Clone, Default)]
pub struct StringIds {
    by_string: HashMap<Vec<u8>, u32>,
}

impl StringIds {
    /// The ID of `string`, if the dictionary contains it.
    pub fn id_of(&self, string: &[u8]) -> Option<u32> {
        self.by_string.get(string).copied()
    }

    /// Whether the dictionary is empty.
    pub fn is_empty(&self) -> bool {
        self.by_string.is_empty()
    }
}

/// Encodes a dictionary of those of `strings` that it [may contain](may_contain). They may be
/// unsorted and repeated.
pub fn build(mut strings: Vec<Vec<u8>>) -> (Vec<u8>, StringIds) {
    strings.retain(|string| may_contain(string));
    strings.sort_unstable();
    strings.dedup();
    strings.truncate(MAX_STRINGS);
    let body = pieces::write(&strings);
    let by_string = strings.into_iter().zip(0..).collect();
    let bytes = [vec![DictionaryMethod::Pieces.number()], body].concat();
    (bytes, StringIds { by_string })
}

/// Announces a dictionary of so many strings, which is in a table of its own.
pub fn announce(strings: usize) -> Vec<u8> {
    let mut out = vec![DictionaryMethod::Large.number()];
    put_varint(&mut out, strings as u64);
    out
}

/// The number of strings of a dictionary that is announced; `None` if the strings are here.
///
/// # Errors
/// The announcement is damaged.
pub fn announced(bytes: &[u8]) -> Result<Option<usize>, CodecError> {
    let mut reader = ByteReader::new(bytes);
    if DictionaryMethod::read(&mut reader)? != DictionaryMethod::Large {
        return Ok(None);
    }
    let strings = reader.length()?;
    reader.finish()?;
    match strings > MAX_STRINGS {
        true => Err(CodecError::Damaged("strings in a dictionary")),
        false => Ok(Some(strings)),
    }
}

/// The header of a dictionary, before the pages.
struct DictionaryHeader {
    /// The number of strings in each page, and its size in bytes.
    counts: Vec<u64>,
    sizes: Vec<u64>,
    pieces: Pieces,
}

/// A dictionary for reading. Threads can share it.
///
/// A page is decoded when one of its strings is first requested, and is then
/// cached.
#[derive(Debug)]
pub struct Dictionary {
    pages: Vec<DictionaryPage>,
    body: Vec<u8>,
    pieces: Pieces,
}

#[derive(Debug)]
struct DictionaryPage {
    first_id: usize,
    count: usize,
    /// The range of the page in the body.
    start: usize,
    end: usize,
    strings: OnceLock<StringList>,
}

impl Dictionary {
    /// Reads the header of a dictionary and bounds the memory of its pages.
    ///
    /// # Errors
    /// [`CodecError::Limit`] if the strings could take more than
    /// [`Limits::tables_bytes`], otherwise a damaged index.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, CodecError> {
        let mut reader = ByteReader::new(bytes);
        let head = match DictionaryMethod::read(&mut reader)? {
            DictionaryMethod::Pieces => pieces::parse(&mut reader, limits)?,
            DictionaryMethod::Large => {
                return Err(CodecError::Damaged("a dictionary without its strings"));
            }
        };
        let body = reader.rest().to_vec();
        let pages = page_index(&head.counts, &head.sizes)?;
        if pages.last().map_or(0, |page| page.end) != body.len() {
            return Err(CodecError::Damaged("pages do not fill the dictionary"));
        }
        Ok(Dictionary {
            pages,
            body,
            pieces: head.pieces,
        })
    }

    /// The bound on the memory of all pages once decoded, in bytes.
    pub fn max_memory_bytes(&self) -> u64 {
        pieces::max_memory_bytes(self.pages.len(), self.pieces.max_strings_bytes())
    }

    /// The number of strings. IDs start at 0.
    pub fn len(&self) -> usize {
        self.pages
            .last()
            .map_or(0, |page| page.first_id + page.count)
    }

    /// Whether there is no string.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The string with this ID. Decodes at most one page.
    ///
    /// # Errors
    /// There is no such ID, or the page is damaged.
    pub fn get(&self, id: u32) -> Result<&[u8], CodecError> {
        let missing = CodecError::Damaged("ID past the dictionary");
        let id = usize::try_from(id).map_err(|_| missing)?;
        let after = self.pages.partition_point(|page| page.first_id <= id);
        let page = after
            .checked_sub(1)
            .and_then(|at| self.pages.get(at))
            .ok_or(missing)?;
        self.decode_page(page)?
            .get(id - page.first_id)
            .ok_or(missing)
    }

    /// Decodes every page and checks that all strings ascend.
    ///
    /// # Errors
    /// Pages are damaged or out of order.
    pub fn check(&self) -> Result<(), CodecError> {
        let mut last: Option<&[u8]> = None;
        for page in &self.pages {
            let strings = self.decode_page(page)?;
            if last.is_some() && last >= strings.get(0) {
                return Err(CodecError::Damaged("dictionary pages are not in order"));
            }
            last = strings.get(page.count - 1);
        }
        Ok(())
    }

    fn packed(&self, page: &DictionaryPage) -> &[u8] {
        self.body.get(page.start..page.end).unwrap_or_default()
    }

    fn decode_page<'a>(&self, page: &'a DictionaryPage) -> Result<&'a StringList, CodecError> {
        if let Some(strings) = page.strings.get() {
            return Ok(strings);
        }
        let strings = self.pieces.read(self.packed(page), page.count)?;
        Ok(page.strings.get_or_init(|| strings))
    }
}

fn page_index(counts: &[u64], sizes: &[u64]) -> Result<Vec<DictionaryPage>, CodecError> {
    let mut pages = Vec::with_capacity(counts.len());
    let (mut first_id, mut start) = (0usize, 0usize);
    for (count, size) in counts.iter().zip(sizes) {
        let count = usize::try_from(*count)
            .ok()
            .filter(|count| (1..=MAX_PAGE_STRINGS).contains(count))
            .ok_or(CodecError::Damaged("strings in a dictionary page"))?;
        let end = usize::try_from(*size)
            .ok()
            .and_then(|size| start.checked_add(size));
        let end = end.ok_or(CodecError::Damaged("size of a dictionary page"))?;
        pages.push(DictionaryPage {
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
