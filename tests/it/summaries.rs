//! What the directory says of the games of segments: searches leave out those that have none, and find
//! the same games.

use crate::sizes;
use crate::unprotected::unprotected;
use pgna::{
    Appender, Archive, Bytes, Indexes, Limits, Merger, NewFile, PackOptions, Query, ReadAt,
    Recovery, Warning, Writer,
};
use std::fs;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn options() -> PackOptions {
    PackOptions {
        codecs: sizes::codecs(),
        indexes: Indexes::Full,
        ..PackOptions::default()
    }
}

/// A source of which each game has a player and a year of its own, and one player is in all.
fn source(number: usize) -> String {
    let game = |game: usize| {
        let year = 1900 + 2 * number + game;
        format!(
            "[White \"Player, {number} {game}\"]\n[Black \"Müller, K\"]\n[Date \"{year}.02.03\"]\n\n\
             1. e4 e5 *\n\n"
        )
    };
    (0..2).map(game).collect()
}

fn packed(number: usize, options: PackOptions) -> Archive {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer
        .add_source(&format!("{number}.pgn"), source(number).as_bytes())
        .unwrap();
    Archive::new(writer.finish().unwrap().0).unwrap()
}

/// An archive of one segment for each of these sources.
fn merged(sources: Range<usize>) -> Vec<u8> {
    merged_archives(sources.map(|number| packed(number, options())))
}

fn merged_archives(archives: impl Iterator<Item = Archive>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("merged.pgna");
    let mut merger = Merger::new(NewFile::create(&path).unwrap()).unwrap();
    for archive in archives {
        merger.add(&archive, |_| ()).unwrap();
    }
    merger.finish(false).unwrap();
    fs::read(path).unwrap()
}

/// Bytes in memory that are counted when they are read.
struct Counted(Arc<Vec<u8>>, Arc<AtomicU64>);

impl ReadAt for Counted {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        self.1.fetch_add(len as u64, Ordering::Relaxed);
        Bytes(self.0.as_slice()).read_at(offset, len)
    }
}

/// The games that pass a filter, the bytes that were read to find them, and the warnings.
fn found(bytes: &[u8], filter: &str) -> (Vec<u64>, u64, Vec<Warning>) {
    let read = Arc::new(AtomicU64::new(0));
    let source = Counted(Arc::new(bytes.to_vec()), Arc::clone(&read));
    let archive = Archive::open(source, Limits::default()).unwrap();
    let opened = read.load(Ordering::Relaxed);
    let query = Query {
        filter: Some(filter.parse().unwrap()),
        ..Query::default()
    };
    let mut hits = archive.query(&query).unwrap();
    let games = hits.by_ref().map(|hit| hit.unwrap().number).collect();
    assert_eq!(hits.games_seen(), archive.games());
    let read = read.load(Ordering::Relaxed) - opened;
    (games, read, archive.warnings())
}

/// The numbers of the games of a source.
fn games(source: usize) -> Vec<u64> {
    let first = 2 * source as u64 + 1;
    vec![first, first + 1]
}

/// Checks what is found in an archive of so many sources.
fn check(bytes: &[u8], sources: usize) {
    let mut largest = 0;
    for source in (0..sources).filter(|source| source % 7 < 2) {
        let [first, second] = [games(source)[0], games(source)[1]];
        let player = format!("player = 'Player, {source} 1'");
        let year = 1900 + 2 * source;
        for (filter, expected) in [
            (player.clone(), vec![second]),
            (player.replace("player", "White"), vec![second]),
            (player.replace("player", "Black"), vec![]),
            (format!("{player} and Date < 1900"), vec![]),
            (format!("Date = {year}.02"), vec![first]),
            (format!("year = {year} or {player}"), vec![first, second]),
        ] {
            let (found, read, warnings) = found(bytes, &filter);
            assert_eq!((found, warnings), (expected, vec![]), "{filter}");
            largest = largest.max(read);
        }
    }
    // Few segments seem to have a name that they do not have.
    assert!(largest < 30_000, "{largest} of {}", bytes.len());
    for filter in [
        "Black = 'Müller, K'",
        "not White = 'Player, 3 1' or year < 2900",
    ] {
        let (found, read, _) = found(bytes, filter);
        assert_eq!(found.len(), 2 * sources, "{filter}");
        assert!(read > largest);
    }
}

#[test]
fn segments_without_games_that_pass_are_not_read() {
    check(&merged(0..130), 130);
}

#[test]
fn appends_add_names_and_dates() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    fs::write(&path, merged(0..62)).unwrap();
    for number in 62..66 {
        let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
        let name = format!("{number}.pgn");
        appender
            .add_source(&name, source(number).as_bytes())
            .unwrap();
        appender.finish().unwrap();
        check(&fs::read(&path).unwrap(), number + 1);
    }
    // An append without games changes nothing.
    Appender::open(&path, options(), Limits::default())
        .unwrap()
        .finish()
        .unwrap();
    let bytes = fs::read(&path).unwrap();
    check(&bytes, 66);
    let archive = Archive::new(bytes).unwrap();
    assert!(archive.verify(|_| ()).is_empty() && archive.warnings().is_empty());
    // Merged once more, in two parts of which the second begins within a section of names.
    let again = || [Archive::new(merged(0..66)).unwrap(), packed(66, options())];
    check(&merged_archives(again().into_iter()), 67);
}

#[test]
fn new_indexes_have_new_summaries() {
    let archive = Archive::new(merged(0..20)).unwrap();
    let with = |archive: &Archive, indexes| {
        let (mut bytes, slot) = archive.write_indexed(Vec::new(), indexes, |_| ()).unwrap();
        slot.write_to(&mut bytes);
        bytes
    };
    let none = with(&archive, Indexes::None);
    let player = "White = 'Player, 7 0'";
    let date = "Date = 1914.02.03";
    let [(found, read, _), (by_date, less, _)] = [player, date].map(|filter| found(&none, filter));
    // Dates are there without indexes.
    assert_eq!([&found, &by_date], [&[15], &[15]]);
    assert!(less * 10 < read, "{less} {read}");
    let full = with(&Archive::new(none).unwrap(), Indexes::Full);
    check(&full, 20);
    assert!(full == with(&archive, Indexes::Full));
    let names = archive.container().names_bytes();
    assert_eq!(Archive::new(full).unwrap().container().names_bytes(), names);
}

#[test]
fn compacted_and_recovered_archives_find_the_same() {
    let bytes = merged(0..9);
    let archive = Archive::new(&bytes[..]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    let file = NewFile::create(&path).unwrap();
    let (file, _) = archive.compact(file, options(), |_| ()).unwrap();
    file.commit(true).unwrap();
    let compacted = fs::read(&path).unwrap();
    assert_eq!(
        Archive::new(&compacted[..]).unwrap().segment_ranges().len(),
        1
    );
    let recovery = Recovery::open(Bytes(bytes), Limits::default()).unwrap();
    let (mut recovered, slot, _) = recovery.write_recovered(Vec::new(), None, |_| ()).unwrap();
    slot.write_to(&mut recovered);
    for archive in [compacted, recovered] {
        for source in 0..9 {
            let player = format!("White = 'Player, {source} 1'");
            assert_eq!(found(&archive, &player).0, [games(source)[1]]);
            let year = format!("year = {}", 1900 + 2 * source);
            assert_eq!(found(&archive, &year).0, [games(source)[0]]);
        }
    }
}

/// What a search takes for a name or a date is that of the summary, also where a game is stored verbatim.
#[test]
fn odd_games_are_found() {
    let illegal = "1. e4 Ke4 *";
    let games = [
        (
            "[White \"John \\\"Jo\\\" Doe\"]\n",
            "White = 'John \"Jo\" Doe'",
        ),
        ("[White \"John \"Jo\" Doe\"]\n", "White = 'John \"Jo\" Doe'"),
        ("\u{feff}[White \"Bom, A\"]\n", "White = 'Bom, A'"),
        ("\u{feff}[Date \"2020.01.01\"]\n", "year = 2020"),
        ("[Date \"2021.01.01\u{a0}\"]\n", "year = 2021"),
        ("[Date \" 2022.01.01 \"]\n", "Date = 2022"),
        ("[WHITE \"Tal, M\"]\n", "White = 'Tal, M'"),
        (
            "[White \"A\"]\n[Date \"2023\"]\n[White \"Tal, M\"]\n",
            "White = 'Tal, M'",
        ),
        (
            "[White \"M\u{fc}ller\"]\n",
            "Black = 'x' or White = 'M\u{fc}ller'",
        ),
    ];
    for (tags, filter) in games {
        for moves in ["1. e4 *", illegal, "*"] {
            for before in ["", "[Event \"x\"]\n\n1. d4 *\n\n"] {
                let text = format!("{before}{tags}\n{moves}\n");
                let mut writer = Writer::new(Vec::new(), options()).unwrap();
                writer.add_source("a.pgn", text.as_bytes()).unwrap();
                let (bytes, ..) = writer.finish().unwrap();
                let (by_summary, ..) = found(&bytes, filter);
                let (all, ..) = found(&bytes, &format!("not (not ({filter}))"));
                assert_eq!(by_summary, all, "{text} {filter}");
            }
        }
    }
}

/// Text without games has no indexes, which does not mean that the archive has none.
#[test]
fn the_indexes_of_an_archive_are_those_of_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    fs::write(&path, merged(0..2)).unwrap();
    let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
    appender.add_source("a.txt", &b"no game"[..]).unwrap();
    appender.finish().unwrap();
    let archive = Archive::new(fs::read(&path).unwrap()).unwrap();
    assert_eq!(archive.segment_ranges().len(), 3);
    assert_eq!(archive.indexes().unwrap(), Some(Indexes::Full));
}

/// Damages bytes of the two sections of names of an archive of 70 sources. Calls `warning` with the
/// offset of the section and that of the damaged byte, and checks that this is the warning. Calls
/// `see` with the size of the names in an archive that is merged from the damaged one, and in one
/// that is merged from the whole one.
fn damage_names(bytes: &[u8], warning: impl Fn(usize, usize) -> Warning, see: impl Fn(u64, u64)) {
    let offset = |number: usize| {
        let marks = bytes.windows(4).enumerate();
        let mut marks = marks.filter(|(_, mark)| mark == b"NAME");
        marks.nth(number).unwrap().0
    };
    let whole = Archive::new(bytes).unwrap();
    for number in [0, 1] {
        let start = offset(number) + 16;
        let size = u64::from_le_bytes(bytes[start - 8..start].try_into().unwrap());
        let payload = start..start + size as usize;
        for at in payload.step_by(701) {
            let warning = warning(offset(number), at);
            let mut damaged = bytes.to_vec();
            damaged[at] ^= 0x10;
            for source in [3, 65] {
                let player = format!("White = 'Player, {source} 1'");
                let (found, _, warnings) = found(&damaged, &player);
                assert_eq!(found, [games(source)[1]]);
                assert!(warnings.iter().all(|found| *found == warning));
            }
            let opened = Archive::new(&damaged[..]).unwrap();
            assert!(opened.verify(|_| ()).is_empty());
            assert_eq!(opened.warnings(), std::slice::from_ref(&warning));
            let copy = merged_archives([opened].into_iter());
            let copied = Archive::new(&copy[..]).unwrap();
            let sizes = [&copied, &whole].map(|archive| archive.container().names_bytes());
            see(sizes[0], sizes[1]);
            assert_eq!(found_in(&copy), [[8], [132]]);
        }
    }
}

#[test]
fn damaged_names_are_ignored() {
    let ignored = |section: usize, _| Warning::IndexIgnored {
        offset: section as u64,
    };
    damage_names(&unprotected(merged(0..70)), ignored, |copied, whole| {
        assert!(copied < whole);
    });
}

#[test]
fn damaged_names_are_mended() {
    let mended = |_, at: usize| Warning::Mended {
        offset: at as u64,
        bytes: 1,
    };
    damage_names(&merged(0..70), mended, |copied, whole| {
        assert_eq!(copied, whole);
    });
}

fn found_in(bytes: &[u8]) -> [Vec<u64>; 2] {
    [3, 65].map(|source| found(bytes, &format!("White = 'Player, {source} 1'")).0)
}
