//! A FEN that is fully determined by its position is stored as that position if this is smaller.

use pgna::{Archive, PackOptions, Writer};

/// The name of the column.
const START_POSITIONS: &str = "start positions";

/// Packs a text and asserts that it round-trips.
fn pack(text: &[u8]) -> Archive {
    let mut writer = Writer::new(Vec::new(), PackOptions::default()).unwrap();
    writer.add_source("set-ups.pgn", text).unwrap();
    let archive = Archive::new(writer.finish().unwrap().0).unwrap();
    let texts: Vec<Vec<u8>> = archive.texts().map(Result::unwrap).collect();
    assert!(texts.concat() == text);
    archive
}

/// Games without moves from these positions.
fn games_from<'a>(fens: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let game = |fen| format!("[White \"A\"]\n[FEN \"{fen}\"]\n\n*\n\n");
    fens.into_iter().map(game).collect::<String>().into()
}

/// Start positions, with castling rights in both notations.
const STUDIES: [&str; 4] = [
    "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 b GBgb - 2 17",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
];

#[test]
fn canonical_fens_are_stored_as_positions() {
    let text = games_from(STUDIES);
    let archive = pack(&text);
    let sizes = archive.sizes().unwrap();
    assert!(sizes.columns[START_POSITIONS].blocks_bytes > 60);
    assert!(!sizes.columns.contains_key("[FEN]"), "all texts are gone");
    for (number, fen) in (1..).zip(STUDIES) {
        let fen = (b"FEN".to_vec(), fen.as_bytes().to_vec());
        assert_eq!(archive.head(number).unwrap().tags[1], fen);
        assert_eq!(archive.game(number).unwrap().tags[1], fen);
    }
}

#[test]
fn repeated_positions_use_a_dictionary() {
    let text = games_from([STUDIES, STUDIES].concat());
    let archive = pack(&text);
    let sizes = archive.sizes().unwrap();
    assert!(sizes.columns[START_POSITIONS].tables_bytes > 60);
    assert!(!sizes.columns.contains_key("[FEN]"));
}

/// Only the first FEN tag of a record can be a start position. Repeated FENs in later FEN tags must
/// stay in the dictionary as text.
#[test]
fn fens_of_later_tags_use_the_text_dictionary() {
    let texts = |other: &str| {
        let game = |fen: &str| {
            format!("[White \"A\"]\n[FEN \"?\"]\n[{other} \"{fen}\"]\n\n*\n\n").repeat(3)
        };
        many_fens().iter().map(|fen| game(fen)).collect::<String>()
    };
    let size = |text: String| {
        let archive = pack(text.as_bytes());
        archive
            .sizes()
            .unwrap()
            .columns
            .values()
            .map(|size| size.bytes())
            .sum::<u64>()
    };
    let (fen, other) = (size(texts("FEN")), size(texts("FAN")));
    assert!(fen < other + other / 10, "{fen} bytes, not about {other}");
}

/// Positions of two kings: one on each square of rank 8, with one on each square of rank 1.
fn many_fens() -> Vec<String> {
    let row = |file: usize, king| match file {
        0 => format!("{king}7"),
        7 => format!("7{king}"),
        file => format!("{file}{king}{}", 7 - file),
    };
    let files = (0..8).flat_map(|file| (0..8).map(move |other| (file, other)));
    let fen = |(file, other)| {
        format!(
            "{}/8/8/8/8/8/8/{} w - - 0 1",
            row(file, 'k'),
            row(other, 'K')
        )
    };
    files.map(fen).collect()
}

/// Start positions of Chess960, whose FENs are repetitive enough for zstd.
fn chess960() -> Vec<String> {
    let pairs = (0..4).flat_map(|first| (first + 1..4).map(move |second| (first, second)));
    let row = |(queen, (first, second)): (usize, (usize, usize))| {
        let mut row = vec!['n'; 4];
        (row[first], row[second]) = ('b', 'b');
        row.insert(queen, 'q');
        let row = format!("r{}kr", String::from_iter(row));
        let white = row.to_uppercase();
        format!("{row}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
    };
    let queens = (0..5).flat_map(|queen| pairs.clone().map(move |pair| (queen, pair)));
    queens.map(row).collect()
}

#[test]
fn fens_stay_text_if_that_is_smaller() {
    let fens = chess960();
    let fens = fens.iter().map(String::as_str);
    for text in [
        games_from(fens.clone()),
        games_from(fens.clone().chain(fens)),
    ] {
        let sizes = pack(&text).sizes().unwrap();
        assert!(!sizes.columns.contains_key(START_POSITIONS));
    }
}
