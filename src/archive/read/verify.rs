//! Complete verification of an archive: every block, every other section, the
//! digest of every source.

use crate::archive::error::{Error, ErrorKind};
use crate::archive::read::archive::Archive;
use crate::archive::read::loss::Loss;
use crate::archive::read::unpack::BlockText;
use crate::container::{ErrorClass, Source};

impl Archive {
    /// Reads the whole archive and returns all losses. If there are none, all
    /// sources unpack to what was packed. Blocks are decoded on the thread
    /// pool of the feature `threads`. `on_progress` is called with the number of bytes of text
    /// that each step adds.
    ///
    /// Damage that costs no data is added to [`Archive::warnings`].
    pub fn verify(&self, mut on_progress: impl FnMut(u64)) -> Vec<Loss> {
        let mut digests = Digests::new(self.sources());
        let outcome = self.pieces(|piece| {
            on_progress(match &piece {
                Ok(text) => text.len() as u64,
                Err(loss) => loss.raw_bytes,
            });
            digests.take(piece);
            Ok(())
        });
        let mut losses = digests.finish();
        losses.extend(outcome.err().map(Loss::without_games));
        for segment in 0..self.container().segments().len() {
            losses.extend(self.verify_sections(segment));
        }
        losses.extend(self.verify_models());
        losses.extend(self.verify_superseded());
        losses
    }

    /// Checks the sections that are no longer read. Damage of them causes warnings.
    pub(super) fn verify_superseded(&self) -> Option<Loss> {
        match self.container().superseded_damage() {
            Ok(warnings) => {
                self.warn(warnings);
                None
            }
            Err(error) => Some(Loss::without_games(error.into())),
        }
    }

    /// Checks the dictionaries and preset text of a segment, the frames of its tags, and its
    /// other sections.
    fn verify_sections(&self, number: usize) -> Vec<Loss> {
        let open = match self.segment(number) {
            Ok(open) => open,
            // Another read of it may have succeeded.
            Err(error) if error.class() == ErrorClass::Io => {
                return vec![Loss::without_games(error)];
            }
            // Its damage has been reported with its blocks.
            Err(_) => return Vec::new(),
        };
        let tables = self.check_tables(&open).and_then(|()| {
            let checked = open.tables.check();
            checked.map_err(|error| Error::of_tables(&open.segment, number, error))
        });
        let tables = tables.err().map(Loss::without_games);
        let index = open.segment.index();
        let mut unread = Vec::new();
        for tags in index.tags() {
            match self.container().tags_warning(&open.segment, tags) {
                Ok(warning) => self.warn(warning),
                Err(error) => unread.push(Loss::without_games(error.into())),
            }
        }
        let sections = index.sections().iter();
        let damaged = sections
            .filter_map(|entry| self.container().section(&open.segment, entry).err())
            .map(|error| Loss::without_games(error.into()));
        tables.into_iter().chain(unread).chain(damaged).collect()
    }
}

impl Loss {
    pub(crate) fn without_games(error: Error) -> Self {
        Loss {
            games: 0..0,
            raw_bytes: 0,
            error,
        }
    }
}

/// Computes the digest of each source from the text of the archive, which is
/// the text of all sources in order.
struct Digests<'a> {
    sources: std::slice::Iter<'a, Source>,
    current: Option<VerifiedSource<'a>>,
    first_game: u64,
    losses: Vec<Loss>,
}

struct VerifiedSource<'a> {
    source: &'a Source,
    digest: blake3::Hasher,
    left: u64,
    /// Whether part of the source is lost, so that its digest cannot be
    /// checked.
    is_broken: bool,
}

impl<'a> Digests<'a> {
    fn new(sources: &'a [Source]) -> Self {
        let mut digests = Digests {
            sources: sources.iter(),
            current: None,
            first_game: 1,
            losses: Vec::new(),
        };
        digests.advance();
        digests
    }

    /// Closes completed sources and opens the next one.
    fn advance(&mut self) {
        while self
            .current
            .as_ref()
            .is_none_or(|current| current.left == 0)
        {
            if let Some(done) = self.current.take() {
                self.close(&done);
            }
            self.current = self.sources.next().map(|source| VerifiedSource {
                source,
                digest: blake3::Hasher::new(),
                left: source.bytes,
                is_broken: false,
            });
            if self.current.is_none() {
                return;
            }
        }
    }

    fn close(&mut self, done: &VerifiedSource<'_>) {
        let end = self.first_game.saturating_add(done.source.games);
        if !done.is_broken && *done.digest.finalize().as_bytes() != done.source.digest {
            self.losses.push(Loss {
                games: self.first_game..end,
                raw_bytes: done.source.bytes,
                error: ErrorKind::Digest {
                    name: done.source.name.clone(),
                }
                .into(),
            });
        }
        self.first_game = end;
    }

    fn take(&mut self, piece: BlockText) {
        match piece {
            Ok(text) => self.text(&text),
            Err(loss) => {
                self.skip(loss.raw_bytes);
                self.losses.push(loss);
            }
        }
    }

    fn text(&mut self, mut text: &[u8]) {
        while let Some(current) = &mut self.current
            && !text.is_empty()
        {
            let len = usize::try_from(current.left).unwrap_or(usize::MAX);
            let (own, rest) = text.split_at_checked(len).unwrap_or((text, &[]));
            current.digest.update(own);
            current.left -= own.len() as u64;
            text = rest;
            self.advance();
        }
    }

    fn skip(&mut self, mut bytes: u64) {
        while let Some(current) = &mut self.current
            && bytes > 0
        {
            let own = bytes.min(current.left);
            current.is_broken = true;
            current.left -= own;
            bytes -= own;
            self.advance();
        }
    }

    fn finish(self) -> Vec<Loss> {
        self.losses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{PackOptions, Writer};
    use crate::container::ErrorClass;
    use crate::testing::unprotected;

    /// Three sources of many games, in segments of several blocks.
    fn archive() -> Vec<u8> {
        let options = PackOptions {
            segment_bytes: 40_000,
            ..PackOptions::default()
        };
        let mut writer = Writer::new(Vec::new(), options).unwrap();
        for name in ["a.pgn", "b.pgn", "c.pgn"] {
            let text: String = (0..600)
                .map(|n| format!("[White \"{name} {n}\"]\n\n1. e4 e5 2. Nf3 {{{n}}} *\n\n"))
                .collect();
            writer.add_source(name, text.as_bytes()).unwrap();
        }
        let (mut bytes, slot, _) = writer.finish_with_slot().unwrap();
        slot.write_to(&mut bytes);
        bytes
    }

    #[test]
    fn whole_archives_have_no_losses() {
        let archive = Archive::new(archive()).unwrap();
        let mut bytes = 0;
        let losses = archive.verify(|more| bytes += more);
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!(bytes, archive.totals().raw_bytes);
    }

    #[test]
    fn a_damaged_block_costs_its_games_and_no_others() {
        let whole = unprotected(archive());
        let archive = Archive::new(&whole[..]).unwrap();
        let segment = archive.container().segment(1).unwrap();
        let block = segment.index().blocks()[1];
        let at = segment.entry().offset + block.offset + 60;
        let first = segment.entry().first_game + u64::from(block.first_game) + 1;

        let mut damaged = whole.clone();
        damaged[usize::try_from(at).unwrap()] ^= 1;
        let losses = Archive::new(damaged).unwrap().verify(|_| {});
        assert_eq!(losses.len(), 1);
        assert_eq!(losses[0].games, first..first + u64::from(block.shape.games));
        assert_eq!(losses[0].raw_bytes, u64::from(block.shape.raw_bytes));
        assert_eq!(losses[0].error.class(), ErrorClass::Damaged);
    }
}
