//! The columns of a block, each decoded when it is first needed.

use crate::archive::block::lazy_prefix::LazyPrefix;
use crate::archive::block::stored_columns::{Ints, MovetextSource, StoredColumns};
use crate::archive::error::ContentError;
use crate::archive::schema::column_directory::ColumnDirectory;
use crate::archive::schema::columns::{COLUMNS, ColumnId, ROSTER, Values, tag_column, tag_name};
use crate::archive::tables::SegmentTables;
use crate::codec::distributions::SymbolReader;
use crate::codec::error::CodecError;
use crate::codec::range::Decoder;
use crate::codec::string_list::StringList;
use crate::codec::strings::{self, FirstStrings};
use crate::codec::{context_mixing, ints};
use crate::columns::{
    BlockCells, CodingInput, Field, FieldCells, FieldValue, code_field, predict_field,
};
use crate::parallel::TryOnce;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The columns of a block, each decoded when it is first needed: columns with a plan and of
/// prose up to the requested record, others as a whole.
#[derive(Debug)]
pub(crate) struct BlockColumns {
    tables: Arc<SegmentTables>,
    tags: StoredColumns,
    /// The columns of the movetext, or why it is lost.
    movetext: TryOnce<Result<StoredColumns, ContentError>>,
    movetext_source: MovetextSource,
    records: usize,
    /// The string bytes left for columns that are read to their end.
    budget: AtomicU64,
    /// The string bytes left for columns that are read up to some record. If a later
    /// record is needed, they are read again, to their end.
    prefix_budget: AtomicU64,
    fields: Vec<LazyPrefix<FieldCells>>,
    pairs: LazyPrefix<TagPairs>,
}

/// The tag pairs of a block: for each, its index in the column of its name.
#[derive(Debug, Default)]
struct TagPairs {
    /// The index in `places` of the first tag pair of each record.
    starts: Vec<usize>,
    places: Vec<u32>,
    /// The number of tag pairs of each name.
    counts: HashMap<u32, u32>,
}

impl BlockColumns {
    /// Locates the columns in the packed tags of a block with `records` records.
    /// `max_bytes` bounds the total size of all strings.
    pub(crate) fn parse(
        tags: Vec<u8>,
        movetext_source: MovetextSource,
        records: usize,
        max_bytes: u64,
        tables: &Arc<SegmentTables>,
    ) -> Result<Self, ContentError> {
        Ok(BlockColumns {
            tables: Arc::clone(tables),
            tags: StoredColumns::new(ColumnDirectory::of_tags(tags)?, tables),
            movetext: TryOnce::default(),
            movetext_source,
            records,
            budget: AtomicU64::new(max_bytes),
            prefix_budget: AtomicU64::new(max_bytes),
            fields: tables
                .fields()
                .iter()
                .map(|_| LazyPrefix::default())
                .collect(),
            pairs: LazyPrefix::default(),
        })
    }

    pub(crate) fn records(&self) -> usize {
        self.records
    }

    pub(crate) fn tables(&self) -> &SegmentTables {
        &self.tables
    }

    /// The columns of the movetext.
    ///
    /// # Errors
    /// They cannot be read. A loss is remembered, a failure that may pass is not. Therefore values
    /// that depend on them must not be computed before they are read.
    fn movetext(&self) -> Result<&StoredColumns, ContentError> {
        let read = || {
            let packed = match self.movetext_source.read() {
                Ok(packed) => packed,
                Err(error) if error.is_loss() => return Ok(Err(error)),
                Err(error) => return Err(error),
            };
            let directory = ColumnDirectory::of_movetext(packed);
            Ok(directory.map(|directory| StoredColumns::new(directory, &self.tables)))
        };
        let movetext = self.movetext.get_or_try_init(read)?;
        movetext.as_ref().map_err(Clone::clone)
    }

    /// The columns of the part of the block that has this column.
    fn part_with(&self, id: ColumnId) -> Result<&StoredColumns, ContentError> {
        match id.is_of_tags() {
            true => Ok(&self.tags),
            false => self.movetext(),
        }
    }

    /// The columns of bit strings, which are all of the movetext.
    pub(crate) fn bit_strings(&self) -> Result<&ColumnDirectory, ContentError> {
        Ok(&self.movetext()?.directory)
    }

    fn raw(&self, id: ColumnId) -> Result<&[u8], ContentError> {
        Ok(self.part_with(id)?.directory.column(id))
    }

    /// A column of integers, at least of the first `wanted` records.
    pub(crate) fn ints(&self, id: ColumnId, wanted: usize) -> Result<Ints<'_>, ContentError> {
        if let Some((field, _)) = self.tables.field_of(id) {
            return Ok(Ints::Planned(self.field_cells(field, wanted)?));
        }
        let Some(plain) = self.part_with(id)?.plain(id) else {
            return Ok(Ints::Zeros);
        };
        let make = |_| {
            Ok(ints::decode(
                self.raw(id)?,
                self.records,
                self.tables.limits(),
            )?)
        };
        let ints = plain.ints.get(self.records, self.records, make)?;
        Ok(Ints::Plain(ints))
    }

    /// The value of a record in a column of integers.
    pub(crate) fn int(&self, id: ColumnId, record: usize) -> Result<u64, ContentError> {
        Ok(self.ints(id, record + 1)?.get(record))
    }

    /// A value of a column of `count` strings.
    pub(crate) fn string(
        &self,
        id: ColumnId,
        index: usize,
        count: usize,
    ) -> Result<&[u8], ContentError> {
        let missing = ContentError::Invalid("a value is missing");
        let Some(plain) = self.part_with(id)?.plain(id) else {
            return if index < count { Ok(&[]) } else { Err(missing) };
        };
        self.load_large_tables(id)?;
        let make = |wanted| self.read_strings(id, FirstStrings { wanted, count });
        // Prose is slow to read. The first record is mostly read before all others.
        let wanted = match is_prose(id) && index > 0 {
            true => index + 1,
            false => self.records,
        };
        let strings = plain.strings.get(wanted, self.records, make)?;
        strings.get(index).ok_or(missing)
    }

    /// Checks a column of `count` strings, where `count` may be 0.
    pub(crate) fn check_strings(&self, id: ColumnId, count: usize) -> Result<(), ContentError> {
        let Some(plain) = self.part_with(id)?.plain(id) else {
            return Ok(());
        };
        self.load_large_tables(id)?;
        let make = |wanted| self.read_strings(id, FirstStrings { wanted, count });
        let strings = &plain.strings;
        strings.get(self.records, self.records, make).map(drop)
    }

    /// Loads the large tables of the segment if this column of strings needs them. Columns must be
    /// decoded after that, because they remember each failure, also one that may pass.
    pub(crate) fn load_large_tables(&self, id: ColumnId) -> Result<(), ContentError> {
        let needs_preset = || {
            let bytes = is_prose(id).then(|| self.raw(id).ok()).flatten()?;
            strings::packed_literals(bytes).map(context_mixing::needs_preset)
        };
        match self.tables.has_large_dictionary(id) || needs_preset() == Some(true) {
            true => self.tables.load_large(),
            false => Ok(()),
        }
    }

    /// Whether a column of prose is compressed by context mixing.
    pub(crate) fn mixes_prose(&self) -> Result<bool, ContentError> {
        for column in COLUMNS.iter().filter(|column| is_prose(column.id)) {
            let literals = strings::packed_literals(self.raw(column.id)?);
            if literals.is_some_and(context_mixing::is_mixed) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read_strings(&self, id: ColumnId, first: FirstStrings) -> Result<StringList, ContentError> {
        let dictionary = self.tables.dictionary(id)?;
        let budget = match is_prose(id) && first.wanted < self.records {
            true => &self.prefix_budget,
            false => &self.budget,
        };
        let most = budget.load(Ordering::Relaxed);
        let (bytes, limits) = (self.raw(id)?, self.tables.limits());
        let strings = match is_prose(id) {
            true => {
                let preset = || match self.tables.preset_text() {
                    Err(ContentError::Codec(error)) => Err(error),
                    other => other.map_err(|_| CodecError::Damaged("lost preset text")),
                };
                let restore = |prose: &[u8], wanted| {
                    context_mixing::decompress_first(prose, wanted, preset, most, limits)
                };
                strings::decode_first(bytes, first, dictionary, most, limits, restore)?
            }
            false => strings::decode(bytes, first.count, dictionary, most, limits)?,
        };
        spend(budget, strings.total_bytes())?;
        Ok(strings)
    }

    /// The cells of a field, at least of the first `wanted` records.
    fn field_cells(&self, number: usize, wanted: usize) -> Result<&FieldCells, ContentError> {
        let missing = ContentError::Invalid("no such field");
        let lazily = self.fields.get(number).ok_or(missing)?;
        // Fields that it depends on are read first, so that long chains cause no deep
        // recursion.
        if let Some(records) = lazily.to_make(wanted, self.records) {
            for other in self.tables.dependencies(number) {
                self.field_cells(*other, records)?;
            }
            self.field_columns(number)?;
        }
        lazily.get(wanted, self.records, |records| {
            self.read_field(number, records)
        })
    }

    fn read_field(&self, number: usize, records: usize) -> Result<FieldCells, ContentError> {
        let fields = self.tables.fields();
        let (before, rest) = fields.split_at_checked(number).unwrap_or((fields, &[]));
        let field = rest.first().ok_or(ContentError::Invalid("no such field"))?;
        let mut block_cells = BlockCells::new();
        for other in field.plan.fields() {
            block_cells.set(other, self.field_cells(other, records)?);
        }
        let has = self.presence(field, records)?;
        let has = |side: usize, record: usize| has.as_ref().is_none_or(|has| has.get(side, record));
        let columns = self.field_columns(number)?;
        let mut sides = match columns.iter().all(|column| column.is_empty()) {
            true => predict_field(field, before, &block_cells, has, records)?,
            false => self.decode_cells(field, before, &block_cells, columns, has, records)?,
        };
        if !field.columns.iter().all(is_of_tags) && !sides.are_numbers() {
            return Err(ContentError::Invalid("an integer that is no number"));
        }
        if field.is_link_key {
            sides.link_previous();
        }
        Ok(sides)
    }

    /// The bytes of the columns of a field.
    fn field_columns(&self, number: usize) -> Result<Vec<&[u8]>, ContentError> {
        let field = self.tables.fields().get(number);
        let columns = field.map_or(&[][..], |field| &field.columns).iter();
        columns.map(|column| self.raw(ColumnId(*column))).collect()
    }

    /// Decodes the cells of a field from its columns.
    fn decode_cells(
        &self,
        field: &Field,
        before: &[Field],
        block_cells: &BlockCells<'_>,
        columns: Vec<&[u8]>,
        has: impl Fn(usize, usize) -> bool,
        records: usize,
    ) -> Result<FieldCells, ContentError> {
        let mut decoders: Vec<Decoder<'_>> = columns.into_iter().map(Decoder::new).collect();
        let mut readers: Vec<_> = decoders
            .iter_mut()
            .map(|decoder| SymbolReader(&field.distributions, decoder))
            .collect();
        let budget = match records == self.records {
            true => &self.budget,
            false => &self.prefix_budget,
        };
        let most = budget.load(Ordering::Relaxed);
        let given = CodingInput {
            max_literal_bytes: usize::try_from(most).unwrap_or(usize::MAX),
            ..CodingInput::for_reader(records)
        };
        let sides = code_field(field, before, block_cells, &mut readers, has, &given)?;
        spend(budget, sides.literal_bytes())?;
        if records == self.records {
            decoders
                .into_iter()
                .try_for_each(Decoder::finish)
                .map_err(|error| ContentError::Distribution(error.into()))?;
        }
        Ok(sides)
    }

    /// Which records have a value in each column of a field; `None` if all have.
    fn presence(&self, field: &Field, records: usize) -> Result<Option<Presence>, ContentError> {
        let names: Option<Vec<u32>> = field
            .columns
            .iter()
            .map(|column| tag_name(ColumnId(*column)))
            .collect();
        let Some(names) = names else {
            return Ok(None);
        };
        let rosters = self.ints(ROSTER, records)?;
        let mut presence = Presence(Vec::with_capacity(records));
        let (mut last, mut has) = (None, [false; 2]);
        for record in 0..records {
            let number = rosters.get(record);
            // Most records have the roster of the record before.
            if last != Some(number) {
                let roster = self.tables.roster(number);
                let roster = roster.ok_or(ContentError::Invalid("no such roster"))?;
                has = [0, 1].map(|side| names.get(side).is_some_and(|name| roster.contains(name)));
                last = Some(number);
            }
            presence.0.push(has);
        }
        Ok(Some(presence))
    }

    /// The cells of a tag whose column has a plan, and their side of the field.
    pub(crate) fn tag_cells(
        &self,
        name: u32,
    ) -> Result<Option<(&FieldCells, usize)>, ContentError> {
        let Some((number, side)) = self.tables.field_of(tag_column(name)) else {
            return Ok(None);
        };
        Ok(Some((self.field_cells(number, self.records)?, side)))
    }

    /// The value of the tag pair at index `at` of a record's roster. `None` if it is
    /// predicted from the opening and `keys`, the position keys of the opening, is
    /// `None`.
    pub(crate) fn tag<'t>(
        &'t self,
        record: usize,
        roster: &[u32],
        at: usize,
        keys: Option<&[u32]>,
    ) -> Result<Option<Cow<'t, [u8]>>, ContentError> {
        let missing = ContentError::Invalid("a value is missing");
        let name = *roster.get(at).ok_or(missing.clone())?;
        let id = tag_column(name);
        if let Some((number, side)) = self.tables.field_of(id) {
            let sides = self.field_cells(number, record + 1)?;
            let mut cell = sides.cell(side, record);
            if cell == FieldValue::Opening {
                let Some(keys) = keys else {
                    return Ok(None);
                };
                let field = self.tables.fields().get(number);
                cell = field
                    .and_then(|field| field.predict_from_book(keys))
                    .ok_or(missing)?;
            }
            return self.tables.text(number, cell, sides).map(Some);
        }
        if self.part_with(id)?.plain(id).is_none() {
            return Ok(Some(Cow::Borrowed(&[])));
        }
        let make = |_| self.read_pairs();
        let pairs = self.pairs.get(self.records, self.records, make)?;
        let start = pairs.starts.get(record).copied().unwrap_or(0);
        let place = pairs.places.get(start + at).copied().ok_or(missing)?;
        let count = pairs.counts.get(&name).copied().unwrap_or(0);
        let value = self.string(id, place as usize, count as usize)?;
        Ok(Some(Cow::Borrowed(value)))
    }

    fn read_pairs(&self) -> Result<TagPairs, ContentError> {
        let rosters = self.ints(ROSTER, self.records)?;
        let mut pairs = TagPairs::default();
        for record in 0..self.records {
            let roster = self.tables.roster(rosters.get(record));
            let roster = roster.ok_or(ContentError::Invalid("no such roster"))?;
            pairs.starts.push(pairs.places.len());
            for name in roster {
                let count = pairs.counts.entry(*name).or_default();
                pairs.places.push(*count);
                *count += 1;
            }
        }
        Ok(pairs)
    }
}

fn is_prose(id: ColumnId) -> bool {
    id.column()
        .is_some_and(|column| matches!(column.values, Values::Prose(_)))
}

fn is_of_tags(column: &u64) -> bool {
    tag_name(ColumnId(*column)).is_some()
}

/// For each record, whether it has a value on each side.
struct Presence(Vec<[bool; 2]>);

impl Presence {
    fn get(&self, side: usize, record: usize) -> bool {
        let has = self.0.get(record).and_then(|has| has.get(side));
        has.copied().unwrap_or(false)
    }
}

/// Subtracts bytes from a string budget.
fn spend(budget: &AtomicU64, bytes: usize) -> Result<(), ContentError> {
    let take = |budget: u64| budget.checked_sub(bytes as u64);
    let taken = budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
    taken
        .map(drop)
        .map_err(|_| ContentError::Invalid("more strings than the text can hold"))
}
