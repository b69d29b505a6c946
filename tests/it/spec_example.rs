//! The worked examples of `spec/pgn.md`, `spec/archive.md` and `spec/index.md` match the output of
//! the code and decode to their records.

use crate::examples::{assert_shown, shown};
use pgna::internals::archive::registry::{
    LAYOUTS, NOTATION, NOTATION_DISTRIBUTIONS, ROSTERS, TAG_NAMES,
};
use pgna::internals::bits::ByteReader;
use pgna::internals::chess::{ChessPosition, Color, Rules, SanText, Setup, Square};
use pgna::internals::container::{Container, Tables};
use pgna::internals::index::{
    Found, IndexBuilder, IndexLine, IndexMoves, IndexSections, NameHash, SearchScope, Visits,
    name_cells,
};
use pgna::internals::pgn::{Layout, LayoutLearner, Lexeme, Patch, Scanner, encode, parse, render};
use pgna::internals::position::PositionCode;
use pgna::{Archive, Bytes, Codec, Limits, PackOptions, PositionTest, Writer};

const PGN: &str = include_str!("../../spec/pgn.md");
const ARCHIVE: &str = include_str!("../../spec/archive.md");
const INDEX: &str = include_str!("../../spec/index.md");

const RECORD: &str = r#"[White "Greco"]
[Black "NN"]

1. e4 e5 2. Ng1f3 Nc6 {Two knights} 3. Bc4
Bc5 5. 0-0 Nf6 1-0
"#;

/// A game with a start position and variations, one of them illegal.
const SET_UP: &str = r#"[White "A"]
[FEN "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"]

1. O-O (1. e4 Kd7 (1... Ke7) 2. e5) 1... Kd7 (1... Kh1 2. Kg2) 2. Kg2 *
"#;

#[test]
fn specs_show_the_records() {
    for (spec, record) in [(PGN, RECORD), (ARCHIVE, SET_UP)] {
        let indented: Vec<String> = record
            .lines()
            .map(|line| format!("    {line}").trim_end().to_owned())
            .collect();
        assert!(spec.contains(&indented.join("\n")));
    }
}

#[test]
fn the_pgn_example_matches_the_encoder() {
    let record = RECORD.as_bytes();
    let lexemes: Vec<Lexeme> = Scanner::new(record).collect();
    let parsed = parse(record, &lexemes);
    assert_eq!(parsed.verbatim_reason, None);
    let mut learner = LayoutLearner::default();
    let group = learner.assign(record, &lexemes);
    let learned = learner.finish();
    assert_eq!(learned.layout_of(group), Some(0));
    let mut layout = Vec::new();
    learned.layouts[0].write(&mut layout);
    assert_shown(PGN, "layout", &layout);
    let encoded = encode(record, &parsed, &learned.layouts[0]).unwrap();
    let mut patch = Vec::new();
    encoded.patch.write(&mut patch);
    assert_shown(PGN, "patch", &patch);
}

#[test]
fn the_pgn_example_decodes_to_the_record() {
    let record = RECORD.as_bytes();
    let lexemes: Vec<Lexeme> = Scanner::new(record).collect();
    let tree = parse(record, &lexemes).tree;
    let layout = shown(PGN, "layout");
    let layout = Layout::read(&mut ByteReader::new(&layout))
        .unwrap()
        .unwrap();
    let patch = shown(PGN, "patch");
    let patch = Patch::read(&patch).unwrap();
    let text = render(&tree, &layout, &patch, record.len()).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), RECORD);
}

/// Packs a record. Returns the tables, and the packed tags and movetext of its block, and asserts
/// that the record round-trips.
fn pack(record: &str, codec: Codec) -> (Tables, [Vec<u8>; 2]) {
    let options = PackOptions {
        codecs: vec![codec],
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("example.pgn", record.as_bytes()).unwrap();
    let (archive, ..) = writer.finish().unwrap();
    let (container, _) = Container::open(Bytes(&archive), Limits::default()).unwrap();
    let segment = container.segment(0).unwrap();
    let tables = container.tables(&segment).unwrap();
    let block = container.block(&segment, 0).unwrap();
    let text = Archive::new(&archive[..]).unwrap().text(1).unwrap();
    assert_eq!(text, record.as_bytes());
    let packed = block.packed();
    (tables, [packed.tags, packed.movetext].map(<[u8]>::to_vec))
}

fn holds(block: &[u8], bytes: &[u8]) -> bool {
    block.windows(bytes.len()).any(|window| window == bytes)
}

#[test]
fn the_archive_example_matches() {
    let (tables, [tags, movetext]) = pack(RECORD, Codec::HuffmanElided);
    assert_shown(ARCHIVE, "tag-names", tables.get(TAG_NAMES, 0).unwrap());
    assert_shown(ARCHIVE, "rosters", tables.get(ROSTERS, 0).unwrap());
    assert_shown(ARCHIVE, "layouts", tables.get(LAYOUTS, 0).unwrap());
    assert_shown(ARCHIVE, "notation", tables.get(NOTATION, 0).unwrap());
    let distributions = tables.get(NOTATION_DISTRIBUTIONS, 0).unwrap();
    assert_shown(ARCHIVE, "notation-distributions", distributions);
    assert_shown(ARCHIVE, "tags", &tags);
    assert_shown(ARCHIVE, "movetext", &movetext);
    // A column of one literal: its number, its length, its bytes.
    for (name, len) in [("spelling exceptions", 2), ("patch", 6)] {
        let column = [&[2, 0, 0, 2, 0, len, 0], &shown(PGN, name)[..]].concat();
        assert!(holds(&movetext, &column), "{name}");
    }
}

#[test]
fn a_column_in_the_wrong_part_is_refused() {
    let mut writer = Writer::new(Vec::new(), PackOptions::default()).unwrap();
    writer.add_source("example.pgn", RECORD.as_bytes()).unwrap();
    let (archive, ..) = writer.finish().unwrap();
    let (container, _) = Container::open(Bytes(&archive), Limits::default()).unwrap();
    let segment = container.segment(0).unwrap();
    let tags = container.block_tags(&segment, 0).unwrap();
    let read = |tags_instead: &[u8]| {
        let forged = pgna_fuzz::forge(&archive, |content| {
            if *content == tags {
                *content = tags_instead.to_vec();
            }
        });
        Archive::new(forged.unwrap()).unwrap().text(1)
    };
    assert_eq!(read(&tags).unwrap(), RECORD.as_bytes());
    let error = read(&shown(ARCHIVE, "tags, wrong")).unwrap_err();
    assert!(error.to_string().contains("wrong part"), "{error}");
}

#[test]
fn the_start_position_example_matches() {
    let (tables, [tags, movetext]) = pack(SET_UP, Codec::Radix);
    let notation = tables.get(NOTATION, 0).unwrap();
    assert_shown(ARCHIVE, "notation", notation);
    let distributions = tables.get(NOTATION_DISTRIBUTIONS, 0).unwrap();
    assert_shown(
        ARCHIVE,
        "notation-distributions-of-the-set-up",
        distributions,
    );
    assert_shown(ARCHIVE, "tags-of-the-set-up", &tags);
    assert_shown(ARCHIVE, "movetext-of-the-set-up", &movetext);
    let set_up = Setup::from_fen(b"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1").unwrap();
    let set_up = PositionCode::Combined.encode(&set_up).unwrap();
    assert_shown(ARCHIVE, "set-up", set_up.bytes());
    assert!(holds(&tags, set_up.bytes()));
}

/// Each move is listed with its index in canonical order and the number of legal moves.
#[test]
fn the_radix_digits_match() {
    let shows = |sans: &[&str]| {
        let start = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
        let mut position = ChessPosition::from_fen(start.as_bytes(), Rules::CHESS).unwrap();
        for san in sans {
            let text = SanText::parse(san.as_bytes()).unwrap();
            let (ply, _) = position.read(&text).unwrap();
            let choice = position.play_numbered(ply).unwrap();
            let digit = format!("`{san}` {} of {}", choice.index, choice.count);
            assert!(ARCHIVE.contains(&digit), "{digit}");
        }
    };
    shows(&["O-O", "Kd7", "Kg2"]);
    shows(&["e4", "Kd7", "e5"]);
    shows(&["e4", "Ke7"]);
}

/// Eight games that share two plies, and one that the indexes do not cover.
const LINES: [Option<&str>; 9] = [
    Some("e4 e5 Nf3 Nc6 Bc4 Bc5"),
    Some("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6"),
    None,
    Some("e4 e5 Nf3 d5 exd5 Ke7"),
    Some("e4 e5"),
    Some("e4 e5"),
    Some("e4 e5"),
    Some("e4 e5"),
    Some("e4 e5"),
];

/// Four games that share no line.
const VISITING: [&str; 4] = [
    "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O",
    "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O",
    "Nf3 d5 Ne5",
    "c4",
];

fn line(game: &str) -> IndexMoves {
    let mut position = ChessPosition::standard();
    let plies = game.split(' ').map(|san| {
        let text = SanText::parse(san.as_bytes()).unwrap();
        position.play_text(&text).unwrap().0
    });
    IndexMoves::Line(IndexLine::new(plies, false).unwrap())
}

#[test]
fn the_index_example_matches() {
    let from = Setup::from_fen(b"4k3/8/8/8/8/8/4P3/4K3 w - -").unwrap();
    let outside = IndexMoves::Outside(vec![from.skeleton().pawns]);
    let lines = LINES.map(|game| game.map_or(outside.clone(), line));
    for game in LINES.into_iter().flatten() {
        assert!(INDEX.contains(&format!("    {game}\n")), "{game}");
    }
    let limits = Limits::default();
    let builder = IndexBuilder::new(&lines).unwrap();
    let sections = builder.full_sections(&limits).unwrap();
    assert_shown(INDEX, "openings", &sections.openings);
    assert_shown(INDEX, "continuations", &sections.continuations);
    assert_shown(INDEX, "structures", &sections.structures);
    let index = sections.index(9, &limits).unwrap();
    let scope = SearchScope {
        in_variations: false,
        without_places: false,
    };

    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -";
    let knights = [PositionTest::exact(fen).unwrap()];
    let found = index.search(&sections, &knights[..], scope);
    let found_at = [(0, Found::Ply(4)), (1, Found::Ply(4))];
    assert_eq!(found, Ok(found_at.to_vec()));
    let fen = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq -";
    let pawn = [PositionTest::exact(fen).unwrap()];
    let found_at = [(1, Found::Ply(6))];
    assert_eq!(
        index.search(&sections, &pawn[..], scope),
        Ok(found_at.to_vec())
    );
    let wrong = |change: fn(&mut IndexSections) -> (&mut Vec<u8>, &str)| {
        let mut wrong = sections.clone();
        let (section, name) = change(&mut wrong);
        *section = shown(INDEX, name);
        let index = wrong.index(9, &limits).unwrap();
        assert!(index.search(&wrong, &pawn[..], scope).is_err());
    };
    wrong(|sections| (&mut sections.openings, "openings, wrong"));
    wrong(|sections| (&mut sections.continuations, "continuations, wrong tail"));
    wrong(|sections| (&mut sections.continuations, "continuations, wrong plies"));
    wrong(|sections| (&mut sections.structures, "structures, wrong"));
}

#[test]
fn the_example_of_names_matches() {
    let names = ["Müller, K", "A", "B"];
    let cells = name_cells(names.map(|name| NameHash::of(name.as_bytes())).to_vec());
    assert_eq!(cells.len(), 256);
    let set = (0..=u8::MAX).zip(cells).filter(|(_, cell)| *cell != 0);
    let set: Vec<u8> = set.flat_map(|(row, cell)| [row, cell]).collect();
    assert_shown(ARCHIVE, "names", &set);
}

#[test]
fn the_example_of_visits_matches() {
    for game in VISITING {
        assert!(INDEX.contains(&format!("    {game}\n")), "{game}");
    }
    let limits = Limits::default();
    let lines = VISITING.map(line);
    let builder = IndexBuilder::new(&lines).unwrap();
    let visits = builder.full_sections(&limits).unwrap().visits;
    assert_shown(INDEX, "visits", &visits);
    let visits = Visits::parse(&visits, lines.len(), &limits).unwrap();
    let knight = visits.games_with(Color::White.knight(), Square::E5);
    assert!(knight.unwrap().iter_ones().eq([2]));
    let castled = visits.games_castling(|[white, _]| white.is_some());
    assert!(castled.iter_ones().eq([0, 1]));
    let wrong = shown(INDEX, "visits, wrong");
    assert!(Visits::parse(&wrong, lines.len(), &limits).is_err());
}
