//! The worked examples of the specification, valid and invalid.

use super::*;
use crate::codec::distributions::{SymbolCoder, SymbolContext, SymbolReader, SymbolWriter};
use crate::codec::range::{Decoder, Encoder};
use crate::codec::string_list::StringList;
use crate::limits::Limits;
use crate::testing::examples;

const FIELDS: &str = include_str!("../../spec/fields.md");

const RECORDS: usize = 3;

fn fields() -> Vec<Field> {
    // Two columns of ratings, then one of dates.
    let plans = examples::shown(FIELDS, "plans");
    let mut fields = read_plans(&plans).expect("plans");
    assert_eq!(write_plans(&fields), plans);
    for field in &mut fields {
        let tables = FieldTables::default();
        field.read(tables, 0, &mut Limits::default()).expect("none");
    }
    fields
}

fn sides(field: &Field, texts: [&[&str]; 2]) -> FieldCells {
    let cell = |text: &&str| match field.plan.shape.parse(text.as_bytes()) {
        Some(number) => FieldValue::Number(number),
        None => FieldValue::Absent,
    };
    let cells = texts.map(|texts| texts.iter().map(cell).collect());
    FieldCells::new(cells, StringList::default())
}

fn write(field: &Field, sides: &FieldCells) -> Vec<Vec<u8>> {
    let mut encoders = vec![Encoder::new(); field.sides()];
    let mut writers: Vec<_> = encoders
        .iter_mut()
        .map(|encoder| SymbolWriter(&field.distributions, encoder))
        .collect();
    let has = |side, record| sides.has(side, record);
    code_field(
        field,
        &[],
        &BlockCells::new(),
        &mut writers,
        has,
        &CodingInput::for_writer(sides),
    )
    .expect("written");
    encoders.into_iter().map(Encoder::finish).collect()
}

/// Reads a column of dates to its end.
fn read_dates(field: &Field, bytes: &[u8]) -> Result<Vec<FieldValue>, String> {
    let mut decoder = Decoder::new(bytes);
    let mut readers = [SymbolReader(&field.distributions, &mut decoder)];
    let given = CodingInput::for_reader(RECORDS);
    let has = |_, _| true;
    let sides = code_field(field, &[], &BlockCells::new(), &mut readers, has, &given);
    let sides = sides.map_err(|error| error.to_string())?;
    decoder.finish().map_err(|error| error.to_string())?;
    Ok((0..RECORDS).map(|record| sides.cell(0, record)).collect())
}

/// Checks that the specification shows these bytes as examples.
fn assert_in_spec(examples: &[(&str, Vec<u8>)]) {
    let missing = examples
        .iter()
        .filter_map(|(name, bytes)| examples::missing(FIELDS, name, bytes));
    let missing: Vec<String> = missing.collect();
    assert!(missing.is_empty(), "spec lacks\n{}", missing.join("\n"));
}

const DATES: [&str; RECORDS] = ["2024.01.05", "2024.01.05", "2024.??.??"];

#[test]
fn worked_fields() {
    let fields = fields();
    let ratings = [&["1500", "1612", "1620"][..], &["1620", "", "1500"]];
    let [white, black] = &write(&fields[0], &sides(&fields[0], ratings))[..] else {
        panic!("two columns");
    };
    let dates = sides(&fields[1], [&DATES, &[]]);
    let written = write(&fields[1], &dates);
    let read = read_dates(&fields[1], &written[0]).expect("read");
    assert_eq!(read, dates.cells[0]);
    assert_in_spec(&[
        ("white", white.clone()),
        ("black", black.clone()),
        ("dates", written[0].clone()),
    ]);
}

#[test]
fn invalid_streams_are_refused() {
    let fields = fields();
    let dates = &fields[1];
    let at = |family| SymbolContext::only(family);
    let faults = [
        ("predicts-nothing", vec![(at(0), 0)]),
        ("nothing-recent", vec![(at(0), 1), (at(3), 0)]),
        ("no-entry", vec![(at(0), 3), (at(2), 0)]),
        ("literal-too-long", vec![(at(0), 4), (at(4), 1)]),
    ];
    let streams = faults.map(|(name, symbols)| {
        let mut encoder = Encoder::new();
        let mut writer = SymbolWriter(&dates.distributions, &mut encoder);
        for (place, symbol) in symbols {
            writer.symbol(place, symbol).expect("a symbol");
        }
        writer.bits(8, 0xff).expect("bits");
        (name, encoder.finish())
    });
    for (name, bytes) in &streams {
        let error = read_dates(dates, bytes).expect_err(name);
        assert!(!error.contains("shortest"), "{name}: {error}");
    }
    assert_in_spec(&streams);
    let mut longer = write(dates, &sides(dates, [&DATES, &[]]))[0].clone();
    longer.push(1);
    read_dates(dates, &longer).expect_err("not what a range coder gives");
}
