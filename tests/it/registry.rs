//! The numbers of the format that the documents of `spec` list match the constants of the code.

use pgna::internals::archive::registry as archive;
use pgna::internals::bits::{ByteReader, put_varint};
use pgna::internals::chess::Spelling;
use pgna::internals::container::{Container, registry};
use pgna::internals::pgn::{
    GameTree, GapSlot, Layout, LineEnding, Mark, Node, Patch, Wrap, WrapMode, render,
};
use pgna::{Archive, BuiltinModel, Bytes, Codec, Limits, PackOptions, VerbatimReason, Writer};
use std::collections::BTreeMap;
use strum::VariantArray;

const REGISTRY: &str = include_str!("../../spec/registry.md");
const PGN: &str = include_str!("../../spec/pgn.md");
const MOVES: &str = include_str!("../../spec/moves.md");
const ANNOTATIONS: &str = include_str!("../../spec/annotations.md");
const ARCHIVE: &str = include_str!("../../spec/archive.md");

/// The rows of the table under a heading of a document, without the table header.
fn rows(document: &str, heading: &str) -> Vec<Vec<String>> {
    let marker = format!("\n## {heading}\n");
    let section = document.split_once(&marker).map_or("", |(_, rest)| rest);
    section
        .lines()
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .map(cells)
        .collect()
}

fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|')
        .split('|')
        .map(|cell| cell.trim().trim_matches('`').to_owned())
        .collect()
}

/// The first `count` columns of the table under a heading of the registry.
fn columns(heading: &str, count: usize) -> Vec<Vec<String>> {
    let mut rows = rows(REGISTRY, heading);
    rows.iter_mut().for_each(|row| row.truncate(count));
    rows
}

fn strings<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> Vec<Vec<String>> {
    rows.into_iter().map(Vec::from).collect()
}

fn is_listed_once(rows: &[Vec<String>]) -> bool {
    let mut keys: Vec<_> = rows.iter().filter_map(|row| row.first()).collect();
    let rows = keys.len();
    keys.sort();
    keys.dedup();
    keys.len() == rows
}

#[test]
fn section_types() {
    let code = registry::SECTION_TYPES
        .iter()
        .chain(pgna::internals::index::SECTION_TYPES)
        .map(|(section_type, flags, name)| {
            let flags = flags.to_string();
            [section_type.to_string(), flags, (*name).to_owned()]
        });
    let text = columns("Section types", 3);
    assert_eq!(text, strings(code));
    assert!(is_listed_once(&text));
}

#[test]
fn table_kinds() {
    let kinds = registry::TABLE_KINDS.iter().chain(archive::TABLE_KINDS);
    let code = kinds.map(|(kind, name)| [kind.0.to_string(), (*name).to_owned()]);
    let text = columns("Table kinds", 2);
    assert_eq!(text, strings(code));
    assert!(is_listed_once(&text));
}

#[test]
fn container_table_kinds_are_reserved() {
    for (kind, name) in registry::TABLE_KINDS {
        assert!(*kind < registry::FIRST_UNRESERVED_TABLE_KIND, "{name}");
    }
    for (kind, name) in archive::TABLE_KINDS {
        assert!(*kind >= registry::FIRST_UNRESERVED_TABLE_KIND, "{name}");
    }
}

#[test]
fn block_columns() {
    let columns_of_code = archive::COLUMNS.iter();
    let mut code: Vec<_> = columns_of_code
        .map(|column| (column.id, column.name))
        .chain([(archive::FIRST_TAG, "tag *t*")])
        .collect();
    code.sort();
    let code = code
        .into_iter()
        .map(|(id, name)| match id == archive::FIRST_TAG {
            true => [format!("{} + *t*", id.0), name.to_owned()],
            false => [id.0.to_string(), name.to_owned()],
        });
    let mut text = rows(ARCHIVE, "3. The packed bytes of a block");
    text.iter_mut().for_each(|row| row.truncate(2));
    let after = text.split_off(archive::COLUMNS.len() + 1);
    assert_eq!(after[0][0], "type", "the table after that of the columns");
    assert_eq!(text, strings(code));
    assert!(is_listed_once(&text));
    for column in archive::COLUMNS {
        assert!(column.id < archive::FIRST_TAG, "{}", column.name);
    }
}

#[test]
fn codec_selectors() {
    let code = Codec::ALL.map(|codec| {
        let selector = codec.selector().to_string();
        [selector, codec.name().to_owned(), codec.form().to_owned()]
    });
    assert_eq!(rows(MOVES, "Selectors"), strings(code));
}

#[test]
fn models() {
    let hex = |model: BuiltinModel| blake3::Hash::from_bytes(model.digest()).to_string();
    let code = BuiltinModel::ALL.map(|model| [model.level().to_owned(), hex(model)]);
    assert_eq!(columns("Models", 2), strings(code));
}

#[test]
fn verbatim_reasons() {
    let code = VerbatimReason::ALL.map(|reason| {
        let number = (reason as u8).to_string();
        [number, reason.describe().to_owned()]
    });
    assert_eq!(rows(PGN, "11. The writer of this project"), strings(code));
    for number in 0..=u8::MAX {
        assert_eq!(
            VerbatimReason::from_number(number).is_some(),
            (1..=9).contains(&number)
        );
    }
}

#[test]
fn spelling_bits_and_suffixes() {
    let bits = [
        ("1", Spelling::FILE, "file"),
        ("2", Spelling::RANK, "rank"),
        ("4", Spelling::NO_CAPTURE, "no capture"),
        ("8", Spelling::NO_EQUALS, "no equals"),
        ("16", Spelling::ZEROS, "zeros"),
        ("32, 64", Spelling::SUFFIX, "suffix"),
        ("128", Spelling::SPURIOUS_CHECK, "spurious check"),
    ];
    let table = block_after("    value   name            effect where it is set\n");
    let shown = table
        .iter()
        .map(|line| (line[..8].trim(), line[8..24].trim()));
    let code = bits.map(|(shown, bit, name)| {
        assert!(shown.starts_with(&bit.to_string()), "{name}");
        (shown, name)
    });
    assert_eq!(shown.collect::<Vec<_>>(), code);
    let suffix = 2 * Spelling::SUFFIX;
    assert_eq!(
        bits.iter().fold(suffix, |all, (_, bit, _)| all | bit),
        u8::MAX
    );
    let [check, mate] = Spelling::SUFFIXES;
    let code = (0..4).map(|s| format!("{s}    {:7}\"{}\"", format!("\"{}\"", check[s]), mate[s]));
    assert_eq!(
        block_after("    s    check  mate\n"),
        code.collect::<Vec<_>>()
    );
}

/// The lines of `spec/pgn.md` from the one after `head` to a blank line, without their indentation.
fn block_after(head: &str) -> Vec<&'static str> {
    let (_, block) = PGN.split_once(head).unwrap();
    let lines = block.lines().take_while(|line| !line.is_empty());
    lines
        .map(|line| line.strip_prefix("    ").unwrap())
        .collect()
}

#[test]
fn slots() {
    let code = GapSlot::ALL.map(|(slot, name)| [(slot as u8).to_string(), name.to_owned()]);
    let mut text = rows(PGN, "5. Gaps");
    text.iter_mut().for_each(|row| row.truncate(2));
    assert_eq!(text, strings(code));
}

#[test]
fn layout_fields() {
    let listed = |names: Vec<(u8, &str)>| {
        let names = names
            .iter()
            .map(|(number, name)| format!("{number} {name}"));
        names.collect::<Vec<_>>().join(", ")
    };
    let endings = LineEnding::VARIANTS.iter();
    let endings = listed(
        endings
            .map(|ending| (*ending as u8, ending.into()))
            .collect(),
    );
    assert!(PGN.contains(&format!("line ending u8: {endings};")));
    let modes = WrapMode::VARIANTS.iter();
    let modes = listed(modes.map(|mode| (*mode as u8, mode.into())).collect());
    assert!(PGN.contains(&format!("wrap mode u8: {modes};")));
    let places = Wrap::FLAGS.map(|(place, name)| [place.to_string(), name.to_owned()]);
    assert_eq!(rows(PGN, "6. Layout"), strings(places));
}

/// The text of a node on its own.
fn text(node: Node<'_>) -> String {
    let tree = GameTree {
        nodes: vec![node],
        ..GameTree::default()
    };
    let layout = Layout::new(LineEnding::Lf, Wrap::NONE);
    let text = render(&tree, &layout, &Patch::default(), 100).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn results_and_glyphs() {
    let quoted = |nodes: &mut dyn Iterator<Item = Node<'static>>| {
        let texts = nodes.map(|node| format!("\"{}\"", text(node)));
        texts.collect::<Vec<_>>().join(" ")
    };
    let results = quoted(&mut (0..4).map(Node::Result));
    assert!(PGN.contains(&format!("    result n, 0 to 3     {results}\n")));
    let glyphs = quoted(&mut (1..7).map(Node::Glyph));
    assert!(PGN.contains(&format!("    glyph n, 1 to 6      {glyphs}\n")));
}

/// The first byte of a mark.
fn first_byte(mark: Mark) -> u8 {
    let mut bytes = Vec::new();
    mark.write(&mut bytes);
    bytes[0]
}

/// Marks with their first bytes, as `spec/annotations.md` lists them.
#[test]
fn marks() {
    let named = [
        (Mark::Comment, "comment"),
        (Mark::LineComment, "line comment"),
        (Mark::Nag(0), "NAG"),
        (Mark::Null, "null"),
        (Mark::Open, "open"),
        (Mark::Close, "close"),
        (Mark::Verbatim, "verbatim"),
    ];
    let (_, list) = ANNOTATIONS.split_once(", by its first byte:\n").unwrap();
    let (list, _) = list.split_once("\nAny other first byte").unwrap();
    for (mark, name) in named {
        assert!(
            list.contains(&format!(" {}   {name}", first_byte(mark))),
            "{name}"
        );
    }
    let range = |first, last| format!("{} to {} ", first_byte(first), first_byte(last));
    assert!(list.contains(&(range(Mark::Glyph(1), Mark::Glyph(6)) + "  glyph 1 to 6")));
    assert!(list.contains(&(range(Mark::Result(0), Mark::Result(3)) + "  result 0 to 3")));
    for byte in 0..=u8::MAX {
        let mark = Mark::read(&mut ByteReader::new(&[byte, 255]));
        let is_mark = mark.is_ok_and(|mark| mark.is_some());
        let is_listed = matches!(byte, 1..=7 | 17..=22 | 32..=35);
        assert_eq!(is_mark, is_listed, "{byte}");
    }
}

/// Section 4 of `spec/archive.md` says for each column what its value of a record is.
#[test]
fn each_column_has_a_described_value() {
    let rows = rows(ARCHIVE, "4. The values of a record");
    let named = rows.iter().flat_map(|row| row[0].split(", "));
    let mut named: Vec<&str> = named.filter(|name| *name != "tag *t*").collect();
    named.sort_unstable();
    let columns = archive::COLUMNS.iter();
    let mut code: Vec<&str> = columns.map(|column| column.name).collect();
    code.sort_unstable();
    assert_eq!(named, code);
}

/// The numbers that `spec/archive.md` calls unassigned.
fn unassigned_columns() -> Vec<u64> {
    let mut lines = ARCHIVE.lines();
    let list = lines.find_map(|line| Some(line.split_once(" are unassigned;")?.0));
    let ranges = list
        .unwrap()
        .split(", ")
        .flat_map(|part| part.split(" and "));
    let numbers = ranges.flat_map(|range| {
        let (first, last) = range.split_once(" to ").unwrap_or((range, range));
        first.parse().unwrap()..=last.parse().unwrap()
    });
    numbers.collect()
}

#[test]
fn unassigned_columns_are_those_without_a_name() {
    let is_assigned = |number: u64| archive::COLUMNS.iter().any(|row| row.id.0 == number);
    let code = (0..archive::FIRST_TAG.0).filter(|number| !is_assigned(*number));
    assert_eq!(unassigned_columns(), code.collect::<Vec<_>>());
}

/// The packed bytes of a block with one more column.
fn with_column(packed: &[u8], added: u64, bytes: &[u8]) -> Vec<u8> {
    let mut reader = ByteReader::new(packed);
    let (count, mut next) = (reader.varint().unwrap(), 0);
    let mut entries = Vec::new();
    for _ in 0..count {
        let number = next + reader.varint().unwrap();
        entries.push((number, reader.length().unwrap()));
        next = number + 1;
    }
    let read = |(number, length)| (number, reader.take(length).unwrap());
    let mut columns: BTreeMap<u64, &[u8]> = entries.into_iter().map(read).collect();
    assert_eq!(columns.insert(added, bytes), None, "the block has {added}");
    let (mut head, mut next) = (Vec::new(), 0);
    put_varint(&mut head, columns.len() as u64);
    for (number, column) in &columns {
        put_varint(&mut head, number - next);
        put_varint(&mut head, column.len() as u64);
        next = number + 1;
    }
    let columns: Vec<&[u8]> = columns.into_values().collect();
    [head, columns.concat()].concat()
}

/// A reader ignores columns whose number it does not know, and those of tag names that the segment
/// does not have.
#[test]
fn columns_without_a_name_are_ignored() {
    let text = b"[White \"A\"]\n[Black \"B\"]\n\n1. e4 {good} e5 *\n";
    let mut writer = Writer::new(Vec::new(), PackOptions::default()).unwrap();
    writer.add_source("a.pgn", &text[..]).unwrap();
    let (packed, ..) = writer.finish().unwrap();
    let (container, _) = Container::open(Bytes(&packed), Limits::default()).unwrap();
    let segment = container.segment(0).unwrap();
    let block = container.block(&segment, 0).unwrap();
    let with = |number, bytes: &[u8]| {
        let part = match archive::ColumnId(number).is_of_tags() {
            true => block.packed().tags,
            false => block.packed().movetext,
        };
        let forged = pgna_fuzz::forge(&packed, |content| {
            if content == part {
                *content = with_column(content, number, bytes);
            }
        });
        Archive::new(forged.unwrap()).unwrap()
    };
    let first_tag = archive::FIRST_TAG.0;
    let unnamed = [first_tag + 2, first_tag + (1 << 32), u64::MAX - 1];
    for number in unassigned_columns().into_iter().chain(unnamed) {
        let archive = with(number, &[0xff; 3]);
        assert_eq!(archive.text(1).unwrap(), text, "{number}");
        assert_eq!(archive.head(1).unwrap().plies, 2, "{number}");
        assert!(archive.verify(|_| ()).is_empty(), "{number}");
    }
    // The same bytes in a column that has a name.
    assert!(with(archive::LAYOUT.0, &[0xff; 3]).text(1).is_err());
}
