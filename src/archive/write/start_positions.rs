//! Replacing the text of FENs by start positions.

use crate::archive::schema::column_directory::ColumnWriter;
use crate::archive::schema::fen_position::FenPosition;
use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::registry::{ColumnId, START_POSITIONS};
use crate::archive::tables::SegmentTables;
use crate::codec::dictionary::StringIds;
use foldhash::HashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Replaces the FENs of a block by start positions, where these give the same
/// text and if their column is smaller. FENs that are in the dictionary as text
/// stay text.
pub(crate) fn replace_fens_by_positions<'s>(
    records: &mut [StoredRecord<'s>],
    tables: &SegmentTables,
    ids: &BTreeMap<ColumnId, StringIds>,
) {
    let mut known: HashMap<&'s [u8], Option<FenPosition>> = HashMap::default();
    let mut replaced = Vec::new();
    for record in records {
        let Some((at, fen)) = fen_of(record, tables, ids) else {
            continue;
        };
        let set_up = known.entry(fen).or_insert_with(|| FenPosition::of(fen));
        if let (Some(set_up), Some(value)) = (set_up.clone(), record.values.get_mut(at)) {
            replaced.push((&mut record.set_up, value, set_up));
        }
    }
    let texts: Vec<&[u8]> = replaced.iter().map(|(_, value, _)| &***value).collect();
    let set_ups: Vec<&[u8]> = replaced.iter().map(|(.., set_up)| set_up.bytes()).collect();
    let texts_bytes = ColumnWriter::strings_bytes(&texts, None);
    if ColumnWriter::strings_bytes(&set_ups, ids.get(&START_POSITIONS)) >= texts_bytes {
        return;
    }
    for (place, value, set_up) in replaced {
        *place = Some(set_up);
        *value = Cow::default();
    }
}

/// The index of the first FEN tag of a record, and its value. `None` if that is
/// a back-reference or is in the dictionary.
fn fen_of<'s>(
    record: &StoredRecord<'s>,
    tables: &SegmentTables,
    ids: &BTreeMap<ColumnId, StringIds>,
) -> Option<(usize, &'s [u8])> {
    let (at, column) = tables.first_fen(tables.roster(record.roster.into())?)?;
    let Cow::Borrowed(fen) = *record.values.get(at)? else {
        return None;
    };
    let is_known = ids.get(&column).is_some_and(|ids| ids.id_of(fen).is_some());
    (!is_known).then_some((at, fen))
}
