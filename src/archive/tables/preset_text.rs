//! The table of preset text for the model of comments and tails.

use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::registry::{COMMENTS, PRESET_TEXT};
use crate::codec::context_mixing::{PrimedModel, compress};
use crate::codec::error::CodecError;
use crate::container::{ContainerError, Tables};
use crate::limits::Limits;
use crate::parallel;
use std::ops::Range;
use std::sync::OnceLock;

/// The approximate maximum size of the preset text, in bytes. It is read before any
/// prose.
const MAX_PRESET_BYTES: u64 = 64 << 10;
/// The preset text is at most one part in this many of all prose.
const PROSE_DIVISOR: u64 = 8;
/// The preset text is sampled in pieces of at most this many bytes of a record's
/// prose.
const PIECE_BYTES: usize = 4 << 10;
/// Segments with less prose than this, in bytes, have no preset text.
const MIN_PROSE_BYTES: u64 = 64 << 10;
/// At most this many blocks are compressed to decide whether preset text pays.
const TRIED_BLOCKS: usize = 4;

/// The preset text of a segment, parsed when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct SegmentPresetText {
    bytes: Option<Vec<u8>>,
    limits: Limits,
    read: OnceLock<Result<PrimedModel, CodecError>>,
}

impl SegmentPresetText {
    pub(crate) fn of(tables: &Tables, limits: &Limits) -> Self {
        SegmentPresetText {
            bytes: tables.get(PRESET_TEXT, COMMENTS.0).map(<[u8]>::to_vec),
            limits: limits.clone(),
            read: OnceLock::new(),
        }
    }

    /// The preset text, if there is any.
    pub(crate) fn get(&self) -> Result<Option<&PrimedModel>, CodecError> {
        let Some(bytes) = &self.bytes else {
            return Ok(None);
        };
        let read = self
            .read
            .get_or_init(|| PrimedModel::read(bytes, &self.limits));
        read.as_ref().map(Some).map_err(Clone::clone)
    }
}

/// Writes the table of preset text, unless it is empty.
pub(crate) fn write_preset_text(bytes: &[u8], tables: &mut Tables) -> Result<(), ContainerError> {
    if !bytes.is_empty() {
        tables.push(PRESET_TEXT, COMMENTS.0, bytes)?;
    }
    Ok(())
}

/// Makes the table of preset text for the records of these blocks; empty if it does
/// not pay.
pub(crate) fn fit_preset_text(
    records: &[StoredRecord<'_>],
    blocks: &[Range<usize>],
    limits: &Limits,
) -> Vec<u8> {
    let prose_of = |block: &Range<usize>| -> Vec<u8> {
        let records = records.get(block.clone()).unwrap_or_default();
        let prose = records.iter().map(|record| &*record.movetext.prose);
        prose.collect::<Vec<&[u8]>>().concat()
    };
    let all: u64 = records.iter().map(prose_bytes).sum();
    if all < MIN_PROSE_BYTES {
        return Vec::new();
    }
    let stride = blocks.len().div_ceil(TRIED_BLOCKS).max(1);
    let tried: Vec<Vec<u8>> = blocks.iter().step_by(stride).map(prose_of).collect();
    let most = tried.iter().map(Vec::len).max().unwrap_or(0);
    let Some(table) = PrimedModel::compress_preset_text(&sample_prose(records, all), most) else {
        return Vec::new();
    };
    let Ok(preset) = PrimedModel::read(&table, limits) else {
        return Vec::new();
    };
    let saved = parallel::map(&tried, |prose| {
        let (alone, with_preset) = (compress(prose, None), compress(prose, Some(&preset)));
        (alone.len() as u64).saturating_sub(with_preset.len() as u64)
    });
    let saved: u64 = saved.into_iter().sum();
    let measured: u64 = tried.iter().map(|prose| prose.len() as u64).sum();
    match saved.saturating_mul(all) / measured.max(1) > table.len() as u64 {
        true => table,
        false => Vec::new(),
    }
}

fn prose_bytes(record: &StoredRecord<'_>) -> u64 {
    record.movetext.prose.len() as u64
}

/// Samples evenly distributed pieces of the prose of all records, whose total size is
/// `all` bytes.
fn sample_prose(records: &[StoredRecord<'_>], all: u64) -> Vec<u8> {
    let wanted = (all / PROSE_DIVISOR).min(MAX_PRESET_BYTES);
    let mut text = Vec::new();
    let mut passed = 0;
    let prose = records.iter().map(|record| &*record.movetext.prose);
    for piece in prose.flat_map(|prose| prose.chunks(PIECE_BYTES)) {
        let is_due = text.len() as u64 * all <= passed * wanted;
        if is_due {
            text.extend_from_slice(piece);
        }
        passed += piece.len() as u64;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::schema::record::Movetext;

    /// Prose with repeated phrases between words that do not repeat.
    fn records(count: usize) -> Vec<StoredRecord<'static>> {
        let record = |number: usize| {
            let mut prose = Vec::new();
            for word in 0..40usize {
                let phrase = (number * 31 + word * word) % 97;
                let text = format!("phrase {phrase} of the {} kind}}", phrase * phrase * 7919);
                prose.extend_from_slice(text.as_bytes());
            }
            StoredRecord {
                movetext: Movetext {
                    prose: prose.into(),
                    ..Movetext::default()
                },
                ..StoredRecord::default()
            }
        };
        (0..count).map(record).collect()
    }

    #[test]
    fn preset_text_is_used_only_if_it_pays() {
        let records = records(400);
        let many: Vec<Range<usize>> = (0..40).map(|block| block * 10..block * 10 + 10).collect();
        let limits = Limits::default();
        let fit = |records, blocks| fit_preset_text(records, blocks, &limits);
        let table = fit(&records, &many);
        assert!(PrimedModel::read(&table, &limits).is_ok());
        let one = 0..400;
        assert!(
            fit(&records, std::slice::from_ref(&one)).is_empty(),
            "one block"
        );
        assert!(fit(&records[..20], &many[..2]).is_empty(), "little");
        assert!(fit(&[], &[]).is_empty());
    }

    #[test]
    fn phrases_come_from_all_of_the_prose() {
        let records = records(400);
        let all: u64 = records.iter().map(prose_bytes).sum();
        let text = sample_prose(&records, all);
        let wanted = usize::try_from((all / PROSE_DIVISOR).min(MAX_PRESET_BYTES)).unwrap();
        assert!(text.len().abs_diff(wanted) < PIECE_BYTES);
        let last = &records[390..];
        assert!(
            last.iter()
                .any(|record| text.ends_with(&record.movetext.prose))
        );
    }
}
