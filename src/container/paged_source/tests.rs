//! Tests of sources that are read page by page.
#![allow(
    clippy::cast_possible_truncation,
    reason = "the sources of these tests are small"
)]

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
    PagedSource::with_start(Logged { bytes, log }, &first)
}

impl PagedSource<Logged> {
    /// Announces a range of pages.
    fn announce(&self, pages: Range<u64>) {
        let bytes = pages.start * PAGE_BYTES..pages.end * PAGE_BYTES;
        self.will_read(std::slice::from_ref(&bytes));
    }

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
    let source = paged(160 * PAGE);
    source.read_at(0, 100).unwrap();
    assert_eq!(source.requests(), [], "the first page is there");
    source.read_at(40 * PAGE_BYTES, 1).unwrap();
    source.read_at(36 * PAGE_BYTES, 12 * PAGE).unwrap();
    source.read_at(36 * PAGE_BYTES, 12 * PAGE).unwrap();
    assert_eq!(source.requests(), [(40, 16), (36, 4)]);
    source.read_at(80 * PAGE_BYTES, 24 * PAGE).unwrap();
    assert_eq!(source.requests().split_off(2), [(80, 24)]);
}

#[test]
fn announced_pages_are_fetched_together_and_once() {
    let source = paged(6_000 * PAGE + 10);
    source.announce(12..13);
    let page = |page: u64| page * PAGE_BYTES + 5..page * PAGE_BYTES + 6;
    let all = 10 * PAGE_BYTES..15 * PAGE_BYTES;
    source.will_read(&[page(13), all, page(43), page(40), page(47), page(0), 0..0]);
    let mut requests = source.requests();
    requests.sort_unstable();
    // Few pages in between are fetched too.
    assert_eq!(requests, [(10, 5), (12, 1), (40, 4), (47, 1)]);
    source.will_read(&[page(40)]);
    source.read_at(10 * PAGE_BYTES, 5 * PAGE).unwrap();
    assert_eq!(source.requests().len(), 4);
    // Large ranges in several requests, and no further than the end.
    source.will_read(&[100 * PAGE_BYTES..u64::MAX, 0..1]);
    let mut requests = source.requests().split_off(4);
    requests.sort_unstable();
    assert_eq!(requests, [(100, 4096), (4196, 1805)]);
}

#[test]
fn cached_pages_are_not_read_ahead() {
    let source = paged(400 * PAGE);
    for page in [160, 120, 136, 176] {
        source.read_at(page * PAGE_BYTES, 10).unwrap();
    }
    assert_eq!(
        source.requests(),
        [(160, 16), (120, 16), (136, 24), (176, 32)]
    );
}

#[test]
fn the_end_is_read_with_what_is_before_it() {
    let source = paged(400 * PAGE + 10);
    source.read_at(400 * PAGE_BYTES + 2, 8).unwrap();
    let end = source.read_at(398 * PAGE_BYTES, 2 * PAGE + 10).unwrap();
    assert_eq!(end, source.source.bytes[398 * PAGE..]);
    assert_eq!(source.requests(), [(369, 32)]);
    // Not what is there already.
    let source = paged(400 * PAGE);
    source.announce(396..397);
    source.announce(399..400);
    assert_eq!(source.requests(), [(396, 1), (397, 3)]);
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
    assert_eq!(fetched(), count - 1 + MIN_REQUEST);
}

#[test]
fn a_source_that_sends_too_little() {
    struct Short;
    impl ReadAt for Short {
        fn size(&self) -> io::Result<u64> {
            Ok(u64::MAX)
        }
        fn read_at(&self, _: u64, len: usize) -> io::Result<Vec<u8>> {
            Ok(vec![0; len - 1])
        }
    }
    let source = PagedSource::with_start(Short, &[0; PAGE]);
    source.read_at(0, PAGE).unwrap();
    source.read_at(PAGE_BYTES, 1).unwrap_err();
    source.read_at(u64::MAX - 1, 1).unwrap_err();
    source.read_at(u64::MAX, 1).unwrap_err();
}

#[test]
fn several_places_are_read_in_order() {
    let source = paged(4_000 * PAGE);
    for page in 0..112 {
        for place in [400, 2000] {
            source.read_at((place + page) * PAGE_BYTES, 10).unwrap();
        }
    }
    let counts: Vec<u64> = source.requests().iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [16, 16, 32, 32, 64, 64]);
}

#[test]
fn reading_in_order_reads_ahead_ever_further() {
    let source = paged(10_400 * PAGE);
    for page in 80..10_360 {
        source.read_at(page * PAGE_BYTES, 10).unwrap();
    }
    let counts = [16, 32, 64, 128, 256, 512, 1024, 2048, 2048, 2048, 2048, 96];
    let starts = counts.iter().scan(80, |next, count| {
        let first = *next;
        *next += count;
        Some(first)
    });
    let expected: Vec<_> = starts.zip(counts).collect();
    assert_eq!(source.requests(), expected);
}
