//! A cache of pages for a source of which each request takes long.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use quick_cache::sync::Cache;

use crate::container::ReadAt;

/// The bytes of a page. The last page of a source may be shorter.
pub(super) const PAGE_BYTES: u64 = 64 << 10;

/// The pages that are cached: 64 MiB.
const CACHED_PAGES: usize = 1024;

/// The most pages that are read ahead: 2 MiB.
const MAX_AHEAD: u64 = 32;

/// A source of which each request takes long, however few bytes it asks for.
pub(super) trait FetchRange {
    /// The number of bytes.
    fn size(&self) -> u64;

    /// The bytes of a range, which is not empty and ends by [`FetchRange::size`].
    ///
    /// # Errors
    /// The source does not answer with these bytes.
    fn fetch(&self, range: Range<u64>) -> io::Result<Vec<u8>>;
}

/// A source that is read page by page. Missing pages that follow each other are fetched with one
/// request. Requests that follow each other read ahead, twice as far each time.
pub(super) struct PagedSource<F> {
    source: F,
    pages: Cache<u64, Arc<[u8]>>,
    ahead: Mutex<ReadAhead>,
}

/// How far to read ahead of a request.
#[derive(Debug, Default)]
struct ReadAhead {
    /// The page after those of the last request.
    next: u64,
    /// The number of pages of the last request.
    pages: u64,
}

impl ReadAhead {
    /// The end of a request that needs these pages. It reads ahead at most to a cached page, and to
    /// the end of the source.
    fn end(&mut self, needed: &Range<u64>, end: u64, is_cached: impl Fn(u64) -> bool) -> u64 {
        let ahead = match needed.start == self.next {
            true => (2 * self.pages).min(MAX_AHEAD),
            false => 0,
        };
        let most = (needed.start + ahead).min(end);
        let cached = (needed.end..most).find(|page| is_cached(*page));
        self.next = cached.unwrap_or(most).max(needed.end);
        self.pages = self.next - needed.start;
        self.next
    }
}

impl<F: FetchRange> PagedSource<F> {
    /// A source of which the first page has been fetched.
    pub(super) fn new(source: F, first_page: Vec<u8>) -> Self {
        let pages = Cache::new(CACHED_PAGES);
        pages.insert(0, first_page.into());
        PagedSource {
            source,
            pages,
            ahead: Mutex::default(),
        }
    }

    /// The pages of a range of page numbers.
    fn pages(&self, wanted: Range<u64>) -> io::Result<Vec<Arc<[u8]>>> {
        let mut pages = Vec::new();
        let mut number = wanted.start;
        while number < wanted.end {
            if let Some(page) = self.pages.get(&number) {
                pages.push(page);
                number += 1;
                continue;
            }
            let missing = (number + 1..wanted.end).find(|other| self.pages.get(other).is_some());
            let needed = number..missing.unwrap_or(wanted.end);
            let fetched = self.fetch(needed.clone())?;
            let count = needed.end - needed.start;
            pages.extend(fetched.into_iter().zip(0..count).map(|(page, _)| page));
            number = needed.end;
        }
        Ok(pages)
    }

    /// Fetches these pages, and some after them, with one request.
    fn fetch(&self, needed: Range<u64>) -> io::Result<Vec<Arc<[u8]>>> {
        let size = self.source.size();
        let is_cached = |page| self.pages.get(&page).is_some();
        let end = {
            let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
            ahead.end(&needed, size.div_ceil(PAGE_BYTES), is_cached)
        };
        let bytes = needed.start * PAGE_BYTES..(end * PAGE_BYTES).min(size);
        let fetched = self.source.fetch(bytes)?;
        let page_bytes = usize::try_from(PAGE_BYTES).unwrap_or(usize::MAX);
        let pages: Vec<Arc<[u8]>> = fetched.chunks(page_bytes).map(Arc::from).collect();
        for (number, page) in (needed.start..end).zip(&pages) {
            self.pages.insert(number, Arc::clone(page));
        }
        Ok(pages)
    }
}

impl<F: FetchRange> ReadAt for PagedSource<F> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.source.size())
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let end = offset.checked_add(len as u64);
        let end = end.filter(|end| *end <= self.source.size());
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        if len == 0 {
            return Ok(Vec::new());
        }
        let pages = self.pages(offset / PAGE_BYTES..end.div_ceil(PAGE_BYTES))?;
        let skipped = usize::try_from(offset % PAGE_BYTES).unwrap_or(usize::MAX);
        let bytes = pages.iter().flat_map(|page| page.iter().copied());
        let bytes: Vec<u8> = bytes.skip(skipped).take(len).collect();
        match bytes.len() == len {
            true => Ok(bytes),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes in memory, with the ranges that were fetched.
    struct Logged {
        bytes: Vec<u8>,
        log: Mutex<Vec<Range<u64>>>,
    }

    impl FetchRange for Logged {
        fn size(&self) -> u64 {
            self.bytes.len() as u64
        }

        fn fetch(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
            let bytes = self.bytes[range.start as usize..range.end as usize].to_vec();
            self.log.lock().unwrap().push(range);
            Ok(bytes)
        }
    }

    fn paged(len: usize) -> PagedSource<Logged> {
        let bytes: Vec<u8> = (0..len).map(|at| (at ^ at >> 8 ^ at >> 16) as u8).collect();
        let first = bytes[..len.min(PAGE_BYTES as usize)].to_vec();
        let log = Mutex::default();
        PagedSource::new(Logged { bytes, log }, first)
    }

    impl PagedSource<Logged> {
        /// The first page and the number of pages of each request.
        fn requests(&self) -> Vec<(u64, u64)> {
            let log = self.source.log.lock().unwrap();
            let pages = log.iter().map(|range| {
                let first = range.start / PAGE_BYTES;
                (first, range.end.div_ceil(PAGE_BYTES) - first)
            });
            pages.collect()
        }
    }

    proptest! {
        #[test]
        fn reads_are_those_of_the_source(
            len in 0usize..400_000,
            reads in prop::collection::vec((any::<prop::sample::Index>(), 0usize..150_000), 1..20),
        ) {
            let source = paged(len);
            for (offset, wanted) in reads {
                let offset = offset.index(len + 1);
                let expected = source.source.bytes.get(offset..offset + wanted);
                let read = source.read_at(offset as u64, wanted).ok();
                prop_assert_eq!(read.as_deref(), expected);
            }
        }
    }

    #[test]
    fn missing_pages_are_fetched_together_and_once() {
        let source = paged(40 * PAGE_BYTES as usize);
        source.read_at(0, 100).unwrap();
        assert_eq!(source.requests(), [], "the first page is there");
        source.read_at(10 * PAGE_BYTES, 1).unwrap();
        source
            .read_at(9 * PAGE_BYTES, 3 * PAGE_BYTES as usize)
            .unwrap();
        source
            .read_at(9 * PAGE_BYTES, 3 * PAGE_BYTES as usize)
            .unwrap();
        assert_eq!(source.requests(), [(10, 1), (9, 1), (11, 1)]);
    }

    #[test]
    fn cached_pages_are_not_read_ahead() {
        let source = paged(100 * PAGE_BYTES as usize);
        for page in [25, 20, 21, 23, 26] {
            source.read_at(page * PAGE_BYTES, 10).unwrap();
        }
        assert_eq!(
            source.requests(),
            [(25, 1), (20, 1), (21, 2), (23, 2), (26, 1)]
        );
    }

    #[test]
    fn reading_in_order_reads_ahead_ever_further() {
        let source = paged(200 * PAGE_BYTES as usize);
        for page in 20..200 {
            source.read_at(page * PAGE_BYTES, 10).unwrap();
        }
        let counts = [1, 2, 4, 8, 16, 32, 32, 32, 32, 21];
        let starts = counts.iter().scan(20, |next, count| {
            let first = *next;
            *next += count;
            Some(first)
        });
        let expected: Vec<_> = starts.zip(counts).collect();
        assert_eq!(source.requests(), expected);
    }
}
