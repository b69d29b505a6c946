//! The text of an archive as a stream that is pulled.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::archive::read::block_places::BlockPlace;
use crate::archive::read::read_ahead::ReadAhead;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::Range;

/// Reads the text of an archive, which is the text of all sources in order. Blocks are decoded on
/// the thread pool of the feature `threads`.
pub(crate) struct TextReader<'a> {
    archive: &'a Archive,
    /// The segments that have not been opened.
    segments: Range<usize>,
    /// The blocks of the open segment that have not been read.
    blocks: ReadAhead<BlockPlace>,
    /// The texts of the blocks that have been read. Of the first, `consumed` bytes are done.
    texts: VecDeque<Vec<u8>>,
    consumed: usize,
    /// Why the last call failed.
    error: Option<Error>,
}

impl<'a> TextReader<'a> {
    pub(crate) fn new(archive: &'a Archive) -> Self {
        TextReader {
            archive,
            segments: 0..archive.container().segments().len(),
            blocks: ReadAhead::new([]),
            texts: VecDeque::new(),
            consumed: 0,
            error: None,
        }
    }

    /// The error of the archive for which the last call of `read` failed, if it did.
    pub(crate) fn take_error(&mut self) -> Option<Error> {
        self.error.take()
    }

    /// Reads the next blocks. Returns whether there were any.
    fn advance(&mut self) -> Result<bool, Error> {
        loop {
            let archive = self.archive;
            let read = |place: BlockPlace| archive.block_text(place.segment, place.block);
            if let Some(texts) = self.blocks.read(read) {
                for text in texts {
                    self.texts.push_back(text?);
                }
                return Ok(true);
            }
            let Some(segment) = self.segments.next() else {
                return Ok(false);
            };
            self.blocks = ReadAhead::new(archive.block_places_of(segment)?);
        }
    }
}

impl Read for TextReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(text) = self.texts.front() {
                let mut rest = text.get(self.consumed..).unwrap_or_default();
                let count = rest.read(out)?;
                self.consumed += count;
                if count > 0 || out.is_empty() {
                    return Ok(count);
                }
                self.texts.pop_front();
                self.consumed = 0;
            } else {
                match self.advance() {
                    Ok(true) => {}
                    Ok(false) => return Ok(0),
                    Err(error) => {
                        let of_io = io::Error::other(error.to_string());
                        self.error = Some(error);
                        return Err(of_io);
                    }
                }
            }
        }
    }
}
