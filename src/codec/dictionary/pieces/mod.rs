//! Pages of sorted strings as symbols: how much a string shares with the one
//! before it, and the pieces that follow.
//!
//! The layout is that of `spec/columns.md`, section 4.

mod learn;
mod recipe;
mod set;
#[cfg(test)]
mod tests;
mod write;

use super::{Head, PAGE_BYTES};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::error::CodecError;
use crate::codec::flat::Strings;
use crate::codec::forecast::{Coder, Family, Forecast, ForecastError, Place, Reader};
use crate::codec::ints;
use crate::codec::range::Decoder;
use crate::limits::Limits;
use recipe::Recipe;
use set::{END, PieceSet};

/// What the string before has shared counts up to this.
const SHARED_CONTEXTS: u32 = 32;

/// Family of the pieces; its outer context is the byte before.
const PIECE: usize = 0;
/// Family of what is shared; its outer context is what the string before shares.
const SHARED: usize = 1;

/// Most strings of a page.
const MAX_PAGE_STRINGS: usize = 64;
/// Strings of a page as it is written: one is read in some microseconds.
pub const PIECES_PAGE_STRINGS: usize = 16;
/// What a page takes in memory beside the bytes of its strings, at most.
const PAGE_OVERHEAD: usize = 1024;

/// How the strings of a dictionary are told.
#[derive(Debug)]
pub(super) struct Pieces {
    set: PieceSet,
    forecast: Forecast,
    /// The strings of no page are together larger.
    largest: usize,
}

/// A string on the side of the writer: what it shares, and the symbols after it.
#[derive(Debug, Default)]
struct Told {
    shared: u8,
    symbols: Vec<u8>,
}

/// What a page is told by.
struct Page<'a> {
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

impl<'a> Page<'a> {
    fn new(set: &'a PieceSet) -> Self {
        Page {
            set,
            last: Vec::new(),
            shared: 0,
            is_first: true,
        }
    }

    /// The next string, which `last` becomes, of at most `room` bytes.
    fn string<C: Coder>(
        &mut self,
        coder: &mut C,
        told: &Told,
        room: usize,
    ) -> Result<(), CodecError> {
        let mut least = END;
        if !self.is_first {
            let place = Place {
                outer: u32::from(self.shared).min(SHARED_CONTEXTS - 1),
                ..Place::in_family(SHARED)
            };
            self.shared = coder.symbol(place, told.shared)?;
            let shared = usize::from(self.shared);
            // Of strings that ascend, what follows the shared part is greater.
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
        let mut symbols = told.symbols.iter().copied();
        loop {
            let rank = self.last.last().map_or(0, |byte| self.set.rank(*byte));
            let place = Place {
                outer: rank.into(),
                ..Place::in_family(PIECE)
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
            self.last.extend_from_slice(self.set.spell(symbol));
            if self.last.len() > room {
                return Err(CodecError::Damaged("dictionary page too large"));
            }
        }
    }
}

const NOT_ASCENDING: CodecError = CodecError::Damaged("dictionary strings do not ascend");

/// Writes all but the method; `None` if the strings hold too many byte values or
/// are too long.
pub(super) fn write(sorted: &[Vec<u8>]) -> Option<Vec<u8>> {
    let page_bytes = |page: &[Vec<u8>]| page.iter().map(Vec::len).sum::<usize>();
    let largest = sorted.chunks(PIECES_PAGE_STRINGS).map(page_bytes).max();
    let largest = largest.filter(|largest| *largest <= PAGE_BYTES)?;
    let written = write::write(sorted)?;
    let sizes: Vec<u64> = written.pages.iter().map(|page| page.len() as u64).collect();
    let mut out = Vec::new();
    put_varint(&mut out, sorted.len() as u64);
    put_varint(&mut out, PIECES_PAGE_STRINGS as u64);
    put_varint(&mut out, largest as u64);
    out.extend(written.head);
    put_bytes(&mut out, &ints::encode(&sizes));
    out.extend(written.pages.concat());
    Some(out)
}

/// Reads all between the method and the pages.
pub(super) fn parse(reader: &mut ByteReader<'_>, limits: &Limits) -> Result<Head, CodecError> {
    let strings = reader.length()?;
    let each = reader.length()?;
    let largest = reader.length()?;
    if !(1..=MAX_PAGE_STRINGS).contains(&each) || largest > PAGE_BYTES {
        return Err(CodecError::Damaged("size of dictionary pages"));
    }
    let pages = strings.div_ceil(each);
    if (pages as u64).saturating_mul(PAGE_OVERHEAD as u64) > limits.tables_bytes {
        return Err(CodecError::Limit("size of a dictionary"));
    }
    let set = PieceSet::new(&Recipe::read(reader, limits)?)?;
    let forecast = Forecast::read(reader.bytes()?, &families(&set), limits)?;
    let sizes = ints::decode(reader.bytes()?, pages, limits)?;
    let mut counts = vec![each as u64; pages];
    if let Some(last) = counts.last_mut() {
        *last = (strings - (pages - 1) * each) as u64;
    }
    let pieces = Pieces {
        set,
        forecast,
        largest,
    };
    Ok(Head {
        counts,
        sizes,
        pieces: Some(pieces),
    })
}

impl Pieces {
    /// The strings of a page that holds `count` of them.
    pub(super) fn read(&self, page: &[u8], count: usize) -> Result<Strings, CodecError> {
        let mut decoder = Decoder::new(page);
        let mut coder = Reader(&self.forecast, &mut decoder);
        let mut strings = Strings::with_capacity(count);
        let mut page = Page::new(&self.set);
        let told = Told::default();
        for _ in 0..count {
            page.string(&mut coder, &told, self.largest - strings.total_bytes())?;
            strings.push(&page.last);
        }
        decoder.finish().map_err(ForecastError::from)?;
        Ok(strings)
    }

    /// What a page can grow to in memory.
    pub(super) fn grown_bytes(&self) -> usize {
        self.largest + PAGE_OVERHEAD
    }
}
