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
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

/// How castling rights are written in a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum FenSpelling {
    /// As `KQkq`, where these tell the rook (X-FEN).
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

    /// The spelling of a text; the first, where it has both.
    fn of(fen: &[u8], setup: &Setup) -> Option<Self> {
        let spelled = |spelling: &FenSpelling| spelling.write(setup).as_bytes() == fen;
        Self::ALL.into_iter().find(spelled)
    }
}

/// A set-up position that gives the text of a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
        let spelling = FenSpelling::of(fen, &setup)?;
        let bits = Code::Combined.encode(&setup).ok()?;
        Some(SetUp::new(spelling, bits.bytes().to_vec()))
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
        let fen = self.spelling.write(&setup).into_bytes();
        match FenSpelling::of(&fen, &setup) {
            first if first == Some(self.spelling) => Ok(fen),
            _ => Err(ContentError::Invalid("a FEN without another spelling")),
        }
    }
}

/// The FENs of a block that set-ups give.
///
/// A text is made when it is first asked for, and once for all records that
/// have it: a reader of one game need not decode all set-ups of its block, some
/// 15 µs each.
#[derive(Debug, Default)]
pub(super) struct BlockFens {
    fens: Vec<(SetUp, OnceLock<Vec<u8>>)>,
    of_record: BTreeMap<usize, usize>,
}

impl BlockFens {
    /// The FENs of these set-ups, each of a record.
    pub(super) fn new(set_ups: impl Iterator<Item = (usize, SetUp)>) -> Self {
        let mut fens = BlockFens::default();
        let mut known: HashMap<SetUp, usize> = HashMap::new();
        for (record, set_up) in set_ups {
            let number = *known.entry(set_up).or_insert_with_key(|set_up| {
                fens.fens.push((set_up.clone(), OnceLock::new()));
                fens.fens.len() - 1
            });
            fens.of_record.insert(record, number);
        }
        fens
    }

    /// The FEN of a record; `None` where it has no set-up.
    ///
    /// # Errors
    /// As [`SetUp::fen`] has them.
    pub(super) fn get(&self, record: usize) -> Result<Option<&[u8]>, ContentError> {
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
        spelling => Some(FenSpelling::from_number(spelling).ok_or(unknown)?),
    };
    Ok((start, spelling))
}

/// Puts set-ups in the place of the FENs of a block, as far as they give them
/// and if they are smaller there. What the dictionary holds as text stays text.
pub(super) fn replace_fens<'s>(
    records: &mut [StoredRecord<'s>],
    tables: &SegmentTables,
    ids: &BTreeMap<ColumnId, Ids>,
) {
    let mut known: HashMap<&'s [u8], Option<SetUp>> = HashMap::new();
    let mut replaced = Vec::new();
    for record in records {
        let Some((at, fen)) = fen_of(record, tables, ids) else {
            continue;
        };
        let set_up = known.entry(fen).or_insert_with(|| SetUp::of(fen));
        if let (Some(set_up), Some(value)) = (set_up.clone(), record.values.get_mut(at)) {
            replaced.push((&mut record.set_up, value, set_up));
        }
    }
    let texts: Vec<&[u8]> = replaced.iter().map(|(_, value, _)| **value).collect();
    let set_ups: Vec<&[u8]> = replaced.iter().map(|(.., set_up)| set_up.bytes()).collect();
    let texts_bytes = ColumnWriter::strings_bytes(&texts, None);
    if ColumnWriter::strings_bytes(&set_ups, ids.get(&SETUPS)) >= texts_bytes {
        return;
    }
    for (place, value, set_up) in replaced {
        *place = Some(set_up);
        *value = b"";
    }
}

/// Which tag pair of a record is its first FEN, and its value, unless the
/// dictionary holds that.
fn fen_of<'s>(
    record: &StoredRecord<'s>,
    tables: &SegmentTables,
    ids: &BTreeMap<ColumnId, Ids>,
) -> Option<(usize, &'s [u8])> {
    let (at, column) = tables.first_fen(tables.roster(record.roster.into())?)?;
    let fen = *record.values.get(at)?;
    let is_known = ids.get(&column).is_some_and(|ids| ids.id_of(fen).is_some());
    (!is_known).then_some((at, fen))
}

/// The bytes of a dictionary and its IDs.
type Built = (Vec<u8>, Ids);

/// Repeated FENs, as two dictionaries: those that set-ups give as set-ups, the
/// others as text; `None` for the first if all are smaller as text. Those that
/// stand elsewhere than in the first FEN tag of a record must be texts.
pub(super) fn fen_dictionaries(
    fens: Vec<Vec<u8>>,
    elsewhere: &HashSet<&[u8]>,
) -> (Option<Built>, Built) {
    let mut texts = Vec::new();
    let mut set_ups = Vec::new();
    for fen in &fens {
        let may_stand = !elsewhere.contains(fen.as_slice());
        match may_stand.then(|| SetUp::of(fen)).flatten() {
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
    use super::super::cells::With;
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
        write_columns(&[record], &rosters(), &BTreeMap::new(), &|_| false)
    }

    fn open(columns: ColumnWriter) -> Result<OpenBlock, ContentError> {
        let shape = BlockShape {
            games: 0,
            records: 1,
            raw_bytes: 200,
        };
        OpenBlock::parse(&columns.finish(), shape, &tables())
    }

    /// Opens the block and reads the tags of its record.
    fn read(columns: ColumnWriter) -> Result<(), ContentError> {
        let (block, tables) = (open(columns)?, tables());
        values(&block, &tables)?;
        let limits = Limits::default();
        block.check(With {
            tables: &tables,
            limits: &limits,
        })
    }

    fn values(block: &OpenBlock, tables: &SegmentTables) -> Result<Vec<Vec<u8>>, ContentError> {
        let limits = Limits::default();
        let with = With {
            tables,
            limits: &limits,
        };
        let values = block.values(0, with)?.into_iter();
        Ok(values.map(|(_, value)| value.into_owned()).collect())
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
        let values = values(&block, &tables).unwrap();
        assert_eq!(values, [b"Greco", FEN.as_bytes(), b"second"]);
    }

    /// Not even a text that a set-up could give is refused.
    #[test]
    fn a_text_is_taken_as_it_is() {
        let block = open(columns(record(FEN, None))).unwrap();
        assert_eq!(values(&block, &tables()).unwrap()[1], FEN.as_bytes());
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
