//! Unpacking all sources, each verified by its digest.

use crate::archive::error::{Error, ErrorKind};
use crate::archive::read::archive::Archive;
use crate::archive::read::block_places::BlockPlace;
use crate::archive::read::loss::Loss;
use crate::archive::read::open_segment::OpenSegment;
use crate::archive::read::read_ahead::ReadAhead;
use crate::container::{Segment, SegmentEntry, Source};
use std::io::Write;
use std::sync::Arc;

/// The text of a block, or a loss: of one block, or of all blocks of a segment that
/// cannot be opened.
pub(crate) type BlockText = Result<Vec<u8>, Loss>;

/// A source that could not be unpacked: it is incomplete, or its digest differs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FailedSource {
    /// The name of the source.
    pub name: String,
    /// The size of the source in bytes.
    pub bytes: u64,
    /// The first error that was found.
    pub error: Arc<Error>,
}

/// A destination for the text of sources.
pub trait Unpack {
    /// The type that a source is written to.
    type Sink: Write;

    /// Opens the sink of a source.
    ///
    /// # Errors
    /// The sink cannot be opened.
    fn open(&mut self, source: &Source) -> std::io::Result<Self::Sink>;

    /// Closes the sink of a source after its digest has been verified.
    ///
    /// # Errors
    /// The sink cannot be closed.
    fn close(&mut self, source: &Source, sink: Self::Sink) -> std::io::Result<()>;
}

impl Archive {
    /// Writes all sources in order. Blocks are decoded on the thread pool of the feature
    /// `threads`.
    ///
    /// # Errors
    /// A block is damaged, the digest of a source differs, or a sink fails.
    pub fn unpack<U: Unpack>(&self, to: &mut U) -> Result<(), Error> {
        let mut progress = UnpackProgress::new(self.sources(), to);
        progress.advance()?;
        progress.check_digests()?;
        self.pieces(|piece| {
            progress.write(&piece.map_err(|loss| loss.error)?)?;
            progress.check_digests()
        })
    }

    /// As [`Archive::unpack`], but continues after damage. A source that is incomplete
    /// or whose digest differs is opened, but never closed. Returns these sources.
    ///
    /// # Errors
    /// A sink fails.
    pub fn unpack_intact<U: Unpack>(&self, to: &mut U) -> Result<Vec<FailedSource>, Error> {
        let mut progress = UnpackProgress::new(self.sources(), to);
        progress.advance()?;
        self.pieces(|piece| match piece {
            Ok(text) => progress.write(&text),
            Err(loss) => progress.skip(loss.raw_bytes, &Arc::new(loss.error)),
        })?;
        Ok(progress.unproven)
    }

    /// Passes the text of all blocks to `take` in order, and continues after losses.
    pub(crate) fn pieces(
        &self,
        mut take: impl FnMut(BlockText) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (number, entry) in self.container().segments().iter().enumerate() {
            match self.segment(number) {
                Ok(open) => self.segment_pieces(number, &open, &mut take)?,
                Err(error) => take(Err(Loss::of_segment(entry, error)))?,
            }
        }
        Ok(())
    }

    fn segment_pieces(
        &self,
        number: usize,
        open: &OpenSegment,
        take: &mut impl FnMut(BlockText) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let decode = |place: BlockPlace| {
            self.block_text(number, place.block)
                .map_err(|error| Loss::of_block(&open.segment, place.block, error))
        };
        let mut blocks = ReadAhead::new(open.block_places(number));
        while let Some(pieces) = blocks.read(decode) {
            pieces.into_iter().try_for_each(&mut *take)?;
        }
        Ok(())
    }

    /// The text of a block.
    pub(super) fn block_text(&self, segment: usize, number: usize) -> Result<Vec<u8>, Error> {
        let open = self.segment(segment)?;
        let block = self.read_block(segment, number)?;
        block.all_text().map_err(|(record, error)| {
            Error::of_block(&open.segment, segment, number, error).in_record(record, None)
        })
    }
}

impl Loss {
    pub(crate) fn of_segment(entry: &SegmentEntry, error: Error) -> Self {
        let first = entry.first_game.saturating_add(1);
        Loss {
            games: first..first.saturating_add(entry.games.into()),
            raw_bytes: entry.raw_bytes,
            error,
        }
    }

    pub(crate) fn of_block(segment: &Segment, block: usize, error: Error) -> Self {
        let mut loss = Loss::of_segment(segment.entry(), error);
        if let Some(block) = segment.index().blocks().get(block) {
            loss.games.start = loss.games.start.saturating_add(block.first_game.into());
            loss.games.end = loss.games.start.saturating_add(block.shape.games.into());
            loss.raw_bytes = block.shape.raw_bytes.into();
        }
        loss
    }
}

/// Divides the text of the archive, which is the text of all sources in order, into
/// sources.
struct UnpackProgress<'a, U: Unpack> {
    to: &'a mut U,
    sources: std::slice::Iter<'a, Source>,
    current: Option<OpenSourceFile<'a, U::Sink>>,
    unproven: Vec<FailedSource>,
}

struct OpenSourceFile<'a, W> {
    source: &'a Source,
    /// `None` as soon as a piece of the source is lost.
    sink: Option<W>,
    left: u64,
    digest: blake3::Hasher,
}

impl<'a, U: Unpack> UnpackProgress<'a, U> {
    fn new(sources: &'a [Source], to: &'a mut U) -> Self {
        UnpackProgress {
            to,
            sources: sources.iter(),
            current: None,
            unproven: Vec::new(),
        }
    }

    /// Closes completed sources and opens the next one.
    fn advance(&mut self) -> Result<(), Error> {
        while self
            .current
            .as_ref()
            .is_none_or(|current| current.left == 0)
        {
            if let Some(done) = self.current.take() {
                self.close(done)?;
            }
            let Some(source) = self.sources.next() else {
                return Ok(());
            };
            let sink = self
                .to
                .open(source)
                .map_err(|error| write_error(source, error))?;
            self.current = Some(OpenSourceFile {
                source,
                sink: Some(sink),
                left: source.bytes,
                digest: blake3::Hasher::new(),
            });
        }
        Ok(())
    }

    fn close(&mut self, done: OpenSourceFile<'a, U::Sink>) -> Result<(), Error> {
        let Some(sink) = done.sink else {
            return Ok(());
        };
        if *done.digest.finalize().as_bytes() != done.source.digest {
            let name = done.source.name.clone();
            self.unproven.push(FailedSource {
                error: Arc::new(ErrorKind::Digest { name: name.clone() }.into()),
                name,
                bytes: done.source.bytes,
            });
            return Ok(());
        }
        let closed = self.to.close(done.source, sink);
        closed.map_err(|error| write_error(done.source, error))
    }

    /// Fails if a source that was closed had another digest, provided that no text was
    /// skipped.
    fn check_digests(&self) -> Result<(), Error> {
        match self.unproven.first() {
            Some(unproven) => {
                let name = unproven.name.clone();
                Err(ErrorKind::Digest { name }.into())
            }
            None => Ok(()),
        }
    }

    fn write(&mut self, mut text: &[u8]) -> Result<(), Error> {
        while let Some(current) = &mut self.current
            && !text.is_empty()
        {
            let len = usize::try_from(current.left)
                .unwrap_or(usize::MAX)
                .min(text.len());
            let (own, rest) = text.split_at_checked(len).unwrap_or((text, &[]));
            if let Some(sink) = &mut current.sink {
                current.digest.update(own);
                sink.write_all(own)
                    .map_err(|error| write_error(current.source, error))?;
            }
            current.left -= own.len() as u64;
            text = rest;
            self.advance()?;
        }
        Ok(())
    }

    /// Skips lost text. The sources that it belongs to are incomplete.
    fn skip(&mut self, mut bytes: u64, error: &Arc<Error>) -> Result<(), Error> {
        while let Some(current) = &mut self.current
            && bytes > 0
        {
            if current.sink.take().is_some() {
                self.unproven.push(FailedSource {
                    name: current.source.name.clone(),
                    bytes: current.source.bytes,
                    error: Arc::clone(error),
                });
            }
            let own = bytes.min(current.left);
            current.left -= own;
            bytes -= own;
            self.advance()?;
        }
        Ok(())
    }
}

fn write_error(source: &Source, error: std::io::Error) -> Error {
    let what = format!("writing {}", source.name);
    ErrorKind::Io { what, error }.into()
}
