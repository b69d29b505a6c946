//! What is intact of a segment.

use super::decode::{BlockDecoder, SourceText};
use super::layout::SourceLayout;
use super::losses::SegmentLosses;
use super::report::LostRange;
use super::source_digests::SourceDigests;
use crate::archive::error::Error;
use crate::archive::read::derived_tags::IndexRow;
use crate::archive::read::read_ahead::{BlockTask, ReadAhead};
use crate::archive::schema::summary_row::SummaryRow;
use crate::container::BlockHeader;
use std::collections::BTreeMap;

/// The share of a source in the intact text of a segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SourceShare {
    /// The offset of the share in the damaged source, if no text before it is lost.
    pub(super) offset: u64,
    pub(super) bytes: u64,
    pub(super) games: u64,
    pub(super) records: u64,
}

/// The intact blocks of a segment.
#[derive(Debug, Default)]
pub(super) struct IntactBlocks {
    /// Their numbers in the found segment.
    pub(super) numbers: Vec<usize>,
    /// The shares of the sources in their text.
    pub(super) shares: BTreeMap<usize, SourceShare>,
    /// What the indexes need of their games, if it was wanted.
    pub(super) rows: Vec<IndexRow>,
    /// What the summary of the segment needs of them.
    pub(super) summaries: Vec<SummaryRow>,
}

impl IntactBlocks {
    fn add_text(&mut self, part: &SourceText<'_>) {
        let share = self.shares.entry(part.source).or_insert(SourceShare {
            offset: part.run_offset,
            ..SourceShare::default()
        });
        share.bytes += part.text.len() as u64;
        share.games += part.games;
        share.records += part.records;
    }
}

/// A block to decode.
struct NumberedBlock<'a> {
    number: usize,
    header: &'a BlockHeader,
}

impl BlockTask for NumberedBlock<'_> {
    fn raw_bytes(&self) -> u64 {
        self.header.shape.raw_bytes.into()
    }
}

impl BlockDecoder<'_> {
    /// Decodes all blocks in parallel and adds their text to `digests`. Also returns the
    /// losses. `on_progress` is called with the raw size of each block, in bytes.
    pub(super) fn decode_all(
        &self,
        layout: &SourceLayout,
        digests: &mut SourceDigests<'_>,
        mut on_progress: impl FnMut(u64),
    ) -> (IntactBlocks, Vec<LostRange>) {
        let mut intact = IntactBlocks::default();
        let mut losses = SegmentLosses::new(layout, self.placed);
        let blocks = self.segment.blocks().enumerate();
        let blocks = blocks.map(|(number, header)| NumberedBlock { number, header });
        let mut ahead = ReadAhead::new(blocks);
        let decode = |NumberedBlock { number, header }| (number, header, self.decode(number));
        while let Some(batch) = ahead.read(decode) {
            for (number, header, decoded) in batch {
                on_progress(header.shape.raw_bytes.into());
                match decoded {
                    Ok(mut decoded) => {
                        losses.decoded(header);
                        for part in decoded.by_source(self.placed, header) {
                            digests.add(&part);
                            intact.add_text(&part);
                        }
                        intact.numbers.push(number);
                        intact.rows.append(&mut decoded.rows);
                        intact.summaries.append(&mut decoded.summaries);
                    }
                    Err(error) => losses.undecodable(header, error.to_string()),
                }
            }
        }
        (intact, losses.finish())
    }

    /// The rows for the indexes of some blocks, which have been decoded before.
    ///
    /// # Errors
    /// The file has changed.
    pub(super) fn rows(&self, blocks: &[usize]) -> Result<Vec<IndexRow>, Error> {
        let mut rows = Vec::new();
        for number in blocks {
            rows.append(&mut self.decode(*number)?.rows);
        }
        Ok(rows)
    }
}
