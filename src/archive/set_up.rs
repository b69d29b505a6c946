//! Set-up positions in the place of FEN tags: a FEN that says nothing but its
//! position is made again from the bits of the position.

use super::columns::ColumnWriter;
use super::error::ContentError;
use super::registry::{ColumnId, SETUPS};
use super::stored::StoredRecord;
use super::tables::SegmentTables;
use crate::chess::Setup;
use crate::codec::dictionary::{self, Ids};
use crate::pgn::Start;
use crate::position::Code;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// How castling rights are written in a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FenSpelling {
    /// As `KQkq`, where these tell the rook (X-FEN).
    XFen = 1,
    /// As the files of the rooks (Shredder-FEN).
    Shredder = 2,
}

impl FenSpelling {
    const ALL: [FenSpelling; 2] = [FenSpelling::XFen, FenSpelling::Shredder];
}

/// A set-up position that gives the text of a FEN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SetUp {
    spelling: FenSpelling,
    /// The bits of `combined`.
    bytes: Vec<u8>,
}

impl SetUp {
    pub(super) fn new(spelling: FenSpelling, bytes: Vec<u8>) -> Self {
        SetUp { spelling, bytes }
    }

    /// The set-up that gives just this text; `None` if none does.
    pub(super) fn of(fen: &[u8]) -> Option<SetUp> {
        let setup = Setup::from_fen(fen).ok()?;
        let bytes = Code::Combined.encode(&setup).ok()?.bytes().to_vec();
        let spelled = FenSpelling::ALL.map(|spelling| SetUp::new(spelling, bytes.clone()));
        let gives_it = |set_up: &SetUp| set_up.fen().is_ok_and(|written| written == fen);
        spelled.into_iter().find(gives_it)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text of the FEN.
    ///
    /// # Errors
    /// The bits are none of `combined`, or the text has another spelling too,
    /// which comes first.
    pub(super) fn fen(&self) -> Result<Vec<u8>, ContentError> {
        let setup = Code::Combined.decode(&self.bytes)?;
        let fen = setup.fen();
        Ok(match self.spelling {
            FenSpelling::XFen => fen.into_bytes(),
            FenSpelling::Shredder => match setup.shredder_fen() {
                same if same == fen => return Err(NO_SPELLING),
                other => other.into_bytes(),
            },
        })
    }
}

/// The text of a set-up, made when it is first asked for: a reader of one game
/// need not decode the set-ups of all others in its block, some 30 µs each.
#[derive(Debug)]
pub(super) struct LazyFen {
    set_up: SetUp,
    text: OnceLock<Vec<u8>>,
}

impl LazyFen {
    pub(super) fn new(set_up: SetUp) -> Self {
        LazyFen {
            set_up,
            text: OnceLock::new(),
        }
    }

    /// The text.
    ///
    /// # Errors
    /// As [`SetUp::fen`] has them.
    pub(super) fn get(&self) -> Result<&[u8], ContentError> {
        if let Some(text) = self.text.get() {
            return Ok(text);
        }
        let text = self.set_up.fen()?;
        Ok(self.text.get_or_init(|| text))
    }
}

const NO_SPELLING: ContentError = ContentError::Invalid("a FEN without another spelling");

/// The value of the column "start".
pub(super) fn start_number(start: Start, set_up: Option<&SetUp>) -> u8 {
    let spelling = set_up.map_or(0, |set_up| set_up.spelling as u8);
    Start::NUMBERS * spelling + start.number()
}

/// What a value of the column "start" says.
pub(super) fn read_start_number(number: u64) -> Result<(Start, Option<FenSpelling>), ContentError> {
    let unknown = ContentError::Invalid("no such start position");
    let number = u8::try_from(number).map_err(|_| unknown.clone())?;
    let start = Start::from_number(number % Start::NUMBERS).ok_or(unknown.clone())?;
    let spelling = match number / Start::NUMBERS {
        0 => None,
        1 => Some(FenSpelling::XFen),
        2 => Some(FenSpelling::Shredder),
        _ => return Err(unknown),
    };
    Ok((start, spelling))
}

/// Puts set-ups in the place of the FENs of a block, as far as they give them
/// and if they are smaller there. What the dictionary holds as text stays text.
pub(super) fn fold_set_ups(
    records: &mut [StoredRecord<'_>],
    tables: &SegmentTables,
    ids: &BTreeMap<ColumnId, Ids>,
) {
    let mut found = Vec::new();
    for (record, stored) in records.iter().enumerate() {
        if let Some((at, set_up)) = set_up_of(stored, tables, ids) {
            found.push((record, at, set_up));
        }
    }
    let texts: Vec<&[u8]> = found
        .iter()
        .filter_map(|(record, at, _)| Some(*records.get(*record)?.values.get(*at)?))
        .collect();
    let set_ups: Vec<&[u8]> = found.iter().map(|(.., set_up)| set_up.bytes()).collect();
    let texts_bytes = ColumnWriter::strings_bytes(&texts, None);
    if ColumnWriter::strings_bytes(&set_ups, ids.get(&SETUPS)) >= texts_bytes {
        return;
    }
    for (record, at, set_up) in found {
        let Some(stored) = records.get_mut(record) else {
            continue;
        };
        if let Some(value) = stored.values.get_mut(at) {
            *value = b"";
            stored.set_up = Some(set_up);
        }
    }
}

/// Which tag pair of a record a set-up can give the value of, and the set-up.
fn set_up_of(
    stored: &StoredRecord<'_>,
    tables: &SegmentTables,
    ids: &BTreeMap<ColumnId, Ids>,
) -> Option<(usize, SetUp)> {
    let (at, column) = tables.first_fen(tables.roster(stored.roster.into())?)?;
    let fen = stored.values.get(at)?;
    let known = ids.get(&column).and_then(|ids| ids.id_of(fen));
    match known {
        Some(_) => None,
        None => Some((at, SetUp::of(fen)?)),
    }
}

/// The bytes of a dictionary and its IDs.
type Built = (Vec<u8>, Ids);

/// Repeated FENs, as two dictionaries: those that set-ups give as set-ups, the
/// others as text; `None` for the first if all are smaller as text.
pub(super) fn fen_dictionaries(fens: Vec<Vec<u8>>) -> (Option<Built>, Built) {
    let mut texts = Vec::new();
    let mut set_ups = Vec::new();
    for fen in &fens {
        match SetUp::of(fen) {
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
mod tests {
    use super::super::block::OpenBlock;
    use super::super::registry::{LAYOUTS, ROSTERS, START, TAG_NAMES};
    use super::super::stored::write_columns;
    use super::super::tables::{write_layouts, write_names, write_rosters};
    use super::*;
    use crate::container::{BlockShape, Tables};
    use crate::limits::Limits;

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";

    fn spelling(fen: &str) -> Option<FenSpelling> {
        let set_up = SetUp::of(fen.as_bytes())?;
        assert_eq!(set_up.fen(), Ok(fen.as_bytes().to_vec()));
        Some(set_up.spelling)
    }

    #[test]
    fn texts_that_say_no_more_than_a_position_are_set_ups() {
        for fen in [
            FEN,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1",
            "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 255 300",
            "k7/8/8/8/8/8/QQQQQQQQ/QK6 w - - 0 1",
            "8/8/8/8/8/8/8/8 b - - 0 65535",
        ] {
            assert_eq!(spelling(fen), Some(FenSpelling::XFen), "{fen}");
        }
        let shredder = "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 b GBgb - 2 17";
        assert_eq!(spelling(shredder), Some(FenSpelling::Shredder));
    }

    #[test]
    fn other_texts_are_none() {
        for fen in [
            "",
            "?",
            "4k3/8/8/8/8/8/4P3/4K3",
            "4k3/8/8/8/8/8/4P3/4K2R w K -",
            "4k3/8/8/8/8/8/4P3/4K3  w - - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 00 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 0",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 256 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 65536",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ",
            "4k3/8/8/8/8/8/4P3/4K3 w - e3 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3[Qp] w - - 0 1",
            "4k3/8/8/8/8/8/4P3/4KQ~2 w - - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 1+2 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQha - 0 1",
            "rr2k1rr/8/8/8/8/8/8/RR2K1RR w KBkq - 0 9",
            "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            assert_eq!(spelling(fen), None, "{fen}");
        }
        let latin_1 = [FEN.as_bytes(), b"\xe9"].concat();
        assert_eq!(SetUp::of(&latin_1), None);
    }

    #[test]
    fn start_numbers_come_back() {
        let set_up = |spelling| SetUp::new(spelling, Vec::new());
        let set_ups = [
            None,
            Some(set_up(FenSpelling::XFen)),
            Some(set_up(FenSpelling::Shredder)),
        ];
        let mut numbers = 0..;
        for set_up in &set_ups {
            for start in (0..Start::NUMBERS).filter_map(Start::from_number) {
                let number = start_number(start, set_up.as_ref());
                assert_eq!(numbers.next(), Some(number));
                let spelling = set_up.as_ref().map(|set_up| set_up.spelling);
                assert_eq!(read_start_number(number.into()), Ok((start, spelling)));
            }
        }
        for unknown in [96, 255, 256, u64::MAX] {
            assert!(read_start_number(unknown).is_err());
        }
    }

    /// The roster without tags, and one with two FENs behind another tag.
    fn rosters() -> Vec<Vec<u32>> {
        vec![Vec::new(), vec![0, 1, 1]]
    }

    fn tables() -> SegmentTables {
        let mut tables = Tables::default();
        let names = write_names(&[b"White", b"FEN"]);
        for (kind, bytes) in [
            (TAG_NAMES, names),
            (ROSTERS, write_rosters(&rosters())),
            (LAYOUTS, write_layouts(&[])),
        ] {
            tables.push(kind, 0, &bytes).unwrap();
        }
        SegmentTables::parse(&tables, &Limits::default()).unwrap()
    }

    fn columns(record: StoredRecord<'_>) -> ColumnWriter {
        write_columns(&[record], &rosters(), &BTreeMap::new())
    }

    fn open(columns: ColumnWriter) -> Result<OpenBlock, ContentError> {
        let shape = BlockShape {
            games: 0,
            records: 1,
            raw_bytes: 200,
        };
        OpenBlock::parse(&columns.finish(), shape, &tables(), &Limits::default())
    }

    /// Opens the block and reads the tags of its record.
    fn read(columns: ColumnWriter) -> Result<(), ContentError> {
        open(columns)?.tags(0, &tables()).map(drop)
    }

    fn record<'a>(fen: &'a str, set_up: Option<SetUp>) -> StoredRecord<'a> {
        StoredRecord {
            roster: 1,
            values: vec![b"Greco", fen.as_bytes(), b"second"],
            set_up,
            ..StoredRecord::default()
        }
    }

    fn set_up() -> SetUp {
        SetUp::of(FEN.as_bytes()).unwrap()
    }

    #[test]
    fn a_set_up_gives_the_value_of_the_first_fen_tag() {
        let block = open(columns(record("", Some(set_up())))).unwrap();
        let tables = tables();
        let tags = block.tags(0, &tables).unwrap();
        let values: Vec<&[u8]> = tags.iter().map(|tag| tag.value).collect();
        assert_eq!(values, [b"Greco", FEN.as_bytes(), b"second"]);
    }

    /// Not even a text that a set-up could give is refused.
    #[test]
    fn a_text_is_taken_as_it_is() {
        let block = open(columns(record(FEN, None))).unwrap();
        assert_eq!(block.tags(0, &tables()).unwrap()[1].value, FEN.as_bytes());
    }

    #[test]
    fn set_ups_that_cannot_be_are_refused() {
        let refused = |name: &str, columns: ColumnWriter| {
            let error = read(columns).expect_err(name);
            assert!(error.to_string().contains(name), "{name}: {error}");
        };
        refused("text of a FEN", columns(record(FEN, Some(set_up()))));
        let no_tags = StoredRecord {
            set_up: Some(set_up()),
            ..StoredRecord::default()
        };
        refused("without a FEN tag", columns(no_tags));
        let ones = SetUp::new(FenSpelling::XFen, vec![0xff; 3]);
        refused("set-up:", columns(record("", Some(ones))));
        let long = SetUp::new(FenSpelling::XFen, [set_up().bytes(), &[0]].concat());
        refused("set-up:", columns(record("", Some(long))));
        let no_rights = SetUp::of(b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
        let shredder = SetUp::new(FenSpelling::Shredder, no_rights.bytes);
        refused("spelling", columns(record("", Some(shredder))));
    }

    #[test]
    fn as_many_set_ups_as_announced_are_wanted() {
        let bytes = set_up().bytes;
        let mut unannounced = columns(record(FEN, None));
        unannounced.strings(SETUPS, &[&bytes], None);
        assert!(read(unannounced).is_err());
        let mut twice = columns(record("", Some(set_up())));
        twice.strings(SETUPS, &[&bytes, &bytes], None);
        assert!(read(twice).is_err());
        let mut missing = columns(record("", None));
        missing.ints(START, &[32]);
        assert!(read(missing).is_err());
        let mut unknown = columns(record("", Some(set_up())));
        unknown.ints(START, &[96]);
        assert!(read(unknown).is_err());
    }
}
