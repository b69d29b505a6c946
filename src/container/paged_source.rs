//! A cache of pages for a source to which each request takes long.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::ReadAt;

/// The bytes of a page. The last page of a source may be shorter. Pages of 64 KiB would cost about a
/// fifth more bytes, and save no request where ranges are announced (docs/figures.md).
pub(crate) const PAGE_BYTES: u64 = PAGE as u64;
const PAGE: usize = 16 << 10;

/// The pages that are cached: 64 MiB.
const CACHED_PAGES: usize = 4096;

/// The most pages that are read ahead: 2 MiB.
const MAX_AHEAD: u64 = 128;

/// The most pages of one request: 4 MiB.
const MAX_REQUEST: u64 = 256;

/// The most pages that are fetched because they were announced: 16 MiB.
const MAX_ANNOUNCED: u64 = 1024;

/// The most requests for announced pages at a time.
const MAX_PARALLEL: usize = 8;

/// A source that is read page by page, for one to which each request takes long, however few bytes
/// it asks for. Its size must not change.
///
/// Missing pages that follow each other are fetched with one request. Requests that follow each other
/// read ahead, twice as far each time. At most 64 MiB of pages are cached.
///
/// One read is served at a time, so that no page is fetched by two threads and what one thread reads
/// ahead serves the others. Pages that are [announced](ReadAt::will_read) are fetched with several
/// requests at once.
pub struct PagedSource<R> {
    source: R,
    pages: Mutex<Pages>,
}

/// The cached pages, and the last request.
#[derive(Debug, Default)]
struct Pages {
    /// Each with the number of the read that used it last.
    cached: HashMap<u64, (Arc<[u8]>, u64)>,
    /// The number of reads.
    reads: u64,
    /// The page after those of the last request.
    next: u64,
    /// The number of pages of the last request.
    last_count: u64,
}

impl Pages {
    /// A cached page.
    fn get(&mut self, number: u64) -> Option<Arc<[u8]>> {
        let (page, used) = self.cached.get_mut(&number)?;
        *used = self.reads;
        Some(Arc::clone(page))
    }

    /// The pages of the next request: from a missing page on those that are missing before `end`,
    /// and others ahead that end by `last`.
    fn request(&mut self, start: u64, end: u64, last: u64) -> Range<u64> {
        let ahead = match start == self.next {
            true => (2 * self.last_count).min(MAX_AHEAD),
            false => 0,
        };
        let most = end.min(start + MAX_REQUEST).max(start + ahead).min(last);
        let cached = (start + 1..most).find(|page| self.cached.contains_key(page));
        self.next = cached.unwrap_or(most);
        self.last_count = self.next - start;
        start..self.next
    }

    /// The requests for the missing pages of these ranges of pages, each of at most
    /// [`MAX_REQUEST`].
    fn missing(&self, ranges: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
        let mut requests: Vec<Range<u64>> = Vec::new();
        let mut wanted: Vec<u64> = ranges.flatten().take(CACHED_PAGES).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|page| !self.cached.contains_key(page));
        let most = usize::try_from(MAX_ANNOUNCED).unwrap_or(usize::MAX);
        for page in wanted.into_iter().take(most) {
            match requests.last_mut() {
                Some(last) if last.end == page && last.end - last.start < MAX_REQUEST => {
                    last.end += 1;
                }
                _ => requests.push(page..page + 1),
            }
        }
        requests
    }

    /// Caches a page, in place of the one that was not used for the longest time.
    fn insert(&mut self, number: u64, page: Arc<[u8]>) {
        if self.cached.len() >= CACHED_PAGES {
            let used = |(_, (_, used)): &(&u64, &(_, u64))| *used;
            let oldest = self.cached.iter().min_by_key(used);
            if let Some(oldest) = oldest.map(|(number, _)| *number) {
                self.cached.remove(&oldest);
            }
        }
        self.cached.insert(number, (page, self.reads));
    }
}

impl<R: ReadAt> PagedSource<R> {
    /// Caches the pages of a source.
    pub fn new(source: R) -> Self {
        PagedSource {
            source,
            pages: Mutex::default(),
        }
    }

    /// Caches the pages of a source of which the first page has been fetched.
    #[cfg(any(feature = "http", feature = "object-store", test))]
    pub(crate) fn with_first_page(source: R, first_page: Vec<u8>) -> Self {
        let mut pages = Pages::default();
        pages.insert(0, first_page.into());
        PagedSource {
            source,
            pages: Mutex::new(pages),
        }
    }

    /// The pages of a range of page numbers.
    fn pages(&self, wanted: Range<u64>) -> io::Result<Vec<Arc<[u8]>>> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.reads += 1;
        let mut found = Vec::new();
        let mut number = wanted.start;
        while number < wanted.end {
            if let Some(page) = pages.get(number) {
                found.push(page);
                number += 1;
                continue;
            }
            let last = self.source.size()?.div_ceil(PAGE_BYTES);
            let request = pages.request(number, wanted.end, last);
            let answer = self.fetch(&request)?;
            for (fetched, page) in request.clone().zip(answer) {
                if fetched < wanted.end {
                    found.push(Arc::clone(&page));
                }
                pages.insert(fetched, page);
            }
            number = request.end;
        }
        Ok(found)
    }

    /// Fetches pages with one request.
    fn fetch(&self, pages: &Range<u64>) -> io::Result<Vec<Arc<[u8]>>> {
        let end = pages
            .end
            .saturating_mul(PAGE_BYTES)
            .min(self.source.size()?);
        let start = pages.start * PAGE_BYTES;
        // A request is of at most 4 MiB.
        let len = usize::try_from(end - start).unwrap_or(usize::MAX);
        let fetched = self.source.read_at(start, len)?;
        if fetched.len() != len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let chunks = fetched.chunks(PAGE);
        Ok(chunks.map(Arc::from).collect())
    }
}

impl<R: ReadAt + Sync> ReadAt for PagedSource<R> {
    fn size(&self) -> io::Result<u64> {
        self.source.size()
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let end = offset.checked_add(len as u64);
        let size = self.source.size()?;
        let end = end.filter(|end| *end <= size);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        if len == 0 {
            return Ok(Vec::new());
        }
        let mut bytes = Vec::with_capacity(len);
        let mut skipped = usize::try_from(offset % PAGE_BYTES).unwrap_or(PAGE);
        for page in self.pages(offset / PAGE_BYTES..end.div_ceil(PAGE_BYTES))? {
            let part = page.get(skipped..).unwrap_or_default();
            bytes.extend(part.iter().take(len - bytes.len()));
            skipped = 0;
        }
        Ok(bytes)
    }

    fn will_read(&self, ranges: &[Range<u64>]) {
        let Ok(size) = self.source.size() else {
            return;
        };
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let ranges = ranges.iter().map(|range| {
            let end = range.end.min(size).div_ceil(PAGE_BYTES);
            range.start / PAGE_BYTES..end
        });
        let requests = pages.missing(ranges);
        if requests.is_empty() {
            return;
        }
        pages.reads += 1;
        for requests in requests.chunks(MAX_PARALLEL) {
            for (request, fetched) in requests.iter().zip(self.fetch_all(requests)) {
                // Reading the pages will show why they were not fetched.
                for (page, bytes) in request.clone().zip(fetched.into_iter().flatten()) {
                    pages.insert(page, bytes);
                }
            }
        }
    }
}

impl<R: ReadAt + Sync> PagedSource<R> {
    /// Fetches several ranges of pages at once.
    fn fetch_all(&self, requests: &[Range<u64>]) -> Vec<io::Result<Vec<Arc<[u8]>>>> {
        if let [request] = requests {
            return vec![self.fetch(request)];
        }
        thread::scope(|scope| {
            let fetches = requests.iter().map(|request| {
                let fetch = move || self.fetch(request);
                (request, thread::Builder::new().spawn_scoped(scope, fetch))
            });
            let fetches: Vec<_> = fetches.collect();
            let fetched = fetches.into_iter().map(|(request, fetch)| match fetch {
                Ok(fetch) => fetch.join().unwrap_or_else(|_| {
                    Err(io::Error::other("internal error: a panic in a request"))
                }),
                // There are no threads, as in a browser, or no more.
                Err(_) => self.fetch(request),
            });
            fetched.collect()
        })
    }
}

#[cfg(test)]
#[allow(
    clippy::cast_possible_truncation,
    reason = "the sources of these tests are small"
)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes in memory, with the ranges that were fetched.
    struct Logged {
        bytes: Vec<u8>,
        log: Mutex<Vec<Range<u64>>>,
    }

    impl ReadAt for Logged {
        fn size(&self) -> io::Result<u64> {
            Ok(self.bytes.len() as u64)
        }

        fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
            let bytes = self.bytes[offset as usize..offset as usize + len].to_vec();
            self.log.lock().unwrap().push(offset..offset + len as u64);
            Ok(bytes)
        }
    }

    fn paged(len: usize) -> PagedSource<Logged> {
        let bytes: Vec<u8> = (0..len).map(|at| (at ^ at >> 8 ^ at >> 16) as u8).collect();
        let first = bytes[..len.min(PAGE)].to_vec();
        let log = Mutex::default();
        PagedSource::with_first_page(Logged { bytes, log }, first)
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
        let source = paged(40 * PAGE);
        source.read_at(0, 100).unwrap();
        assert_eq!(source.requests(), [], "the first page is there");
        source.read_at(10 * PAGE_BYTES, 1).unwrap();
        source.read_at(9 * PAGE_BYTES, 3 * PAGE).unwrap();
        source.read_at(9 * PAGE_BYTES, 3 * PAGE).unwrap();
        assert_eq!(source.requests(), [(10, 1), (9, 1), (11, 1)]);
    }

    #[test]
    fn announced_pages_are_fetched_together_and_once() {
        let source = paged(500 * PAGE + 10);
        source.read_at(12 * PAGE_BYTES, 1).unwrap();
        let page = |page: u64| page * PAGE_BYTES + 5..page * PAGE_BYTES + 6;
        let all = 10 * PAGE_BYTES..15 * PAGE_BYTES;
        source.will_read(&[page(13), all, page(30), page(0), 0..0]);
        let mut requests = source.requests();
        requests.sort_unstable();
        assert_eq!(requests, [(10, 2), (12, 1), (13, 2), (30, 1)]);
        source.will_read(&[page(30)]);
        source.read_at(10 * PAGE_BYTES, 5 * PAGE).unwrap();
        assert_eq!(source.requests().len(), 4);
        // Large ranges in several requests, and no further than the end.
        source.will_read(&[100 * PAGE_BYTES..u64::MAX, 0..1]);
        let mut requests = source.requests().split_off(4);
        requests.sort_unstable();
        assert_eq!(requests, [(100, 256), (356, 145)]);
    }

    #[test]
    fn cached_pages_are_not_read_ahead() {
        let source = paged(100 * PAGE);
        for page in [25, 20, 21, 23, 26] {
            source.read_at(page * PAGE_BYTES, 10).unwrap();
        }
        assert_eq!(
            source.requests(),
            [(25, 1), (20, 1), (21, 2), (23, 2), (26, 1)]
        );
    }

    #[test]
    fn pages_are_fetched_once_while_they_fit() {
        let (count, len) = (CACHED_PAGES as u64 + 200, 100);
        let source = paged(count as usize * PAGE);
        let read = |page: u64| source.read_at(page * PAGE_BYTES, len).unwrap();
        (0..count).for_each(|page| drop(read(page)));
        let fetched = || {
            source
                .requests()
                .iter()
                .map(|(_, count)| count)
                .sum::<u64>()
        };
        assert_eq!(fetched(), count - 1, "the first page was there");
        // The last ones are cached, the first ones no longer are.
        (count - 900..count).for_each(|page| drop(read(page)));
        assert_eq!(fetched(), count - 1);
        read(1);
        assert_eq!(fetched(), count);
    }

    #[test]
    fn a_source_that_sends_too_little() {
        struct Short;
        impl ReadAt for Short {
            fn size(&self) -> io::Result<u64> {
                Ok(u64::MAX)
            }
            fn read_at(&self, _: u64, _: usize) -> io::Result<Vec<u8>> {
                Ok(vec![0; PAGE - 1])
            }
        }
        let source = PagedSource::with_first_page(Short, vec![0; PAGE]);
        source.read_at(0, PAGE).unwrap();
        source.read_at(PAGE_BYTES, 1).unwrap_err();
        // The last page, which has as many bytes.
        source.read_at(u64::MAX - 1, 1).unwrap();
        source.read_at(u64::MAX, 1).unwrap_err();
    }

    #[test]
    fn reading_in_order_reads_ahead_ever_further() {
        let source = paged(900 * PAGE);
        for page in 20..900 {
            source.read_at(page * PAGE_BYTES, 10).unwrap();
        }
        let counts = [1, 2, 4, 8, 16, 32, 64, 128, 128, 128, 128, 128, 113];
        let starts = counts.iter().scan(20, |next, count| {
            let first = *next;
            *next += count;
            Some(first)
        });
        let expected: Vec<_> = starts.zip(counts).collect();
        assert_eq!(source.requests(), expected);
    }
}
