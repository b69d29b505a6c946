//! How much of an archive each operation reads: a test fails if it becomes more.
//!
//! `cargo bench --bench requests` measures the same of archives on a web server.

use crate::samples;
use pgna::{
    Archive, Bytes, Codec, Indexes, Limits, PackOptions, PositionTest, Query, ReadAt, Writer,
};
use std::io;
use std::sync::{Arc, LazyLock, Mutex};

const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";

/// Reads of a source: how many, and of how many bytes.
#[derive(Debug, Default)]
struct Reads {
    count: u64,
    bytes: u64,
}

/// An archive in memory that counts what is read of it.
#[derive(Clone, Default)]
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

/// One segment of all samples, in blocks of 16 games, with all indexes.
static ARCHIVE: LazyLock<CountedBytes> = LazyLock::new(|| {
    let options = PackOptions {
        block_records: 16,
        codecs: vec![Codec::Radix],
        indexes: Indexes::Full,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for (name, text) in samples::files() {
        writer.add_source(name, &text[..]).unwrap();
    }
    let (mut bytes, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut bytes);
    CountedBytes {
        bytes: Arc::new(bytes),
        reads: Arc::default(),
    }
});

/// What opening the archive and an operation on it read.
fn reads(operation: impl FnOnce(&Archive)) -> Reads {
    let bytes = ARCHIVE.counted();
    operation(&bytes.open());
    bytes.take()
}

fn list(archive: &Archive) {
    for number in 201..=250 {
        archive.head(number).unwrap();
    }
}

fn find(archive: &Archive, query: &Query) {
    for hit in archive.query(query).unwrap() {
        hit.unwrap();
    }
}

fn by_tag(filter: &str) -> Reads {
    let query = Query {
        filter: Some(filter.parse().unwrap()),
        ..Query::default()
    };
    reads(|archive| find(archive, &query))
}

fn by_position(fen: &str) -> Reads {
    let query = Query {
        positions: vec![PositionTest::exact(fen).unwrap()],
        places: false,
        ..Query::default()
    };
    reads(|archive| find(archive, &query))
}

#[test]
fn no_operation_reads_more() {
    let another = |number: u64| {
        let bytes = ARCHIVE.counted();
        let archive = bytes.open();
        archive.text(300).unwrap();
        bytes.take();
        archive.text(number).unwrap();
        bytes.take()
    };
    let measured = [
        ("open", 4, 4_443, reads(|_| ())),
        (
            "first game",
            7,
            15_956,
            reads(|archive| drop(archive.text(300).unwrap())),
        ),
        ("game of the same block", 0, 0, another(299)),
        ("game of another block", 1, 898, another(100)),
        ("50 games listed", 10, 20_007, reads(list)),
        ("ECO of all", 8, 16_506, by_tag("ECO = B90")),
        ("White of all", 47, 60_393, by_tag("White ~ carlsen")),
        (
            "position in no game",
            28,
            56_305,
            by_position("7k/8/8/8/8/8/8/KNNN4 w - -"),
        ),
        ("position in some games", 41, 72_358, by_position(SICILIAN)),
        (
            "all games",
            47,
            60_393,
            reads(|archive| archive.texts().for_each(|text| drop(text.unwrap()))),
        ),
    ];
    for (operation, count, bytes, reads) in measured {
        assert!(
            reads.count <= count && reads.bytes <= bytes,
            "{operation}: {reads:?}, not at most {count} and {bytes}"
        );
    }
}
