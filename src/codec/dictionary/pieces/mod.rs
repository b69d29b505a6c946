//! Pages of sorted strings as symbols: the length of the prefix that a string
//! shares with the previous one, and the pieces that follow.
//!
//! `spec/columns.md`, section 4, defines the layout.

mod learn;
mod recipe;
mod set;
#[cfg(test)]
mod tests;
mod write;

use super::DictionaryHeader;
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::distributions::{
    DistributionError, Distributions, Family, SymbolCoder, SymbolContext, SymbolReader,
};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::codec::range::Decoder;
use crate::codec::string_list::StringList;
use crate::limits::Limits;
use recipe::Recipe;
use set::{END, PieceSet};

/// The number of contexts of the shared length. Larger lengths share the last
/// one.
const SHARED_CONTEXTS: u32 = 32;

/// The family of the pieces. The outer context is the previous byte.
const PIECE: usize = 0;
/// The family of the shared length. The outer context is the shared length of
/// the previous string.
const SHARED: usize = 1;

/// The maximum total size of the strings of a page, in bytes.
pub const PAGE_BYTES: usize = 16 << 10;
/// The maximum number of strings in a page.
pub const MAX_PAGE_STRINGS: usize = 64;
/// The number of strings in a page that is written. Decoding such a page takes
/// some microseconds.
const PAGE_STRINGS: usize = 16;
/// The maximum memory of a decoded page in addition to its strings, in bytes.
const PAGE_OVERHEAD: usize = 1024;

/// The pieces of which the strings of a dictionary are composed, and their
/// distributions.
#[derive(Debug)]
pub(super) struct Pieces {
    set: PieceSet,
    distributions: Distributions,
    /// The maximum total size of the strings of a page, in bytes.
    max_strings_bytes: usize,
}

/// A string to write: its shared length, and the symbols that follow.
#[derive(Debug, Default)]
struct StringSymbols {
    shared: u8,
    symbols: Vec<u8>,
}

/// The state of coding a page.
struct PageCoder<'a> {
    set: &'a PieceSet,
    last: Vec<u8>,
    shared: u8,
    is_first: bool,
}

fn families(set: &PieceSet) -> [Family; 2] {
    let before = Family {
        symbols: set.symbols(),
        outer: u32::from(set.bytes()) + 1,
        inner: 1,
    };
    let shared = Family {
        symbols: 256,
        outer: SHARED_CONTEXTS,
        inner: 1,
    };
    [before, shared]
}

impl<'a> PageCoder<'a> {
    fn new(set: &'a PieceSet) -> Self {
        PageCoder {
            set,
            last: Vec::new(),
            shared: 0,
            is_first: true,
        }
    }

    /// Codes the next string, which is then in `last`, and must have at most
    /// `budget` bytes.
    fn code_string<C: SymbolCoder>(
        &mut self,
        coder: &mut C,
        string: &StringSymbols,
        max_bytes: usize,
    ) -> Result<(), CodecError> {
        let mut least = END;
        if !self.is_first {
            let place = SymbolContext {
                outer: u32::from(self.shared).min(SHARED_CONTEXTS - 1),
                ..SymbolContext::only(SHARED)
            };
            self.shared = coder.symbol(place, string.shared)?;
            let shared = usize::from(self.shared);
            // The strings ascend, so the first byte after the shared prefix must
            // be greater.
            least = match self.last.get(shared) {
                Some(byte) => self.set.first_above(*byte).ok_or(NOT_ASCENDING)?,
                None if shared == self.last.len() => END + 1,
                None => {
                    return Err(CodecError::Damaged(
                        "shared part longer than the string before",
                    ));
                }
            };
            self.last.truncate(shared);
        }
        self.is_first = false;
        let mut symbols = string.symbols.iter().copied();
        loop {
            let rank = self.last.last().map_or(0, |byte| self.set.rank(*byte));
            let place = SymbolContext {
                outer: rank.into(),
                ..SymbolContext::only(PIECE)
            };
            let symbol = symbols.next().unwrap_or(END);
            let symbol = match least {
                END => coder.symbol(place, symbol)?,
                least => coder.symbol_from(place, least, symbol)?,
            };
            if symbol == END {
                return Ok(());
            }
            least = END;
            self.last.extend_from_slice(self.set.bytes_of(symbol));
            if self.last.len() > max_bytes {
                return Err(CodecError::Damaged("dictionary page too large"));
            }
        }
    }
}

const NOT_ASCENDING: CodecError = CodecError::Damaged("dictionary strings do not ascend");

/// Encodes a dictionary without the method. It [may contain](super::may_contain) each string.
pub(super) fn write(sorted: &[Vec<u8>]) -> Vec<u8> {
    let page_bytes = |page: &[Vec<u8>]| page.iter().map(Vec::len).sum::<usize>();
    let largest = sorted.chunks(PAGE_STRINGS).map(page_bytes).max();
    let written = write::write(sorted).unwrap_or_default();
    let sizes: Vec<u64> = written.pages.iter().map(|page| page.len() as u64).collect();
    let mut out = Vec::new();
    put_varint(&mut out, sorted.len() as u64);
    put_varint(&mut out, PAGE_STRINGS as u64);
    put_varint(&mut out, largest.unwrap_or(0) as u64);
    out.extend(written.head);
    put_bytes(&mut out, &ints::encode_smallest(&sizes));
    out.extend(written.pages.concat());
    out
}

/// The bound on the memory of this number of pages once decoded, in bytes.
pub(super) fn max_memory_bytes(pages: usize, max_strings_bytes: usize) -> u64 {
    let page = (max_strings_bytes + PAGE_OVERHEAD) as u64;
    page.saturating_mul(pages as u64)
}

/// Decodes the header after the method, up to the pages.
pub(super) fn parse(
    reader: &mut ByteReader<'_>,
    limits: &Limits,
) -> Result<DictionaryHeader, CodecError> {
    let strings = reader.length()?;
    let page_strings = reader.length()?;
    let largest = reader.length()?;
    if !(1..=MAX_PAGE_STRINGS).contains(&page_strings) || largest > PAGE_BYTES {
        return Err(CodecError::Damaged("size of dictionary pages"));
    }
    let pages = strings.div_ceil(page_strings);
    if max_memory_bytes(pages, largest) > limits.tables_bytes {
        return Err(CodecError::Limit("size of a dictionary"));
    }
    let set = PieceSet::new(&Recipe::read(reader, limits)?)?;
    let distributions = Distributions::read(reader.bytes()?, &families(&set), limits)?;
    let sizes = ints::decode(reader.bytes()?, pages, limits)?;
    let mut counts = vec![page_strings as u64; pages];
    if let Some(last) = counts.last_mut() {
        *last = (strings - (pages - 1) * page_strings) as u64;
    }
    let pieces = Pieces {
        set,
        distributions,
        max_strings_bytes: largest,
    };
    Ok(DictionaryHeader {
        counts,
        sizes,
        pieces,
    })
}

impl Pieces {
    /// Decodes a page of `count` strings.
    pub(super) fn read(&self, page: &[u8], count: usize) -> Result<StringList, CodecError> {
        let mut decoder = Decoder::new(page);
        let mut coder = SymbolReader(&self.distributions, &mut decoder);
        let mut strings = StringList::with_capacity(count);
        let mut page = PageCoder::new(&self.set);
        let symbols = StringSymbols::default();
        for _ in 0..count {
            page.code_string(
                &mut coder,
                &symbols,
                self.max_strings_bytes - strings.total_bytes(),
            )?;
            strings.push(&page.last);
        }
        decoder.finish().map_err(DistributionError::from)?;
        Ok(strings)
    }

    /// The maximum total size of the strings of a page, in bytes.
    pub(super) fn max_strings_bytes(&self) -> usize {
        self.max_strings_bytes
    }
}
