//! Damaged blocks, tables and ends of segments lose only their own content.

use super::*;
use pgna::LossReason;

/// Splits a range of the archive's text into ranges of sources.
fn in_sources(text: &Range<u64>) -> Vec<(String, Range<u64>)> {
    let mut before = 0;
    let mut cut = Vec::new();
    for (name, source) in sources() {
        let len = source.len() as u64;
        let start = text.start.clamp(before, before + len) - before;
        let end = text.end.clamp(before, before + len) - before;
        if start < end {
            cut.push((name, start..end));
        }
        before += len;
    }
    cut
}

fn reported(recovery: &RecoveryReport) -> Vec<(String, Range<u64>)> {
    let losses = recovery.losses.iter();
    losses
        .map(|loss| (loss.source.clone().unwrap(), loss.bytes.clone()))
        .collect()
}

fn expected(recovery: &RecoveryReport) -> Vec<(String, String)> {
    let intact = sources().into_iter().map(|(name, text)| {
        let text = without(&text, &losses_of(recovery, &name));
        (name, text)
    });
    let has_text = |(name, text): &(String, String)| !text.is_empty() || name == "empty.pgn";
    intact.filter(has_text).collect()
}

#[test]
fn a_damaged_block_costs_only_its_games() {
    let whole = unprotected(archive());
    let blocks = blocks_of(&whole);
    for block in &blocks {
        for (at, is_blind) in [(0, false), (7, true), (30, false), (55, true)] {
            let mut bytes = whole.clone();
            if is_blind {
                blind(&mut bytes);
            }
            bytes[block.place.start + at] ^= 0x11;
            let (recovery, mut sources) = recover(&bytes);
            assert_eq!(reported(&recovery), in_sources(&block.text), "{block:?}");
            let games = |loss: &pgna::LostRange| loss.games.clone().unwrap();
            assert_eq!(games(&recovery.losses[0]).start, block.games.start);
            assert_eq!(games(recovery.losses.last().unwrap()).end, block.games.end);
            assert_eq!(recovery.lost_games(), block.games.end - block.games.start);
            assert_eq!(recovery.losses[0].reason, LossReason::Blocks);
            assert_eq!(recovery.blocks + 1, blocks.len() as u64);
            let mut expected = expected(&recovery);
            if is_blind {
                sources.retain(|(_, text)| !text.is_empty());
                expected.retain(|(_, text)| !text.is_empty());
            }
            assert_eq!(sources, expected);
            assert!(!recovery.is_complete() && !recovery.is_nothing());
        }
    }
}

/// Parity needs neither the header nor the slots nor the footer, which it does not cover.
#[test]
fn any_damage_of_40_bytes_is_mended() {
    let whole = archive();
    let [header, slots, .., footer] = pointing_parts(&whole);
    for at in (FRONT_BYTES..footer.start).step_by(31) {
        for is_footerless in [false, true] {
            let mut bytes = whole.clone();
            if is_footerless {
                for part in [&header, &slots, &footer] {
                    bytes[part.clone()].fill(0);
                }
            }
            bytes[at..footer.start.min(at + 40)].fill(0xee);
            let (recovery, good) = recover_archive(&bytes);
            assert!(recovery.is_complete(), "byte {at}: {:?}", recovery.notes);
            assert!(recovery.sources.iter().all(|source| source.is_proven));
            assert!(good == whole, "byte {at}");
        }
    }
}

/// The sectors of a small file share their parity, which restores two of them at most.
#[test]
fn three_damaged_sectors_cost_only_what_they_hit() {
    let whole = archive();
    let blocks = blocks_of(&whole);
    let lost = [&blocks[1], &blocks[5], &blocks[9]];
    let places = lost.map(|block| block.place.start + 30);
    let sectors = places.map(|place| places::sector(&whole, place).start);
    assert!(sectors.is_sorted_by(|one, next| one < next));
    for is_blind in [false, true] {
        let mut bytes = whole.clone();
        if is_blind {
            blind(&mut bytes);
        }
        for place in places {
            bytes[place] ^= 1;
        }
        let (recovery, _) = recover(&bytes);
        let texts = lost.map(|block| in_sources(&block.text));
        assert_eq!(reported(&recovery), texts.concat());
    }
}

#[test]
fn irreparable_tables_cost_only_their_segment() {
    let whole = archive();
    let archive = Archive::new(&whole[..]).unwrap();
    let blocks = blocks_of(&whole);
    for segment in 0..archive.container().segments().len() {
        let own = blocks.iter().filter(|block| block.segment == segment);
        let own: Vec<&BlockAt> = own.collect();
        let lost = own[0].text.start..own[own.len() - 1].text.end;
        let mut bytes = whole.clone();
        bytes[tables_of(&whole, segment)].fill(7);
        let (recovery, sources) = recover(&bytes);
        assert_eq!(reported(&recovery), in_sources(&lost));
        assert_eq!(recovery.losses[0].reason, LossReason::Tables);
        assert_eq!(sources, expected(&recovery));

        // Without a directory, the names are lost together with the tables.
        let mut bytes = whole.clone();
        blind(&mut bytes);
        bytes[tables_of(&whole, segment)].fill(7);
        let (recovery, _) = recover(&bytes);
        assert_eq!(recovery.blocks, (blocks.len() - own.len()) as u64);
        let games = own[own.len() - 1].games.end - own[0].games.start;
        assert_eq!(recovery.lost_games(), games);
        assert!(!recovery.is_complete());
    }
}

#[test]
fn a_lost_end_of_a_segment_costs_nothing() {
    let whole = archive();
    let archive = Archive::new(&whole[..]).unwrap();
    for entry in archive.container().segments() {
        let end = range(entry.offset, entry.bytes).end;
        for is_blind in [false, true] {
            let mut bytes = unprotected(whole.clone());
            if is_blind {
                blind(&mut bytes);
            }
            bytes[end - 40..end].fill(1);
            let (recovery, _) = recover(&bytes);
            assert_eq!(recovery.losses, []);
        }
    }
}
