//! Arbitrary bytes as the plans of fields, their tables and their columns: no panic, and no memory
//! beyond the limits.

use crate::archives::small_limits;
use pgna::internals::codec::distributions::SymbolReader;
use pgna::internals::codec::range::Decoder;
use pgna::internals::columns::{
    BlockCells, CodingInput, FieldCells, FieldTables, FieldValue, code_field, predict_field,
    read_plans,
};

/// The assumed number of entries of every dictionary.
const ENTRIES: usize = 20;
const MAX_BYTES: usize = 1 << 16;

pub(super) fn check(data: &[u8]) {
    let Some(([plans, table, records], bytes)) = data.split_first_chunk::<3>() else {
        return;
    };
    let (plans, rest) = split(bytes, *plans);
    let Ok(mut fields) = read_plans(plans) else {
        return;
    };
    let (tables, columns) = split(rest, *table);
    let (distributions, rest) = split(tables, 128);
    let (ranks, rest) = split(rest, 85);
    let (map, openings) = split(rest, 128);
    let tables = FieldTables {
        distributions,
        ranks,
        map,
        openings,
    };
    let mut limits = small_limits();
    for field in &mut fields {
        if field.read(tables, ENTRIES, &mut limits).is_err() {
            return;
        }
    }
    let mut known: Vec<FieldCells> = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        let block_cells = BlockCells::of(&known);
        let has = |side: usize, record: usize| !(side + record + number).is_multiple_of(7);
        let records = usize::from(*records);
        let before = &fields[..number];
        let sides = if columns.is_empty() {
            predict_field(field, before, &block_cells, has, records)
        } else {
            let mut decoders = vec![Decoder::new(columns); field.sides()];
            let readers = decoders.iter_mut();
            let mut readers: Vec<_> = readers
                .map(|d| SymbolReader(&field.distributions, d))
                .collect();
            let given = CodingInput {
                max_literal_bytes: MAX_BYTES,
                ..CodingInput::for_reader(records)
            };
            code_field(field, before, &block_cells, &mut readers, has, &given)
        };
        let mut sides = sides.unwrap_or_default();
        print(&sides, &field.plan.shape);
        sides.link_previous();
        known.push(sides);
    }
}

/// Printed numbers parse to the same numbers.
fn print(sides: &FieldCells, shape: &pgna::internals::columns::TextShape) {
    for record in 0..sides.len() {
        if let FieldValue::Number(number) = sides.cell(0, record) {
            let mut text = Vec::new();
            if shape.print(number, &mut text).is_some() {
                assert_eq!(shape.parse(&text), Some(number));
            }
        }
    }
}

/// Splits the bytes at `share` / 256 of their length.
fn split(bytes: &[u8], share: u8) -> (&[u8], &[u8]) {
    bytes.split_at((bytes.len() * usize::from(share)) >> 8)
}
