//! How much of an archive each operation reads, without the pages of `src/remote`.
//!
//! `cargo bench --bench requests` measures archives on a web server.

use crate::samples;
use pgna::{
    Archive, Bytes, Codec, Error, ErrorClass, Indexes, Limits, Loss, PackOptions, PositionTest,
    Query, ReadAt, Warning, Writer,
};
use std::collections::BTreeSet;
use std::io;
#[cfg(unix)]
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";

/// Reads of a source: how many, and of how many bytes.
#[derive(Debug, Default)]
struct Reads {
    count: u64,
    bytes: u64,
}

/// An archive in memory that counts what is read of it.
#[derive(Clone)]
struct CountedBytes {
    bytes: Arc<Vec<u8>>,
    reads: Arc<Mutex<Reads>>,
}

impl CountedBytes {
    /// The same bytes with a counter of their own.
    fn counted(&self) -> Self {
        CountedBytes {
            bytes: Arc::clone(&self.bytes),
            reads: Arc::default(),
        }
    }

    fn open(&self) -> Archive {
        Archive::open(self.clone(), Limits::default()).unwrap()
    }

    /// The reads since the last call.
    fn take(&self) -> Reads {
        std::mem::take(&mut *self.reads.lock().unwrap())
    }
}

impl ReadAt for CountedBytes {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut reads = self.reads.lock().unwrap();
        reads.count += 1;
        reads.bytes += len as u64;
        Bytes(self.bytes.as_slice()).read_at(offset, len)
    }
}

/// Packs texts into one segment with all indexes.
fn pack(block_records: u32, texts: Vec<(String, Vec<u8>)>) -> CountedBytes {
    let options = PackOptions {
        block_records,
        codecs: vec![Codec::Radix],
        indexes: Indexes::Full,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for (name, text) in texts {
        writer.add_source(&name, &text[..]).unwrap();
    }
    let (mut bytes, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut bytes);
    CountedBytes {
        bytes: Arc::new(bytes),
        reads: Arc::default(),
    }
}

/// The samples several times, so that the archive is not small: the loss of a sector of the disk is
/// mended.
#[cfg(unix)]
static LARGE: LazyLock<CountedBytes> = LazyLock::new(|| {
    let copies = (0..4).flat_map(|copy| {
        let files = samples::files().iter();
        files.map(move |(name, text)| (format!("{copy}/{name}"), text.clone()))
    });
    pack(16, copies.collect())
});

/// All samples, in blocks of 16 games.
static ARCHIVE: LazyLock<CountedBytes> = LazyLock::new(|| pack(16, samples::files().to_vec()));

/// A name of letters that do not repeat other names.
fn long_name(number: u64) -> String {
    let mut state = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let letters = (0..40).map(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b"abcdefghijklmnopqrstuvwxyz"[usize::try_from(state % 26).unwrap()])
    });
    letters.collect()
}

/// 600 games of 300 players, whose names are a large dictionary.
static LONG_NAMES: LazyLock<CountedBytes> = LazyLock::new(|| {
    let game = |number: u64| {
        let name = long_name(number % 300);
        format!("[White \"{name}\"]\n[WhiteElo \"2400\"]\n\n1. e4 c5 2. Nf3 *\n\n")
    };
    let text: String = (0..600).map(game).collect();
    pack(100, vec![("long.pgn".to_owned(), text.into_bytes())])
});

/// Moves are decoded without large dictionaries, which are read when they are first needed.
#[test]
fn large_dictionaries_are_read_when_they_are_needed() {
    let bytes = LONG_NAMES.counted();
    let archive = bytes.open();
    let query = Query {
        positions: vec![PositionTest::exact(SICILIAN).unwrap()],
        uses_indexes: false,
        ..Query::default()
    };
    assert_eq!(find(&archive, &query), 600);
    let by_position = bytes.take();
    let names = 300 * 40 * 5 / 8;
    assert!(
        by_position.bytes < bytes.bytes.len() as u64 - names,
        "{by_position:?}"
    );
    archive.text(300).unwrap();
    let of_text = bytes.take();
    assert!(of_text.bytes > names, "{of_text:?}");
    archive.text(1).unwrap();
    assert!(bytes.take().bytes < names);
    assert!(archive.verify(|_| ()).is_empty());
}

/// What opening the archive and an operation on it read, and the number that the operation returns.
fn reads(operation: impl FnOnce(&Archive) -> usize) -> (u64, u64, usize) {
    let bytes = ARCHIVE.counted();
    let hits = operation(&bytes.open());
    let reads = bytes.take();
    (reads.count, reads.bytes, hits)
}

/// What a game takes after another one was read.
fn then(number: u64) -> (u64, u64, usize) {
    let bytes = ARCHIVE.counted();
    let archive = bytes.open();
    archive.text(300).unwrap();
    bytes.take();
    archive.text(number).unwrap();
    let reads = bytes.take();
    (reads.count, reads.bytes, 1)
}

fn list(archive: &Archive) -> usize {
    let heads = (201..=250).map(|number| archive.head(number).unwrap());
    heads.count()
}

fn find(archive: &Archive, query: &Query) -> usize {
    let hits = archive.query(query).unwrap();
    hits.map(Result::unwrap).count()
}

fn by_tag(filter: &str) -> (u64, u64, usize) {
    let query = Query {
        filter: Some(filter.parse().unwrap()),
        ..Query::default()
    };
    reads(|archive| find(archive, &query))
}

fn by_position(fen: &str) -> (u64, u64, usize) {
    let query = Query {
        positions: vec![PositionTest::exact(fen).unwrap()],
        places: false,
        ..Query::default()
    };
    reads(|archive| find(archive, &query))
}

/// If large dictionaries are lost, games are found by their moves, and have no text.
#[test]
fn moves_are_read_without_lost_dictionaries() {
    let whole = LONG_NAMES.open();
    let segment = whole.container().segment(0).unwrap();
    let tables_bytes = usize::try_from(segment.index().tags()[0].offset).unwrap();
    let mut bytes = LONG_NAMES.bytes.to_vec();
    bytes[80 + tables_bytes / 2..80 + tables_bytes].fill(0x55);
    let archive = Archive::new(bytes).unwrap();
    let query = Query {
        positions: vec![PositionTest::exact(SICILIAN).unwrap()],
        uses_indexes: false,
        ..Query::default()
    };
    assert_eq!(find(&archive, &query), 600);
    assert_eq!(archive.game(1).unwrap_err().class(), ErrorClass::Damaged);
    let losses = archive.verify(|_| ());
    let games: u64 = losses
        .iter()
        .map(|loss| loss.games.end - loss.games.start)
        .sum();
    assert_eq!(games, 600);
    let class = |loss: &Loss| loss.error.class() == ErrorClass::Damaged;
    assert!(losses.iter().all(class));
    assert!(archive.read_structure().is_err());
}

/// If one of these grows, so do the requests and bytes of archives on web servers.
#[test]
fn operations_read_as_much_as_is_known() {
    let operations = [
        ("open", (3, 3_112, 0), reads(|_| 0)),
        (
            "a game",
            (7, 13_813, 1),
            reads(|archive| {
                archive.text(300).unwrap();
                1
            }),
        ),
        ("a game of the same block", (0, 0, 1), then(299)),
        ("a game of another block", (2, 895, 1), then(100)),
        ("50 games listed", (11, 14_948, 50), reads(list)),
        ("an ECO code", (14, 15_085, 17), by_tag("ECO = B90")),
        (
            "a player as White",
            (60, 32_855, 22),
            by_tag("White = \"Player A6\""),
        ),
        (
            "a position in no game",
            (51, 49_788, 0),
            by_position("7k/8/8/8/8/8/8/KNNN4 w - -"),
        ),
        (
            "a position in some games",
            (51, 49_862, 19),
            by_position(SICILIAN),
        ),
        (
            "all games",
            (87, 57_888, 634),
            reads(|archive| archive.texts().map(Result::unwrap).count()),
        ),
    ];
    let known = operations.map(|(name, known, _)| (name, known));
    let measured = operations.map(|(name, _, measured)| (name, measured));
    assert_eq!(measured, known, "reads, bytes, hits");
}

/// An archive in memory of which one read fails.
struct FailingBytes {
    bytes: Arc<Vec<u8>>,
    /// The number of reads so far.
    reads: AtomicU64,
    /// The number of the read that fails.
    failing: u64,
    error: fn() -> io::Error,
}

impl ReadAt for FailingBytes {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        match self.reads.fetch_add(1, Ordering::Relaxed) == self.failing {
            true => Err((self.error)()),
            false => Bytes(self.bytes.as_slice()).read_at(offset, len),
        }
    }
}

/// A game, the games with an ECO code, and the games with a position, one after the other.
fn results(archive: &Archive, filter: &str) -> Vec<Result<Vec<u64>, Error>> {
    let numbers = |query: &Query| {
        let hits = archive.query(query)?;
        hits.map(|hit| Ok(hit?.number)).collect()
    };
    let by_code = Query {
        filter: Some(filter.parse().unwrap()),
        ..Query::default()
    };
    let by_position = Query {
        positions: vec![PositionTest::exact(SICILIAN).unwrap()],
        places: false,
        ..Query::default()
    };
    let text = archive.text(300).map(|text| vec![text.len() as u64]);
    vec![text, numbers(&by_code), numbers(&by_position)]
}

/// The archives of which each read fails once, and a filter for each.
fn failing_archives() -> [(&'static CountedBytes, String); 2] {
    let player = format!("White = {:?}", long_name(7));
    [(&*ARCHIVE, "ECO = B90".to_owned()), (&*LONG_NAMES, player)]
}

fn expected(archive: &CountedBytes, filter: &str) -> Vec<Vec<u64>> {
    let results = results(&archive.open(), filter).into_iter();
    results.map(Result::unwrap).collect()
}

/// Calls `see` with an archive, or with the error of opening it, for each read that can fail.
/// Returns their number.
fn fail_each_read(
    archive: &CountedBytes,
    error: fn() -> io::Error,
    see: impl Fn(Result<&Archive, &Error>),
) -> u64 {
    let mut failing = 0;
    loop {
        let source = Arc::new(FailingBytes {
            bytes: Arc::clone(&archive.bytes),
            reads: AtomicU64::new(0),
            failing,
            error,
        });
        see(Archive::open(Arc::clone(&source), Limits::default()).as_ref());
        if source.reads.load(Ordering::Relaxed) <= failing {
            return failing;
        }
        failing += 1;
    }
}

/// No copy is used in place of bytes that may be read another time, and no index is ignored.
#[test]
fn reads_that_fail_for_now_are_errors_and_no_damage() {
    for (archive, filter) in failing_archives() {
        fail_for_now(archive, &filter);
    }
}

fn fail_for_now(archive: &CountedBytes, filter: &str) {
    let expected = expected(archive, filter);
    let failures = AtomicU64::new(0);
    let reset = || io::ErrorKind::ConnectionReset.into();
    let reads = fail_each_read(archive, reset, |opened| {
        let failed = |error: &Error| {
            failures.fetch_add(1, Ordering::Relaxed);
            assert_eq!(error.class(), ErrorClass::Io, "{error}");
        };
        let archive = match opened {
            Ok(archive) => archive,
            Err(error) => return failed(error),
        };
        // What fails the first time is read the second time.
        for _ in 0..2 {
            for (result, expected) in results(archive, filter).iter().zip(&expected) {
                match result {
                    Ok(result) => assert_eq!(result, expected),
                    Err(error) => failed(error),
                }
            }
        }
        let losses = archive.verify(|_| {});
        if let Some(loss) = losses.first() {
            failed(&loss.error);
        }
        assert_eq!(archive.warnings(), []);
    });
    assert!(reads > 20, "{reads}");
    assert_eq!(failures.into_inner(), reads);
}

/// Bytes that the medium cannot read are damaged.
#[cfg(unix)]
#[test]
fn bytes_that_a_medium_cannot_read_are_damaged() {
    for (archive, filter) in failing_archives() {
        fail_for_good(archive, &filter);
    }
}

/// The code of the system for a medium that cannot read some bytes.
#[cfg(unix)]
const EIO: i32 = 5;

#[cfg(unix)]
fn fail_for_good(archive: &CountedBytes, filter: &str) {
    let expected = expected(archive, filter);
    let kinds = Mutex::new(BTreeSet::new());
    fail_each_read(
        archive,
        || io::Error::from_raw_os_error(EIO),
        |opened| {
            let Ok(archive) = opened else { return };
            let results = results(archive, filter);
            let warnings = archive.warnings();
            for (result, expected) in results.iter().zip(&expected) {
                match result {
                    Ok(result) => assert_eq!(result, expected),
                    Err(error) => assert_eq!(warnings, [], "{error}"),
                }
            }
            let kind = |warning: &Warning| match warning {
                Warning::HeaderDamaged => "header",
                Warning::FooterCopyDamaged { .. } => "copy of the footer",
                Warning::IndexIgnored { .. } => "index",
                other => panic!("{other}"),
            };
            kinds.lock().unwrap().extend(warnings.iter().map(kind));
        },
    );
    let kinds = kinds.into_inner().unwrap();
    let replaced = ["copy of the footer", "header", "index"];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), replaced);
}

/// An archive in memory of which the medium cannot read one sector.
#[cfg(unix)]
struct LostSector {
    bytes: Arc<Vec<u8>>,
    lost: Range<u64>,
}

#[cfg(unix)]
impl ReadAt for LostSector {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let end = offset + len as u64;
        match offset < self.lost.end && end > self.lost.start {
            true => Err(io::Error::from_raw_os_error(EIO)),
            false => Bytes(self.bytes.as_slice()).read_at(offset, len),
        }
    }
}

#[cfg(unix)]
#[test]
fn a_sector_that_a_medium_cannot_read_is_mended() {
    const SECTOR_BYTES: usize = 4096;
    let filter = "ECO = B90";
    let expected = expected(&LARGE, filter);
    let size = LARGE.bytes.len() as u64;
    let mut mended = 0;
    for start in (0..size).step_by(SECTOR_BYTES) {
        let source = LostSector {
            bytes: Arc::clone(&LARGE.bytes),
            lost: start..start + SECTOR_BYTES as u64,
        };
        let archive = Archive::open(source, Limits::default()).unwrap();
        for (result, expected) in results(&archive, filter).iter().zip(&expected) {
            assert_eq!(result.as_ref().unwrap(), expected, "sector at {start}");
        }
        let losses = archive.verify(|_| ());
        assert!(losses.is_empty(), "sector at {start}");
        let warnings = archive.warnings();
        assert!(!warnings.is_empty(), "sector at {start}");
        let is_mended = |warning: &Warning| matches!(warning, Warning::Mended { .. });
        mended += usize::from(warnings.iter().any(is_mended));
    }
    assert!(mended > 30, "{mended} sectors of {size} bytes");
}
