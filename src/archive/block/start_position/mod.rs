//! Start positions in place of the text of FEN tags: a FEN that contains
//! nothing but its position is written from the bits of the position.

use crate::archive::block::columns::ColumnWriter;
use crate::archive::error::ContentError;
use crate::archive::schema::record_columns::StoredRecord;
use crate::archive::schema::registry::{ColumnId, START_POSITIONS};
use crate::archive::tables::SegmentTables;
use crate::chess::Setup;
use crate::codec::dictionary::{self, StringIds};
use crate::pgn::Start;
use crate::position::PositionCode;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

/// The notation of castling rights in a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FenSpelling {
    /// As `KQkq` if that identifies the rook (X-FEN).
    XFen = 1,
    /// As the files of the rooks (Shredder-FEN).
    Shredder = 2,
}

impl FenSpelling {
    const ALL: [FenSpelling; 2] = [FenSpelling::XFen, FenSpelling::Shredder];

    fn from_number(number: u8) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|spelling| *spelling as u8 == number)
    }

    fn write(self, setup: &Setup) -> String {
        match self {
            FenSpelling::XFen => setup.fen(),
            FenSpelling::Shredder => setup.shredder_fen(),
        }
    }

    /// The spelling of a FEN; the first one if both give the same text.
    fn of(fen: &[u8], setup: &Setup) -> Option<Self> {
        let spelled = |spelling: &FenSpelling| spelling.write(setup).as_bytes() == fen;
        Self::ALL.into_iter().find(spelled)
    }
}

/// A start position that gives the text of a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FenPosition {
    spelling: FenSpelling,
    /// The bits of `combined`.
    bytes: Vec<u8>,
}

impl FenPosition {
    pub(crate) fn new(spelling: FenSpelling, bytes: Vec<u8>) -> Self {
        FenPosition { spelling, bytes }
    }

    /// The start position that gives exactly this text; `None` if none does.
    pub(crate) fn of(fen: &[u8]) -> Option<FenPosition> {
        let setup = Setup::from_fen(fen).ok()?;
        let spelling = FenSpelling::of(fen, &setup)?;
        let bits = PositionCode::Combined.encode(&setup).ok()?;
        Some(FenPosition::new(spelling, bits.bytes().to_vec()))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text of the FEN.
    ///
    /// # Errors
    /// The bits are not valid for `combined`, or an earlier spelling gives the
    /// same text.
    pub(crate) fn fen(&self) -> Result<Vec<u8>, ContentError> {
        let setup = PositionCode::Combined.decode(&self.bytes)?;
        let fen = self.spelling.write(&setup).into_bytes();
        match FenSpelling::of(&fen, &setup) {
            first if first == Some(self.spelling) => Ok(fen),
            _ => Err(ContentError::Invalid("a FEN without another spelling")),
        }
    }
}

/// The FENs of a block that are stored as start positions.
///
/// A text is written when it is first needed, and once for all records that
/// have it. So a reader of one game need not decode all start positions of its
/// block, which takes about 15 µs each.
#[derive(Debug, Default)]
pub(crate) struct BlockFens {
    fens: Vec<(FenPosition, OnceLock<Vec<u8>>)>,
    of_record: BTreeMap<usize, usize>,
}

impl BlockFens {
    /// Collects the start positions of records.
    pub(crate) fn new(set_ups: impl Iterator<Item = (usize, FenPosition)>) -> Self {
        let mut fens = BlockFens::default();
        let mut known: HashMap<FenPosition, usize> = HashMap::new();
        for (record, set_up) in set_ups {
            let number = *known.entry(set_up).or_insert_with_key(|set_up| {
                fens.fens.push((set_up.clone(), OnceLock::new()));
                fens.fens.len() - 1
            });
            fens.of_record.insert(record, number);
        }
        fens
    }

    /// The FEN of a record; `None` if it has no start position.
    ///
    /// # Errors
    /// As [`SetUp::fen`].
    pub(crate) fn get(&self, record: usize) -> Result<Option<&[u8]>, ContentError> {
        let number = self.of_record.get(&record);
        let Some((set_up, text)) = number.and_then(|number| self.fens.get(*number)) else {
            return Ok(None);
        };
        if let Some(text) = text.get() {
            return Ok(Some(text));
        }
        let made = set_up.fen()?;
        Ok(Some(text.get_or_init(|| made)))
    }
}

/// The value of the column "start".
pub(crate) fn start_number(start: Start, set_up: Option<&FenPosition>) -> u8 {
    let spelling = set_up.map_or(0, |set_up| set_up.spelling as u8);
    Start::NUMBERS * spelling + start.number()
}

/// Decodes a value of the column "start".
pub(crate) fn read_start_number(number: u64) -> Result<(Start, Option<FenSpelling>), ContentError> {
    let unknown = ContentError::Invalid("no such start position");
    let number = u8::try_from(number).map_err(|_| unknown.clone())?;
    let start = Start::from_number(number % Start::NUMBERS).ok_or(unknown.clone())?;
    let spelling = match number / Start::NUMBERS {
        0 => None,
        spelling => Some(FenSpelling::from_number(spelling).ok_or(unknown)?),
    };
    Ok((start, spelling))
}

/// Replaces the FENs of a block by start positions, where these give the same
/// text and if their column is smaller. FENs that are in the dictionary as text
/// stay text.
pub(crate) fn replace_fens_by_positions<'s>(
    records: &mut [StoredRecord<'s>],
    tables: &SegmentTables,
    ids: &BTreeMap<ColumnId, StringIds>,
) {
    let mut known: HashMap<&'s [u8], Option<FenPosition>> = HashMap::new();
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

/// The bytes of a dictionary, and its IDs.
type Built = (Vec<u8>, StringIds);

/// Builds two dictionaries from repeated FENs: one of start positions and one
/// of text. The first is `None` if a dictionary of text alone is not larger.
/// FENs in `elsewhere`, which are also the values of FEN tags that are not the
/// first of their record, must be text.
pub(crate) fn fen_dictionaries(
    fens: Vec<Vec<u8>>,
    elsewhere: &HashSet<&[u8]>,
) -> (Option<Built>, Built) {
    let mut texts = Vec::new();
    let mut set_ups = Vec::new();
    for fen in &fens {
        let may_be_position = !elsewhere.contains(fen.as_slice());
        match may_be_position.then(|| FenPosition::of(fen)).flatten() {
            Some(set_up) => set_ups.push(set_up.bytes),
            None => texts.push(fen.clone()),
        }
    }
    let as_text = dictionary::build(fens);
    let (texts, set_ups) = (dictionary::build(texts), dictionary::build(set_ups));
    if texts.0.len() + set_ups.0.len() < as_text.0.len() {
        (Some(set_ups), texts)
    } else {
        (None, as_text)
    }
}

#[cfg(test)]
mod tests;
