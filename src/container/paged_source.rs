//! A cache of pages for a source to which each request takes long.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::ReadAt;

/// The bytes of a page. The last page of a source may be shorter.
const PAGE_BYTES: u64 = PAGE as u64;
const PAGE: usize = 1 << 10;

/// The pages that are cached: 64 MiB.
const CACHED_PAGES: usize = 64 << 10;

/// The least pages of a request for a range that was not announced: 16 KiB. What is read next is often
/// near. Announced ranges are requested as they are: with pages of 64 KiB for both, a search for a
/// player would read a sixth more.
const MIN_REQUEST: u64 = 16;

/// The most pages between two announced ranges that are fetched with one request, and for nothing: the
/// head of a request takes about as many bytes. A browser sends one request after the other, of which each
/// takes as long as many more bytes.
const MAX_GAP: u64 = if cfg!(target_family = "wasm") { 32 } else { 2 };

/// The pages at the end of a source that are requested together, 32 KiB: an archive is opened from its
/// end, and the index of a small one is there.
const END_PAGES: u64 = 32;

/// The bytes at the start of a source that are requested first.
#[cfg(any(feature = "http", feature = "object-store"))]
pub(crate) const START_BYTES: u64 = MIN_REQUEST * PAGE_BYTES;

/// The most places that are read in order at a time, as by several threads.
const MAX_RUNS: usize = 16;

/// The most pages that are read ahead: 2 MiB.
const MAX_AHEAD: u64 = 2048;

/// The most pages of one request: 4 MiB.
const MAX_REQUEST: u64 = 4096;

/// The most pages that are fetched because they were announced: 16 MiB.
const MAX_ANNOUNCED: u64 = 16 << 10;

/// The most requests for announced pages at a time.
const MAX_PARALLEL: usize = 8;

/// A source that is read page by page, for one to which each request takes long, however few bytes
/// it asks for. Its size must not change.
///
/// Missing pages that follow each other are fetched with one request. Requests that follow each other
/// read ahead, twice as far each time, in several places at once. At most 64 MiB of pages are cached.
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
    /// Each with the number of its last use.
    cached: HashMap<u64, (Arc<[u8]>, u64)>,
    /// The pages by the numbers of their last uses.
    by_use: BTreeMap<u64, u64>,
    /// The number of uses.
    uses: u64,
    /// Of the last requests the page after theirs, and their number of pages.
    runs: VecDeque<(u64, u64)>,
}

impl Pages {
    /// A cached page.
    fn get(&mut self, number: u64) -> Option<Arc<[u8]>> {
        let (page, used) = self.cached.get_mut(&number)?;
        self.by_use.remove(used);
        *used = self.uses;
        self.by_use.insert(self.uses, number);
        self.uses += 1;
        Some(Arc::clone(page))
    }

    /// The pages of the next request: from a missing page on those that are missing before `end`,
    /// and others ahead that end by `last`, with those at the end of the source.
    fn request(&mut self, start: u64, end: u64, last: u64) -> Range<u64> {
        let run = self.runs.iter().position(|(next, _)| *next == start);
        let run = run.and_then(|at| self.runs.remove(at));
        let ahead = run.map_or(0, |(_, count)| 2 * count);
        let ahead = ahead.clamp(MIN_REQUEST, MAX_AHEAD);
        let most = end.min(start + MAX_REQUEST).max(start + ahead).min(last);
        let cached = (start + 1..most).find(|page| self.cached.contains_key(page));
        let next = cached.unwrap_or(most);
        self.runs.truncate(MAX_RUNS - 1);
        self.runs.push_front((next, next - start));
        self.with_end(start..next, last)
    }

    /// A request, which if it reaches the last page starts early enough for the end of the source.
    fn with_end(&self, mut request: Range<u64>, last: u64) -> Range<u64> {
        if request.end == last {
            let end = last.saturating_sub(END_PAGES);
            while request.start > end && !self.cached.contains_key(&(request.start - 1)) {
                request.start -= 1;
            }
        }
        request
    }

    /// The requests for the missing pages of these ranges of pages, each of at most
    /// [`MAX_REQUEST`].
    fn missing(&self, ranges: impl Iterator<Item = Range<u64>>, last: u64) -> Vec<Range<u64>> {
        let mut requests: Vec<Range<u64>> = Vec::new();
        let mut wanted: Vec<u64> = ranges.flatten().take(CACHED_PAGES).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|page| !self.cached.contains_key(page));
        let most = usize::try_from(MAX_ANNOUNCED).unwrap_or(usize::MAX);
        for page in wanted.into_iter().take(most) {
            match requests.last_mut() {
                Some(last) if page - last.end <= MAX_GAP && page - last.start < MAX_REQUEST => {
                    last.end = page + 1;
                }
                _ => requests.push(page..page + 1),
            }
        }
        if let Some(request) = requests.last_mut() {
            *request = self.with_end(request.clone(), last);
        }
        requests
    }

    /// Caches a page, in place of the one that was not used for the longest time.
    fn insert(&mut self, number: u64, page: Arc<[u8]>) {
        if self.cached.len() >= CACHED_PAGES
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.cached.remove(&oldest);
        }
        self.by_use.insert(self.uses, number);
        if let Some((_, used)) = self.cached.insert(number, (page, self.uses)) {
            self.by_use.remove(&used);
        }
        self.uses += 1;
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

    /// Caches the pages of a source of which the start has been fetched: [`START_BYTES`], or all.
    #[cfg(any(feature = "http", feature = "object-store", test))]
    pub(crate) fn with_start(source: R, start: &[u8]) -> Self {
        let mut pages = Pages::default();
        for (number, page) in (0..).zip(start.chunks(PAGE)) {
            pages.insert(number, page.into());
        }
        PagedSource {
            source,
            pages: Mutex::new(pages),
        }
    }

    /// The pages of a range of page numbers.
    fn pages(&self, wanted: Range<u64>) -> io::Result<Vec<Arc<[u8]>>> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
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
                if (number..wanted.end).contains(&fetched) {
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
        let requests = pages.missing(ranges, size.div_ceil(PAGE_BYTES));
        if requests.is_empty() {
            return;
        }
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
mod tests;
