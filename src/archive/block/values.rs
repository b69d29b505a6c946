//! The values of a record's tag pairs: those known from the columns alone, and those that
//! depend on its moves.

use super::OpenBlock;
use crate::archive::block::back_references::{has_back_references, last_position, resolve};
use crate::archive::block::fens::BlockFens;
use crate::archive::block::record_offsets::to_usize;
use crate::archive::error::ContentError;
use crate::archive::schema::fen_position::{FenPosition, FenSpelling, read_start_number};
use crate::archive::schema::record::Movetext;
use crate::archive::schema::registry::{START, START_POSITIONS};
use crate::archive::tables::openings::{is_early, keys};
use crate::chess::ChessPosition;
use crate::columns::FieldCells;
use crate::pgn::{FEN_TAG, GameTree, Moves, Tag, VARIANT_TAG};
use std::borrow::Cow;
use std::cell::OnceCell;

/// The name and the value of a tag pair.
pub(crate) type TagValue<'t> = (&'t [u8], Cow<'t, [u8]>);

/// The values of some tag names; `None` for names that the record does not have.
type RequestedValues<'t> = Vec<Option<Cow<'t, [u8]>>>;

/// The tag pairs of a record, as far as they are known before its moves.
pub(super) struct PartialTags<'t> {
    /// All tag pairs; values that are not known yet are empty.
    pub(super) values: Vec<TagValue<'t>>,
    /// The indexes of the tag pairs whose values are not known yet.
    pub(super) late: Vec<usize>,
    /// The minimum number of raw bytes of the tag pairs.
    bytes: usize,
}

impl<'t> PartialTags<'t> {
    /// Inserts the values that depend on the moves.
    fn completed(mut self, late: Vec<Cow<'t, [u8]>>) -> Vec<TagValue<'t>> {
        for (at, found) in self.late.into_iter().zip(late) {
            if let Some((_, value)) = self.values.get_mut(at) {
                *value = found;
            }
        }
        self.values
    }
}

const MISSING: ContentError = ContentError::Invalid("a value is missing");
const TOO_LONG: ContentError = ContentError::Invalid("more tag pairs than there is text");

/// The text of a tag pair has at least two quotes in addition to its name and value.
const TAG_FRAME_BYTES: usize = 2;

impl OpenBlock {
    /// The spelling of the FEN, if the record has a start position in place of its text.
    fn spelling(start: u64) -> Option<FenSpelling> {
        let (_, spelling) = read_start_number(start).ok()?;
        spelling
    }

    pub(super) fn fens(&self) -> Result<&BlockFens, ContentError> {
        let records = self.records();
        self.columns.load_large_tables(START_POSITIONS)?;
        self.fens.get(records, records, |_| {
            let starts = self.columns.ints(START, records)?;
            let spelled: Vec<_> = (0..records)
                .filter_map(|record| Some((record, Self::spelling(starts.get(record))?)))
                .collect();
            let mut set_ups = Vec::with_capacity(spelled.len());
            self.columns.check_strings(START_POSITIONS, spelled.len())?;
            for (index, (record, spelling)) in spelled.iter().enumerate() {
                let bytes = self.columns.string(START_POSITIONS, index, spelled.len())?;
                set_ups.push((*record, FenPosition::new(*spelling, bytes.to_vec())));
            }
            Ok(BlockFens::new(set_ups.into_iter()))
        })
    }

    /// The first tag pairs with names that are wanted, in the order of the record.
    pub(crate) fn first_tags<'t>(
        &'t self,
        record: usize,
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<TagValue<'t>>, ContentError> {
        let mut found: Vec<TagValue<'t>> = Vec::new();
        for number in self.roster(record)? {
            let name = self.columns.tables().name(*number).unwrap_or_default();
            let is_first = found.iter().all(|(other, _)| *other != name);
            if is_first
                && is_wanted(name)
                && let Some(value) = self.tag(record, *number)?
            {
                found.push((name, value));
            }
        }
        Ok(found)
    }

    /// The value of the record's first tag pair with this name; `None` if it has none.
    /// The moves are decoded if the value depends on them.
    pub(crate) fn tag<'t>(
        &'t self,
        record: usize,
        name: u32,
    ) -> Result<Option<Cow<'t, [u8]>>, ContentError> {
        if let Some(value) = self.tag_without_moves(record, name)? {
            return Ok(value);
        }
        let roster = self.roster(record)?;
        let Some(at) = roster.iter().position(|other| *other == name) else {
            return Ok(None);
        };
        // A FEN may be stored as a start position, which does not depend on the moves.
        let mut values = match self.columns.tables().name(name) == Some(FEN_TAG) {
            true => self.early_values(record)?.values,
            false => self.values(record)?,
        };
        let value = values.get_mut(at).map(|(_, value)| std::mem::take(value));
        Ok(value)
    }

    /// As [`OpenBlock::tag`] if the tag's own column and the columns that the value
    /// refers back to give the value without the moves; `None` otherwise.
    pub(crate) fn tag_without_moves<'t>(
        &'t self,
        record: usize,
        name: u32,
    ) -> Result<Option<Option<Cow<'t, [u8]>>>, ContentError> {
        let roster = self.roster(record)?;
        let Some(at) = roster.iter().position(|other| *other == name) else {
            return Ok(Some(None));
        };
        if self.columns.tables().name(name) == Some(FEN_TAG) {
            return Ok(None);
        }
        let Some(stored) = self.columns.tag(record, roster, at, None)? else {
            return Ok(None);
        };
        let mut left = to_usize(self.shape.raw_bytes.into())?;
        let text = self.resolve(record, roster, stored, None, &mut left)?;
        Ok(text.map(Some))
    }

    /// The cells of a tag, and their side of the field; `None` if the column has no plan
    /// or the value may come from another column.
    pub(crate) fn shared_cells(
        &self,
        name: u32,
    ) -> Result<Option<(&FieldCells, usize)>, ContentError> {
        match self.columns.tables().name(name) == Some(FEN_TAG) {
            true => Ok(None),
            false => self.columns.tag_cells(name),
        }
    }

    /// The value in a tag's own column, unless it has back-references.
    pub(crate) fn shared_text<'t>(
        &'t self,
        record: usize,
        name: u32,
    ) -> Result<Option<Cow<'t, [u8]>>, ContentError> {
        let roster = self.roster(record)?;
        let Some(at) = roster.iter().position(|other| *other == name) else {
            return Ok(None);
        };
        let stored = self.columns.tag(record, roster, at, None)?;
        Ok(stored.filter(|stored| !has_back_references(stored)))
    }

    /// The names and values of the record's tag pairs. The moves are decoded if values
    /// depend on them.
    pub(crate) fn values<'t>(&'t self, record: usize) -> Result<Vec<TagValue<'t>>, ContentError> {
        let early = self.early_values(record)?;
        if early.late.is_empty() {
            return Ok(early.values);
        }
        let late = {
            let mut movetext = Movetext::default();
            let tree = self.tree(record, &early.values, &mut movetext)?;
            self.late_values(record, &early, &tree)?
        };
        Ok(early.completed(late))
    }

    /// The moves as from [`OpenBlock::moves`], and the values of the first tag pairs with
    /// the given names. The moves are decoded once for both.
    pub(crate) fn moves_and_tags<'t>(
        &'t self,
        record: usize,
        names: &[u32],
    ) -> Result<(Option<Moves>, RequestedValues<'t>), ContentError> {
        let early = self.early_values(record)?;
        let (moves, late) = {
            let mut movetext = Movetext::default();
            let tree = self.tree(record, &early.values, &mut movetext)?;
            let late = self.late_values(record, &early, &tree)?;
            (Moves::of(&tree), late)
        };
        let values = early.completed(late);
        let roster = self.roster(record)?;
        let tag = |name: &u32| {
            let at = roster.iter().position(|other| other == name)?;
            values.get(at).map(|(_, value)| value.clone())
        };
        Ok((moves, names.iter().map(tag).collect()))
    }

    /// The values that depend on the moves: those predicted from the opening, and those
    /// that refer to the last position.
    pub(super) fn late_values<'t>(
        &'t self,
        record: usize,
        early: &PartialTags<'t>,
        tree: &GameTree<'_>,
    ) -> Result<Vec<Cow<'t, [u8]>>, ContentError> {
        let read = |most| self.read_late(record, early, tree, most);
        let bytes = |values: &Vec<Cow<'_, [u8]>>| values.iter().map(|value| value.len()).sum();
        self.budgets.late.read(record, read, bytes)
    }

    /// As [`OpenBlock::late_values`], with at most `left` bytes in total.
    fn read_late<'t>(
        &'t self,
        record: usize,
        early: &PartialTags<'t>,
        tree: &GameTree<'_>,
        mut left: usize,
    ) -> Result<Vec<Cow<'t, [u8]>>, ContentError> {
        let roster = self.roster(record)?;
        let (all_keys, last) = (OnceCell::new(), OnceCell::new());
        let mut values = Vec::with_capacity(early.late.len());
        for at in &early.late {
            let mut stored = self.columns.tag(record, roster, *at, None)?;
            if stored.is_none() {
                let keys = all_keys.get_or_init(|| keys(tree));
                stored = self.columns.tag(record, roster, *at, Some(keys))?;
            }
            let stored = stored.ok_or(MISSING)?;
            let last =
                has_back_references(&stored).then(|| last.get_or_init(|| last_position(tree)));
            let value = self.resolve(record, roster, stored, last, &mut left)?;
            values.push(value.ok_or(MISSING)?);
        }
        Ok(values)
    }

    /// Resolves the back-references of a value and takes its size from `left`. `None` if
    /// it refers to the last position and `last` is `None`.
    fn resolve<'t>(
        &'t self,
        record: usize,
        roster: &[u32],
        stored: Cow<'t, [u8]>,
        last: Option<&ChessPosition>,
        left: &mut usize,
    ) -> Result<Option<Cow<'t, [u8]>>, ContentError> {
        if !has_back_references(&stored) {
            *left = left.checked_sub(stored.len()).ok_or(TOO_LONG)?;
            return Ok(Some(stored));
        }
        let tag = |name| {
            let at = roster.iter().position(|other| *other == name);
            let at = at.ok_or(ContentError::Invalid("a reference to no tag pair"))?;
            self.columns.tag(record, roster, at, None)
        };
        let text = resolve(&stored, last, *left, tag)?;
        *left -= text.as_ref().map_or(0, Vec::len).min(*left);
        Ok(text.map(Cow::Owned))
    }

    /// The tag pairs of a record, as far as they are known before its moves.
    pub(super) fn early_values<'t>(
        &'t self,
        record: usize,
    ) -> Result<PartialTags<'t>, ContentError> {
        let read = |most| self.read_early(record, most, |_| true);
        self.budgets.tags.read(record, read, |early| early.bytes)
    }

    /// The tag pairs of a record on which its moves depend. The columns of the others are not
    /// decoded, which took a tenth of the time of a search through a few moves of each block.
    pub(super) fn values_for_moves<'t>(
        &'t self,
        record: usize,
    ) -> Result<Vec<TagValue<'t>>, ContentError> {
        let players = self.columns.tables().model().depends_on_players();
        let is_wanted = |name: &[u8]| match name {
            b"White" | b"Black" => players,
            name => is_early(name) || name == VARIANT_TAG,
        };
        let read = |most| self.read_early(record, most, is_wanted);
        let early = self
            .budgets
            .early_tags
            .read(record, read, |early| early.bytes)?;
        Ok(early.values)
    }

    /// As [`OpenBlock::early_values`], of the tag pairs with a wanted name, with at most `most`
    /// bytes in total.
    fn read_early<'t>(
        &'t self,
        record: usize,
        most: usize,
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<PartialTags<'t>, ContentError> {
        let roster = self.roster(record)?;
        let mut values = Vec::with_capacity(roster.len());
        let mut late = Vec::new();
        let mut left = most;
        let name_of = |name: &u32| self.columns.tables().name(*name).unwrap_or_default();
        for (at, name) in roster.iter().enumerate() {
            let name = name_of(name);
            if !is_wanted(name) {
                continue;
            }
            let frame = name.len().saturating_add(TAG_FRAME_BYTES);
            left = left.checked_sub(frame).ok_or(TOO_LONG)?;
            let mut value = self.columns.tag(record, roster, at, None)?;
            if let Some(stored) = value {
                value = self.resolve(record, roster, stored, None, &mut left)?;
            }
            if value.is_none() {
                if is_early(name) {
                    return Err(ContentError::Invalid(
                        "a value that must be known before the moves",
                    ));
                }
                late.push(at);
            }
            values.push((name, value.unwrap_or_default()));
        }
        if Self::spelling(self.int(START, record)?).is_some()
            && let Some(fen) = self.fens()?.get(record)?
        {
            let at = roster.iter().position(|name| name_of(name) == FEN_TAG);
            let first = values.iter_mut().find(|(name, _)| *name == FEN_TAG);
            let (at, (_, value)) = at
                .zip(first)
                .ok_or(ContentError::Invalid("a set-up without a FEN tag"))?;
            let stored = self.columns.tag(record, roster, at, None)?;
            if stored.is_none_or(|stored| !stored.is_empty()) {
                return Err(ContentError::Invalid("a set-up and the text of a FEN"));
            }
            *value = Cow::Borrowed(fen);
        }
        Ok(PartialTags {
            values,
            late,
            bytes: most - left,
        })
    }
}

pub(super) fn tags<'t>(values: &'t [TagValue<'_>]) -> Vec<Tag<'t>> {
    let tag = |(name, value): &'t TagValue<'_>| Tag { name, value };
    values.iter().map(tag).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::schema::record::StoredRecord;
    use crate::archive::testing::OneRecord;

    #[test]
    fn tag_pairs_beyond_the_text_are_refused() {
        let one = OneRecord::new(&[b"White", b"Black"], &[0, 1]);
        let read = |lengths: [usize; 2]| {
            let record = StoredRecord {
                roster: 1,
                values: lengths.map(|len| Cow::Owned(vec![b'x'; len])).to_vec(),
                ..StoredRecord::default()
            };
            let values = one.values(one.columns(record))?;
            Ok(values.iter().map(Vec::len).collect::<Vec<_>>())
        };
        let most = OneRecord::RAW_BYTES as usize - 2 * ("White".len() + TAG_FRAME_BYTES);
        assert_eq!(read([most - 1, 1]), Ok(vec![most - 1, 1]));
        assert_eq!(read([most, 1]), Err(TOO_LONG));
        assert_eq!(read([0, most + 1]), Err(TOO_LONG));
    }
}
