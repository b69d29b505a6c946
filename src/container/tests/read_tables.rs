//! Reading the head of the tables alone.

use super::*;
use crate::bits::ByteReader;
use crate::container::read_tables::TablesExtent;
use std::cell::RefCell;
use std::io;
use std::ops::Range;

/// Bytes that remember which ranges of them were read.
struct SeenBytes<'f>(&'f [u8], RefCell<Vec<Range<u64>>>);

impl ReadAt for SeenBytes<'_> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        self.1.borrow_mut().push(offset..offset + len as u64);
        Bytes(self.0).read_at(offset, len)
    }
}

/// A segment with a head of `head` bytes and a last table of `rest` bytes.
fn file(head: usize, rest: usize) -> Vec<u8> {
    let mut tables = Tables::default();
    let parts = [part("a", 0, 9, 1, 1)];
    let parts = SourcePart::encode_all(&parts);
    tables.push(registry::SOURCE_PARTS, 0, &parts).unwrap();
    let bytes: Vec<u8> = (0..251).cycle().take(head.max(rest)).collect();
    tables.push(TableKind(30), 0, &bytes[..head]).unwrap();
    if rest > 0 {
        tables.push(TableKind(31), 7, &bytes[..rest]).unwrap();
    }
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    writer.begin_segment(&tables).unwrap();
    let packed = PackedBlock {
        tags: b"t",
        movetext: b"m",
    };
    writer.block(shape(1, 1, 9), packed).unwrap();
    writer.end_segment(sources(0, 1)).unwrap();
    writer.finish(vec![source("a", 9, 1, 1)]).unwrap().0
}

#[test]
fn the_head_is_read_alone() {
    for (small, rest) in [
        (10, 100_000),
        (0, 200),
        (5_000, 10),
        (200, 0),
        (70_000, 3 << 20),
    ] {
        let file = file(small, rest);
        let seen = SeenBytes(&file, RefCell::default());
        let (container, _) = Container::open(seen, Limits::default()).unwrap();
        let segment = container.segment(0).unwrap();
        container.source().1.borrow_mut().clear();
        let head = container.tables_head(&segment).unwrap();
        let tables = head.tables;
        assert_eq!(head.is_whole, rest == 0);
        let kinds: Vec<u8> = tables.iter().map(|table| table.kind.0).collect();
        assert_eq!(kinds, [1, 30]);
        assert_eq!(tables.get(TableKind(30), 0).map(<[u8]>::len), Some(small));
        let list = tables.list_bytes();
        let reads = container.source().1.borrow();
        let [range] = &reads[..] else {
            panic!("{reads:?}");
        };
        let bytes = range.end - range.start;
        assert_eq!(bytes, 16 + list);
        assert_eq!(container.large_tables(&segment).is_some(), rest > 0);
        drop(reads);
        let all = container.tables(&segment).unwrap();
        assert_eq!(all.head(), tables.head());
        assert_eq!(all.iter().count(), 2 + usize::from(rest > 0));
    }
}

#[test]
fn damage_in_the_head_is_mended_and_that_after_it_not_seen() {
    let whole = file(600, 5_000);
    let (container, _) = Container::open(Bytes(&whole), Limits::default()).unwrap();
    let segment = container.segment(0).unwrap();
    let expected = container.tables_head(&segment).unwrap().tables;
    let end = 80 + 16 + expected.list_bytes();
    for at in 80..end + 300 {
        let mut file = whole.clone();
        file[usize::try_from(at).unwrap()] ^= 1;
        let (container, _) = Container::open(Bytes(&file), Limits::default()).unwrap();
        let tables = container.tables_head(&segment).unwrap().tables;
        assert_eq!(tables.head(), expected.head(), "{at}");
        assert_eq!(container.mended().is_empty(), at >= end, "{at}");
        assert!(container.tables(&segment).is_ok());
        let (offset, bytes) = (at, 1);
        assert_eq!(container.mended(), [Warning::Mended { offset, bytes }]);
    }
}

#[test]
fn another_extent_is_refused() {
    let file = file(600, 5_000);
    let (container, _) = Container::open(Bytes(&file), Limits::default()).unwrap();
    let segment = container.segment(0).unwrap();
    let tables = container.tables(&segment).unwrap();
    let extent = TablesExtent::of(&tables);
    let place = FilePlace::new(FilePart::Tables, 80);
    assert!(extent.check(&tables, place).is_ok());
    for other in [
        TablesExtent {
            head_bytes: extent.head_bytes - 1,
            ..extent
        },
        TablesExtent {
            head_crc: !extent.head_crc,
            ..extent
        },
    ] {
        let error = other.check(&tables, place).unwrap_err();
        assert_eq!(error.class(), ErrorClass::Damaged);
    }
    let mut bytes = Vec::new();
    extent.put(&mut bytes);
    assert_eq!(bytes.len(), 4 + 2 + 2);
    assert_eq!(TablesExtent::read(&mut ByteReader::new(&bytes)), Ok(extent));
}
