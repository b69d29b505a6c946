//! Arbitrary bytes, opened and read to the end: no panic, no hang, no memory beyond the limits, and
//! sections agree with the directory.

use pgna::internals::container::{Container, ContainerError, Segment};
use pgna::{Bytes, Limits};

pub(super) fn check(data: &[u8]) {
    let limits = Limits {
        block_raw_bytes: 1 << 16,
        tables_bytes: 1 << 16,
        index_bytes: 1 << 16,
        ..Limits::default()
    };
    let Ok((container, _)) = Container::open(Bytes(data), limits) else {
        return;
    };
    let totals = container.totals();
    assert_eq!(totals.segments as usize, container.segments().len());
    assert_eq!(totals.sources as usize, container.sources().len());
    let games: u64 = container
        .segments()
        .iter()
        .map(|entry| u64::from(entry.games))
        .sum();
    assert_eq!(totals.games, games);
    for number in 0..container.segments().len() {
        if let Ok(segment) = container.segment(number) {
            let _ = read(&container, &segment);
        }
    }
}

fn read(container: &Container<Bytes<&[u8]>>, segment: &Segment) -> Result<(), ContainerError> {
    for (number, entry) in segment.index().blocks().iter().enumerate() {
        let block = container.block(segment, number)?;
        assert_eq!(block.header().first_game, entry.first_game);
        let packed = block.packed();
        assert_eq!(packed.tags.len(), entry.tags.bytes as usize);
        let header_bytes = segment.index().header_bytes(entry);
        let payload_bytes = packed.movetext.len() as u64 + header_bytes;
        assert_eq!(payload_bytes, u64::from(entry.payload_bytes));
    }
    for entry in segment.index().sections() {
        let section = container.section(segment, entry)?;
        assert_eq!(section.payload().len() as u64, entry.payload_bytes);
    }
    let tables = container.tables(segment)?;
    assert_eq!(tables.id(), segment.entry().id);
    let head = container.tables_head(segment)?.tables;
    let mut both = head.iter().zip(tables.iter());
    assert!(both.all(|(one, other)| one == other));
    segment.source_parts(&tables).map(|_| ())
}
