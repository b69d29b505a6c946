//! The sources of the recovered archive.

use super::decode::SourceText;
use super::layout::PlannedSource;
use super::report::RecoveredSource;
use crate::container::Source;

/// The sums and the digest of the recovered text of a source.
#[derive(Debug, Clone, Default)]
struct RecoveredText {
    digest: blake3::Hasher,
    bytes: u64,
    games: u64,
    records: u64,
}

/// The recovered text of all planned sources.
#[derive(Debug)]
pub(super) struct SourceDigests<'a> {
    planned: &'a [PlannedSource],
    texts: Vec<RecoveredText>,
}

impl<'a> SourceDigests<'a> {
    pub(super) fn new(planned: &'a [PlannedSource]) -> Self {
        SourceDigests {
            planned,
            texts: vec![RecoveredText::default(); planned.len()],
        }
    }

    /// Adds the next text of a source.
    pub(super) fn add(&mut self, part: &SourceText<'_>) {
        if let Some(text) = self.texts.get_mut(part.source) {
            text.digest.update(part.text);
            text.bytes += part.text.len() as u64;
            text.games += part.games;
            text.records += part.records;
        }
    }

    /// The sources of the recovered archive, each with the report on it.
    pub(super) fn finish(self) -> (Vec<Source>, Vec<RecoveredSource>) {
        let texts = self.planned.iter().zip(self.texts);
        let retained = texts.filter(|(planned, _)| planned.number.is_some());
        let sources = retained.map(|(planned, text)| {
            let source = Source {
                name: planned.name.clone(),
                bytes: text.bytes,
                games: text.games,
                records: text.records,
                digest: *text.digest.finalize().as_bytes(),
            };
            let is_same =
                |known: &Source| (known.bytes, known.digest) == (source.bytes, source.digest);
            let report = RecoveredSource {
                name: source.name.clone(),
                bytes: source.bytes,
                games: source.games,
                is_proven: planned.known.as_ref().is_some_and(is_same),
            };
            (source, report)
        });
        sources.unzip()
    }
}
