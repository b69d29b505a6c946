//! Choosing the pieces with which a dictionary is smallest.

use super::learn::learn;
use super::recipe::Recipe;
use super::set::PieceSet;
use super::{PAGE_STRINGS, PageCoder, StringSymbols, families};
use crate::bits::put_bytes;
use crate::codec::distributions::{Distributions, SymbolCoder, SymbolCounter, SymbolWriter, Tally};
use crate::codec::error::CodecError;
use crate::codec::log;
use crate::codec::range::Encoder;
use crate::limits::Limits;
use crate::parallel;

/// An encoded dictionary: its header and pages.
#[derive(Default)]
pub(super) struct EncodedDictionary {
    /// The encoded pieces and distributions.
    pub(super) head: Vec<u8>,
    pub(super) pages: Vec<Vec<u8>>,
}

impl EncodedDictionary {
    fn bytes(&self) -> usize {
        let pages: usize = self.pages.iter().map(Vec::len).sum();
        self.head.len() + pages
    }
}

/// Encodes sorted strings. Returns `None` if pieces cannot represent them.
pub(super) fn write(sorted: &[Vec<u8>]) -> Option<EncodedDictionary> {
    let pages = sorted.chunks(PAGE_STRINGS);
    let split: Vec<Vec<(u8, &[u8])>> = pages.map(shared_prefixes).collect::<Option<_>>()?;
    let suffixes: Vec<&[u8]> = split.iter().flatten().map(|(_, suffix)| *suffix).collect();
    let recipe = learn(&suffixes)?;
    let max_pairs = recipe.pairs.len();
    let counts = [0, 1, 2, 4, 8].map(|part| max_pairs * part / 8);
    let written = parallel::map(counts, |count| {
        write_with(&recipe.with_pairs(count), &split)
    });
    written
        .into_iter()
        .flatten()
        .min_by_key(EncodedDictionary::bytes)
}

/// For each string of a page, the length of the prefix shared with the previous
/// one, and the suffix. Returns `None` if a shared prefix is longer than 255
/// bytes.
fn shared_prefixes(page: &[Vec<u8>]) -> Option<Vec<(u8, &[u8])>> {
    let mut before: &[u8] = &[];
    let mut out = Vec::with_capacity(page.len());
    for string in page {
        let same = before.iter().zip(string);
        let shared = same.take_while(|(a, b)| a == b).count();
        out.push((u8::try_from(shared).ok()?, string.get(shared..)?));
        before = string;
    }
    Some(out)
}

/// The number of times that strings are split again by the costs of the pieces.
const SPLIT_ROUNDS: usize = 3;

fn write_with(recipe: &Recipe, split: &[Vec<(u8, &[u8])>]) -> Option<EncodedDictionary> {
    let set = PieceSet::new(recipe).ok()?;
    let families = families(&set);
    let mut costs: Vec<u32> = (0..set.symbols()).map(|_| log::BIT).collect();
    let mut split_pages = Vec::new();
    for _ in 0..SPLIT_ROUNDS {
        split_pages = split_into_pieces(&set, split, &costs)?;
        costs = costs_of(&split_pages, costs.len());
    }
    let mut tally = Tally::new(&families);
    split_pages
        .iter()
        .try_for_each(|page| code_page(&set, &mut SymbolCounter(&mut tally), page))
        .ok()?;
    let table = tally.fit();
    let distributions = Distributions::read(&table, &families, &Limits::default()).ok()?;
    let mut head = Vec::new();
    recipe.write(&mut head);
    put_bytes(&mut head, &table);
    let mut pages = Vec::with_capacity(split_pages.len());
    for page in &split_pages {
        let mut encoder = Encoder::new();
        code_page(&set, &mut SymbolWriter(&distributions, &mut encoder), page).ok()?;
        pages.push(encoder.finish());
    }
    Some(EncodedDictionary { head, pages })
}

fn split_into_pieces(
    set: &PieceSet,
    split: &[Vec<(u8, &[u8])>],
    costs: &[u32],
) -> Option<Vec<Vec<StringSymbols>>> {
    let string = |(shared, suffix): &(u8, &[u8])| {
        Some(StringSymbols {
            shared: *shared,
            symbols: set.split(suffix, costs)?,
        })
    };
    split
        .iter()
        .map(|page| page.iter().map(string).collect())
        .collect()
}

/// The cost of each symbol in 1/1024 bit, estimated from its frequency.
fn costs_of(coded: &[Vec<StringSymbols>], symbols: usize) -> Vec<u32> {
    let mut counts = vec![1u32; symbols];
    for symbol in coded.iter().flatten().flat_map(|coded| &coded.symbols) {
        if let Some(count) = counts.get_mut(usize::from(*symbol)) {
            *count += 1;
        }
    }
    let total = log::log(counts.iter().sum());
    counts
        .iter()
        .map(|count| total.saturating_sub(log::log(*count)).max(1))
        .collect()
}

fn code_page<C: SymbolCoder>(
    set: &PieceSet,
    coder: &mut C,
    strings: &[StringSymbols],
) -> Result<(), CodecError> {
    let mut page = PageCoder::new(set);
    strings
        .iter()
        .try_for_each(|coded| page.code_string(coder, coded, usize::MAX))
}
