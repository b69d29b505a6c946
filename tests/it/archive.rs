//! Packing and unpacking round-trips for any input bytes, segment size and number of threads.

use crate::sizes::sized;
use crate::unpacked::{unpack, unpack_all};
use crate::unprotected::unprotected;
use crate::{corpora, samples};
use pgna::{
    Archive, Codec, ErrorClass, FileWriter, Limits, PackOptions, PackReport, VerbatimReason, Writer,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn pack(sources: &[(String, Vec<u8>)], options: PackOptions) -> (Vec<u8>, PackReport) {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for (name, bytes) in sources {
        writer.add_source(name, &bytes[..]).unwrap();
    }
    let (mut archive, slot, report) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut archive);
    (archive, report)
}

fn segments_of(segment_bytes: usize) -> PackOptions {
    PackOptions {
        segment_bytes,
        ..PackOptions::default()
    }
}

fn one(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    vec![("one.pgn".to_owned(), bytes.to_vec())]
}

#[test]
fn samples_round_trip() {
    let samples = samples::files();
    for sample in samples {
        let (archive, _) = pack(std::slice::from_ref(sample), PackOptions::default());
        assert!(
            unpack(&archive).unwrap() == std::slice::from_ref(sample),
            "{}",
            sample.0
        );
    }
    let (archive, report) = pack(samples, PackOptions::default());
    assert!(unpack(&archive).unwrap() == samples);
    assert_eq!(report.sources, samples.len() as u64);
}

#[test]
fn segment_size_does_not_change_the_games() {
    let samples = sized(samples::starts(), samples::files().to_vec());
    let (whole, report) = pack(&samples, PackOptions::default());
    let whole = Archive::new(whole).unwrap();
    for segment_bytes in sized(vec![1, 20_000], vec![1, 1000, 20_000]) {
        let (archive, same) = pack(&samples, segments_of(segment_bytes));
        assert!(unpack(&archive).unwrap() == samples);
        let archive = Archive::new(archive).unwrap();
        assert_eq!(same.games, report.games);
        for number in 1..=archive.games() {
            assert_eq!(archive.text(number).unwrap(), whole.text(number).unwrap());
        }
    }
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    let samples = samples::files();
    let packed = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| pack(samples, segments_of(100_000)).0)
    };
    assert!(packed(1) == packed(4));
}

#[test]
fn regular_collections_need_no_patch() {
    let regular = [
        "crlf-72-before-white.pgn",
        "lf-80-greedy.pgn",
        "one-line.pgn",
        "lichess-clk-eval.pgn",
        "wrapped-inside-comments.pgn",
        "variants-played.pgn",
    ];
    let regular = regular.map(|name| (name.to_owned(), samples::text(name)));
    let (_, report) = pack(&regular, PackOptions::default());
    assert_eq!((report.patched, report.verbatim), (0, BTreeMap::new()));
}

#[test]
fn only_invalid_games_are_stored_verbatim() {
    let verbatim_games = |file: &str| -> Vec<(u64, VerbatimReason)> {
        let (archive, _) = pack(&one(&samples::text(file)), PackOptions::default());
        let archive = Archive::new(archive).unwrap();
        let heads = (1..=archive.games()).map(|number| archive.head(number).unwrap());
        heads
            .filter_map(|head| Some((head.number, head.verbatim_reason?)))
            .collect()
    };
    let no_position = (24..=28).map(|number| (number, VerbatimReason::StartPosition));
    assert_eq!(
        verbatim_games("set-up-tags.pgn"),
        no_position.collect::<Vec<_>>()
    );
    let odd = [
        (6, VerbatimReason::Variation),
        (7, VerbatimReason::Variation),
        (8, VerbatimReason::Variation),
        (10, VerbatimReason::Misplaced),
        (11, VerbatimReason::Misplaced),
        (12, VerbatimReason::Misplaced),
        (13, VerbatimReason::Illegal),
        (14, VerbatimReason::Patch),
        (16, VerbatimReason::Misplaced),
        (17, VerbatimReason::Variation),
    ];
    assert_eq!(verbatim_games("variations.pgn"), odd);
}

#[test]
fn every_codec_round_trips() {
    let samples = sized(samples::starts(), samples::files().to_vec());
    for codec in Codec::ALL {
        let options = PackOptions {
            codecs: vec![codec],
            ..PackOptions::default()
        };
        let (archive, report) = pack(&samples, options);
        assert!(unpack(&archive).unwrap() == samples);
        assert!(report.plies > 1000);
    }
}

#[test]
fn sources_keep_their_names_and_order() {
    let empty = ("b/empty.pgn".to_owned(), Vec::new());
    let sources = [
        ("a.pgn".to_owned(), b"1. e4 *\n".to_vec()),
        empty.clone(),
        ("c.pgn".to_owned(), b"no game at all".to_vec()),
        ("A.PGN".to_owned(), b"1. d4 *\n".to_vec()),
    ];
    let (archive, report) = pack(&sources, PackOptions::default());
    let unpacked = unpack(&archive).unwrap();
    let names: Vec<&str> = unpacked.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a.pgn", "b/empty.pgn", "c.pgn", "A (2).PGN"]);
    assert_eq!(report.games, 2);
    assert!(
        unpack(&pack(std::slice::from_ref(&empty), PackOptions::default()).0).unwrap() == [empty]
    );
    assert!(
        unpack(&pack(&[], PackOptions::default()).0)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn no_source_is_the_folder_of_another() {
    let named = |name: &str| (name.to_owned(), b"1. e4 *\n".to_vec());
    let sources = ["a", "a/b.pgn", "c/d/e", "c/d", "C", "c/d/f"].map(named);
    let unpacked = unpack(&pack(&sources, PackOptions::default()).0).unwrap();
    let names: Vec<&str> = unpacked.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["a", "a (2)/b.pgn", "c/d/e", "c/d (2)", "C (2)", "c/d/f"]
    );
}

#[test]
fn unsafe_names_are_refused() {
    let mut writer = Writer::new(Vec::new(), PackOptions::default()).unwrap();
    let refused = writer.add_source("../up.pgn", &b""[..]);
    assert_eq!(refused.unwrap_err().class(), ErrorClass::Misuse);
}

#[test]
fn games_are_numbered_from_one() {
    let text = b"text before\n[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n*\n";
    let (archive, _) = pack(&one(text), PackOptions::default());
    let archive = Archive::new(archive).unwrap();
    assert_eq!(archive.games(), 2);
    assert_eq!(archive.text(1).unwrap(), b"[White \"A\"]\n\n1. e4 *\n\n");
    assert_eq!(
        archive.game(1).unwrap().main_line().collect::<Vec<_>>(),
        ["e4"]
    );
    assert_eq!(
        archive.head(2).unwrap().tags,
        [(b"White".to_vec(), b"B".to_vec())]
    );
    for missing in [0, 3, u64::MAX] {
        let error = archive.text(missing).unwrap_err();
        assert_eq!(error.class(), ErrorClass::NotFound);
        assert_eq!(
            error.to_string(),
            format!("no game {missing}: the archive has 2")
        );
    }
}

#[test]
fn mapped_read_and_copied_archives_agree() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    let mut file = FileWriter::create(&path, PackOptions::default()).unwrap();
    for (name, bytes) in samples::files() {
        file.add_source(name, &bytes[..]).unwrap();
    }
    file.finish(false).unwrap();
    let mapped = Archive::map(&path, Limits::default()).unwrap();
    let read = Archive::open_file(&path, Limits::default()).unwrap();
    let copied = Archive::new(std::fs::read(&path).unwrap()).unwrap();
    assert!(mapped.warnings().is_empty());
    for number in 1..=mapped.games() {
        let text = mapped.text(number).unwrap();
        assert!(text == read.text(number).unwrap() && text == copied.text(number).unwrap());
    }
    let mut again = FileWriter::create(&path, PackOptions::default()).unwrap();
    again.add_source("x.pgn", &b"1. e4 *\n"[..]).unwrap();
    assert_eq!(again.finish(false).unwrap_err().class(), ErrorClass::Io);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing but the archive is left");
}

/// A source of three games.
fn three_games() -> Vec<(String, Vec<u8>)> {
    one(&b"[White \"A\"]\n[Date \"2001.01.01\"]\n\n1. e4 e5 2. Nf3 {a} Nc6 1-0\n\n".repeat(3))
}

/// Copies of an archive in each of which one byte is changed, with the offsets.
fn changed(archive: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    let changes =
        (0..archive.len()).flat_map(|index| [1, 0x80, 0xff].map(|change| (index, change)));
    changes.map(|(index, change)| {
        let mut changed = archive.to_vec();
        changed[index] ^= change;
        (index, changed)
    })
}

/// Without parity, any single changed byte and any truncation of an archive is reported, without a
/// panic and without changed text.
#[test]
fn every_changed_byte_is_reported() {
    let sources = three_games();
    let archive = unprotected(pack(&sources, segments_of(100)).0);
    let cut = (0..archive.len()).map(|len| archive[..len].to_vec());
    let damaged = changed(&archive).map(|(_, changed)| changed);
    let mut lost = 0;
    for (number, damaged) in damaged.chain(cut).enumerate() {
        let Ok(open) = Archive::new(damaged) else {
            continue;
        };
        match unpack_all(&open) {
            Ok(unpacked) => {
                assert!(unpacked == sources, "case {number} gives other text");
                // Unpacking does not read indexes; `verify` does.
                let is_reported = !open.verify(|_| {}).is_empty() || !open.warnings().is_empty();
                assert!(is_reported, "case {number} is silent");
            }
            Err(_) => lost += 1,
        }
    }
    assert!(lost > 100, "parity mends what it should not");
}

#[test]
fn every_changed_byte_is_mended() {
    let sources = three_games();
    let (archive, _) = pack(&sources, segments_of(100));
    for (index, changed) in changed(&archive) {
        let open = Archive::new(changed).unwrap();
        assert!(unpack_all(&open).unwrap() == sources, "byte {index}");
        assert_eq!(open.verify(|_| {}).len(), 0, "byte {index}");
        assert!(!open.warnings().is_empty(), "byte {index}");
    }
}

/// Fragments of PGN and of other text.
const PIECES: [&str; 60] = [
    "[Event \"x\"]",
    "[White \"A, B\"]",
    "[Black \"C \\\"D\\\"\"]",
    "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]",
    "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"]",
    "[FEN \"1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 w GBgb - 3 20\"]",
    "[Odd  \"two\"]",
    "[Open \"x",
    "\n",
    "\r\n",
    "\n\n",
    "\r",
    " ",
    "  ",
    "\t",
    "1. ",
    "1.",
    "2. ",
    "12. ",
    "1... ",
    "e4",
    " e5",
    " Nf3",
    " Nc6",
    " Bb5",
    " a6",
    " 0-0",
    " O-O",
    " e8=Q",
    " Ng1f3",
    " e4+",
    " --",
    " Z0",
    " {c}",
    " {",
    "}",
    "{a\nb c}",
    "{[%clk 0:01:00]}",
    ";c\n",
    "%e\n",
    "(",
    ")",
    " (1. d4)",
    " $1",
    " $300",
    "!",
    "?!",
    "!!",
    " 1-0",
    " 0-1",
    " 1/2-1/2",
    " *",
    "\u{feff}",
    "\0",
    "\\",
    "\"",
    "é",
    "garbage",
    ".",
    "#",
];

proptest! {
    #[test]
    fn arbitrary_bytes_round_trip(sources: Vec<Vec<u8>>, segment_bytes in 1usize..400) {
        let named: Vec<(String, Vec<u8>)> =
            sources.into_iter().enumerate().map(|(n, bytes)| (format!("{n}.pgn"), bytes)).collect();
        let (archive, _) = pack(&named, segments_of(segment_bytes));
        prop_assert_eq!(unpack(&archive).unwrap(), named);
    }

    #[test]
    fn pgn_fragments_round_trip(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..120),
        segment_bytes in 1usize..4000,
    ) {
        let text = pieces.concat().into_bytes();
        let (archive, _) = pack(&one(&text), segments_of(segment_bytes));
        prop_assert_eq!(unpack(&archive).unwrap(), one(&text));
    }

    #[test]
    fn damaged_archives_never_panic(at: proptest::sample::Index, bytes: Vec<u8>) {
        let (mut archive, _) = pack(&one(b"[White \"A\"]\n\n1. e4 e5 {a} 1-0\n\n"), PackOptions::default());
        let at = at.index(archive.len());
        archive.splice(at..at, bytes);
        let _ = unpack(&archive);
    }
}

/// Packs each file of `PGNA_CORPORA` or `../shared/corpora` on its own, then all of them together.
#[test]
#[ignore = "reads large collections: cargo test --release --test it archive:: -- --ignored"]
fn corpora_round_trip() {
    let mut all = Vec::new();
    for (name, bytes) in corpora::files() {
        let source = one(&bytes);
        let (archive, report) = pack(&source, PackOptions::default());
        assert!(unpack(&archive).unwrap() == source, "{name}");
        println!(
            "{name}: {} games, {} -> {} bytes, {} patched, {:?}",
            report.games,
            bytes.len(),
            archive.len(),
            report.patched,
            report.verbatim
        );
        all.push((format!("{}.pgn", all.len()), bytes));
    }
    let (archive, report) = pack(&all, PackOptions::default());
    assert!(unpack(&archive).unwrap() == all, "all files together");
    println!(
        "all: {} sources, {} games, {} -> {} bytes",
        report.sources,
        report.games,
        report.raw_bytes,
        archive.len()
    );
}
