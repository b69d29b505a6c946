use super::*;
use crate::codec::distributions::{
    Distributions, SymbolCounter, SymbolReader, SymbolWriter, Tally,
};
use crate::codec::range::{Decoder, Encoder};
use crate::limits::Limits;
use proptest::prelude::*;
use std::ops::Range;
use std::sync::LazyLock;

/// A table of records: for each record, the value of each column.
type Rows = Vec<Vec<Option<String>>>;

fn named(names: &[&str]) -> Vec<SegmentColumn> {
    let numbers = SegmentColumn {
        number: 3,
        name: None,
        is_apart: false,
        may_use_book: false,
    };
    let named = (32..).zip(names).map(|(number, name)| SegmentColumn {
        number,
        name: Some(name.as_bytes().to_vec()),
        is_apart: false,
        may_use_book: true,
    });
    std::iter::once(numbers).chain(named).collect()
}

fn value(rows: &Rows, column: usize, record: usize) -> ColumnValue<'_> {
    match column.checked_sub(1) {
        // A column of numbers: the number of values in the record.
        None => ColumnValue::Number(rows[record].iter().flatten().count() as u64),
        Some(at) => rows[record][at]
            .as_ref()
            .map_or(ColumnValue::Absent, |text| {
                ColumnValue::Text(text.as_bytes())
            }),
    }
}

/// Writes and reads the tables of fields.
fn reread(fields: &[Field], learned: &[LearnedTables<'_>]) -> Vec<Field> {
    let mut read = read_plans(&write_plans(fields)).unwrap();
    for ((field, written), learned) in read.iter_mut().zip(fields).zip(learned) {
        let tables = FieldTables {
            distributions: &learned.distributions,
            ranks: &learned.ranks,
            map: &written.write_map(),
            openings: &written.write_openings(),
        };
        let entries = learned.ids.len();
        field.read(tables, entries, &mut Limits::default()).unwrap();
        assert_eq!((&field.plan, &field.map), (&written.plan, &written.map));
        assert_eq!(field.book, written.book);
    }
    read
}

/// The bytes of a field's columns.
fn write(fields: &[Field], number: usize, cells: &[FieldCells]) -> Vec<Vec<u8>> {
    let (field, before) = (&fields[number], &fields[..number]);
    let (block_cells, sides) = (BlockCells::of(cells), &cells[number]);
    if is_fully_predicted(field, before, &block_cells, sides) {
        return vec![Vec::new(); field.sides()];
    }
    let mut encoders = vec![Encoder::new(); field.sides()];
    let mut writers: Vec<_> = encoders
        .iter_mut()
        .map(|encoder| SymbolWriter(&field.distributions, encoder))
        .collect();
    let has = |side, record| sides.has(side, record);
    code_field(
        field,
        before,
        &block_cells,
        &mut writers,
        has,
        &CodingInput::for_writer(sides),
    )
    .unwrap();
    encoders.into_iter().map(Encoder::finish).collect()
}

/// Reads the first records of a field.
fn read(
    fields: &[Field],
    number: usize,
    known: &[FieldCells],
    bytes: &[Vec<u8>],
    has: impl Fn(usize, usize) -> bool,
    records: usize,
) -> Result<FieldCells, crate::codec::distributions::DistributionError> {
    let (field, before) = (&fields[number], &fields[..number]);
    let block_cells = BlockCells::of(known);
    if bytes.iter().all(Vec::is_empty) {
        return predict_field(field, before, &block_cells, has, records);
    }
    let mut decoders: Vec<Decoder<'_>> = bytes.iter().map(|bytes| Decoder::new(bytes)).collect();
    let mut readers: Vec<_> = decoders
        .iter_mut()
        .map(|decoder| SymbolReader(&field.distributions, decoder))
        .collect();
    let given = CodingInput {
        max_literal_bytes: 10_000,
        ..CodingInput::for_reader(records)
    };
    code_field(field, before, &block_cells, &mut readers, has, &given)
}

/// Learns plans, writes all blocks, and reads them in full and in part.
fn check(names: &[&str], rows: &Rows, block: usize) -> Vec<Field> {
    let columns = named(names);
    let starts = (0..rows.len()).step_by(block);
    let blocks: Vec<Range<usize>> = starts
        .map(|start| start..(start + block).min(rows.len()))
        .collect();
    let input = SegmentColumns {
        columns: &columns,
        blocks: &blocks,
        keys: &[],
        value: |column, record| value(rows, column, record),
    };
    let (fields, learned) = learn_fields(&input, &Limits::default());
    let fields = reread(&fields, &learned);
    for range in &blocks {
        let cells = block_cells(&input, &fields, &learned, range.clone());
        let mut known: Vec<FieldCells> = Vec::new();
        for (number, (field, expected)) in fields.iter().zip(&cells).enumerate() {
            let bytes = write(&fields, number, &cells);
            let has = |side, record| expected.has(side, record);
            for records in [range.len(), range.len() / 2] {
                let sides = read(&fields, number, &known, &bytes, has, records).unwrap();
                for (side, record) in (0..2).flat_map(|s| (0..records).map(move |r| (s, r))) {
                    assert_eq!(sides.cell(side, record), expected.cell(side, record));
                    if let FieldValue::Literal(literal) = expected.cell(side, record) {
                        assert_eq!(sides.literal(literal), expected.literal(literal));
                    }
                }
            }
            let mut sides = read(&fields, number, &known, &bytes, has, range.len()).unwrap();
            if field.is_link_key {
                sides.link_previous();
            }
            known.push(sides);
        }
    }
    fields
}

fn rows(texts: impl IntoIterator<Item = Vec<String>>) -> Rows {
    let row = |texts: Vec<String>| texts.into_iter().map(Some).collect();
    texts.into_iter().map(row).collect()
}

/// Players without a pattern, a rating for each, and columns that others determine.
fn tournament() -> Rows {
    rows((0..600usize).map(|n| {
        let (white, black) = (n * n % 331 * 7 % 40, (n * n % 337 * 11 + 3) % 40);
        vec![
            format!("Player {white}"),
            format!("Player {black}"),
            format!("{}", 2000 + 31 * white + n / 300),
            format!("{}", 2000 + 31 * black + n / 300),
            format!("2013.{:02}.{:02}", n / 90 + 1, n / 9 % 28 + 1),
            format!("2013-{:02}-{:02}", n / 90 + 1, n / 9 % 28 + 1),
            format!("{}.{}", n / 9 + 1, n % 9 + 1),
            format!("https://example.org/{}", 1_000_000 + 17 * n),
            format!("{}{}", ["+", "-"][n % 2], n * n % 331 + 1),
        ]
    }))
}

const NAMES: [&str; 9] = [
    "White", "Black", "WhiteElo", "BlackElo", "Date", "Day", "Round", "Link", "Change",
];

#[test]
fn predictors_are_found() {
    let fields = check(&NAMES, &tournament(), 128);
    let of = |column: u64| {
        fields
            .iter()
            .find(|field| field.columns[0] == column)
            .unwrap()
    };
    assert_eq!(of(32).columns, [32, 33]);
    assert_eq!(of(34).columns, [34, 35]);
    // Ratings follow from players and players from ratings: the field that comes first
    // predicts the other.
    let (players, ratings) = (&of(32).plan, &of(34).plan);
    let names = |field: usize, column: u64| fields[field].columns[0] == column;
    let by_players = ratings.fields().any(|field| names(field, 32));
    let by_ratings = players.fields().any(|field| names(field, 34));
    assert!(by_players || by_ratings, "{players:?} {ratings:?}");
    assert_eq!(of(36).plan.shape, TextShape::Date(b'.'));
    assert_eq!(of(37).plan.shape, TextShape::Date(b'-'));
    let by_date = matches!(of(37).plan.base, Some(NumberBase::Of(_)));
    assert!(by_date, "{:?}", of(37).plan);
    assert_eq!(of(38).plan.shape, TextShape::Round);
    assert_eq!(
        of(39).plan.shape,
        TextShape::Decimal(b"https://example.org/".to_vec())
    );
    assert_eq!(of(39).plan.base, Some(NumberBase::Previous));
}

#[test]
fn constant_fields_take_no_space() {
    let rows = rows((0..300).map(|_| vec!["always".to_owned()]));
    let fields = check(&["Event"], &rows, 256);
    assert_eq!(
        fields[1].plan.predictors.first(),
        Some(&ValuePredictor::Constant(1))
    );
}

#[test]
fn long_texts_are_literals() {
    let long = |n: usize| vec![format!("{n}").repeat(n % 400)];
    check(&["Annotation"], &rows((0..30).map(long)), 10);
}

#[test]
fn plans_that_name_later_fields_are_refused() {
    let fields = check(&NAMES, &tournament(), 128);
    let mut bytes = write_plans(&fields);
    assert!(read_plans(&bytes).is_ok());
    let mut plan = FieldPlan::with_shape(TextShape::Text);
    plan.predictors.push(ValuePredictor::Last(fields.len()));
    bytes.extend([1, 99]);
    plan.write(&mut bytes);
    assert!(matches!(read_plans(&bytes), Err(PlanError::Invalid(_))));
    assert!(read_plans(&[1]).is_err());
    assert!(read_plans(&[3, 1, 1, 1]).is_err());
}

#[test]
fn invalid_values_are_refused() {
    let mut field = Field {
        columns: vec![32],
        plan: FieldPlan::with_shape(TextShape::Time),
        ..Field::default()
    };
    let families = field.plan.families(1);
    let table = Tally::new(&families).fit();
    field.distributions = Distributions::read(&table, &families, &Limits::default()).unwrap();
    // There is no predictor and no recent value.
    assert!(read(&[field.clone()], 0, &[], &[Vec::new()], |_, _| true, 1).is_err());
    assert!(read(&[field.clone()], 0, &[], &[vec![1]], |_, _| true, 1).is_err());
    // An entry of an empty dictionary.
    assert!(read(&[field], 0, &[], &[vec![0x90]], |_, _| true, 1).is_err());
}

const CODES: [&str; 10] = [
    "Sicilian", "French", "Dutch", "Slav", "Pirc", "", "", "", "", "Bird",
];

/// One of five openings, without a pattern.
fn opening(game: usize) -> usize {
    game * game % 331 * 7 % 53 % 5
}

#[test]
fn values_are_predicted_from_the_opening() {
    let columns = named(&["Code", "Place"]);
    let rows: Rows = (0..600usize)
        .map(|n| {
            let code = if n % 50 == 0 { 9 } else { opening(n) };
            vec![Some(CODES[code].to_owned()), Some(format!("P{}", n / 60))]
        })
        .collect();
    let key = |n: usize| u32::try_from(n).unwrap().wrapping_mul(0x9e37_79b9);
    let keys: Vec<Vec<u32>> = (0..600)
        .map(|n| vec![7, key(opening(n) + 1), key(n + 100)])
        .collect();
    let keys: Vec<&[u32]> = keys.iter().map(Vec::as_slice).collect();
    let learned = |may_follow: bool| {
        let columns: Vec<SegmentColumn> = columns
            .iter()
            .map(|column| SegmentColumn {
                may_use_book: may_follow,
                ..column.clone()
            })
            .collect();
        let input = SegmentColumns {
            columns: &columns,
            blocks: &[0..300, 300..600],
            keys: &keys,
            value: |column, record| value(&rows, column, record),
        };
        let (fields, learned) = learn_fields(&input, &Limits::default());
        let fields = reread(&fields, &learned);
        let cells = block_cells(&input, &fields, &learned, 0..600);
        (fields, cells)
    };
    let (fields, cells) = learned(true);
    let at = fields
        .iter()
        .position(|field| field.columns == [32])
        .unwrap();
    let plain = learned(false).1;
    for (record, key) in keys.iter().enumerate() {
        let (cell, real) = (cells[at].cell(0, record), plain[at].cell(0, record));
        assert_eq!(
            cell == FieldValue::Opening,
            record % 50 != 0,
            "record {record}"
        );
        if cell == FieldValue::Opening {
            assert_eq!(fields[at].predict_from_book(key), Some(real));
        }
    }
    let bytes = write(&fields, at, &cells);
    let has = |_, _| true;
    let back = read(&fields, at, &cells, &bytes, has, 600).unwrap();
    assert!((0..600).all(|record| back.cell(0, record) == cells[at].cell(0, record)));
    let place = fields.iter().find(|field| field.columns == [33]).unwrap();
    assert_eq!(place.book, OpeningBook::default());
}

fn any_rows() -> impl Strategy<Value = Rows> {
    let text = prop_oneof![
        4 => "[a-c]{1,2}",
        2 => "[0-9]{1,4}",
        1 => "[+-][0-9]{1,2}",
        1 => "20[0-9]{2}\\.[0-9?]{2}\\.[0-9?]{2}",
        1 => "[0-9]\\.[0-9]",
        1 => ".{0,300}",
    ];
    let row = prop::collection::vec(prop::option::weighted(0.9, text), 5);
    prop::collection::vec(row, 1..60)
}

proptest! {
    #[test]
    fn any_texts_round_trip(rows in any_rows(), block in 1usize..40) {
        check(&["White", "Black", "WhiteElo", "BlackElo", "Date"], &rows, block);
    }

    #[test]
    fn any_plans_are_safe(bytes in prop::collection::vec(0u8..9, 0..60)) {
        if let Ok(fields) = read_plans(&bytes) {
            prop_assert_eq!(write_plans(&fields), bytes);
        }
    }

    #[test]
    fn any_columns_are_safe(
        bytes in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 12),
        empty in any::<u16>(),
    ) {
        static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
            let tournament = tournament();
            let columns = named(&NAMES);
            let input = SegmentColumns {
                columns: &columns,
                blocks: &[0..300, 300..600],
                keys: &[],
                value: |column, record| value(&tournament, column, record),
            };
            learn_fields(&input, &Limits::default()).0
        });
        let fields = &*FIELDS;
        let mut known: Vec<FieldCells> = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            let mut columns = bytes.clone();
            columns.rotate_left(number);
            columns.truncate(field.sides());
            if empty >> number & 1 == 1 {
                columns.iter_mut().for_each(Vec::clear);
            }
            let sides = read(fields, number, &known, &columns, |_, _| true, 60);
            let mut sides = sides.unwrap_or_default();
            sides.link_previous();
            known.push(sides);
        }
    }
}

#[test]
fn counting_covers_every_context() {
    let rows = tournament();
    let columns = named(&NAMES);
    let input = SegmentColumns {
        columns: &columns,
        blocks: std::slice::from_ref(&(0..600)),
        keys: &[],
        value: |column, record| value(&rows, column, record),
    };
    let (fields, learned) = learn_fields(&input, &Limits::default());
    let cells = block_cells(&input, &fields, &learned, 0..600);
    for (number, field) in fields.iter().enumerate() {
        let mut tally = Tally::new(&field.plan.families(field.sides()));
        let sides = &cells[number];
        let has = |side, record| sides.has(side, record);
        let counted = code_field(
            field,
            &fields[..number],
            &BlockCells::of(&cells),
            &mut [SymbolCounter(&mut tally)],
            has,
            &CodingInput::for_writer(sides),
        );
        assert!(counted.is_ok(), "field {number}");
    }
}
