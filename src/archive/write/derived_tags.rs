//! The values of tags that depend on the moves, for the index section of them.

use super::block_encoder::BlockEncoder;
use crate::archive::block::back_references::has_back_references;
use crate::archive::read::derived_tags::TagRow;
use crate::archive::read::record_values::unescaped;
use crate::archive::schema::record::StoredRecord;
use crate::archive::tables::SegmentTables;
use crate::archive::write::indexes::tags_of;
use crate::index::DerivedTag;
use crate::parallel;
use crate::pgn::{Game, Lexeme, Parsed, Scanner, VerbatimReason};
use std::borrow::Cow;
use std::cell::OnceCell;

impl BlockEncoder<'_, '_> {
    /// The tags that depend on the moves. Readers decode the same values.
    pub(crate) fn derived_tags(&self) -> Vec<DerivedTag> {
        let names = self.tables.opening_tag_names();
        if names.is_empty() {
            return Vec::new();
        }
        let records = self.encoder.segment.records.iter().zip(self.stored);
        let games = records.filter(|(record, _)| record.is_game);
        let rows = parallel::map(games, |(record, stored)| {
            row_of(
                self.encoder.segment.bytes(record),
                stored,
                &names,
                &self.tables,
            )
        });
        tags_of(&names, &rows)
    }
}

/// The values of a record for some tags, from its stored values or from its text.
fn row_of(text: &[u8], stored: &StoredRecord<'_>, names: &[u32], tables: &SegmentTables) -> TagRow {
    let roster = tables.roster(stored.roster.into()).unwrap_or_default();
    let game = OnceCell::new();
    let value = |name: &u32| {
        if let Some(at) = roster.iter().position(|other| other == name) {
            let value = match plain_value(stored, at) {
                Some(value) => value,
                None => value_in_text(text, at)?,
            };
            return Some(unescaped(Cow::Borrowed(value)).into_owned());
        }
        stored.verbatim_reason?;
        let game: &Game = game.get_or_init(|| Game::parse(text));
        game.tag(tables.name(*name)?).map(<[u8]>::to_vec)
    };
    names.iter().map(value).collect()
}

/// The value of a tag pair, unless it is stored in another form.
fn plain_value<'a>(stored: &'a StoredRecord<'_>, at: usize) -> Option<&'a [u8]> {
    let value = stored.values.get(at)?;
    // A start position replaces the value of a FEN tag by an empty one.
    let may_be_replaced = value.is_empty() && stored.set_up.is_some();
    (!may_be_replaced && !has_back_references(value)).then_some(value)
}

/// The value of a tag pair in the text of a record.
fn value_in_text(text: &[u8], at: usize) -> Option<&[u8]> {
    let lexemes: Vec<Lexeme> = Scanner::new(text).take(2 * (at + 1)).collect();
    let parsed = Parsed::tags_only(text, &lexemes, VerbatimReason::Patch);
    parsed.tree.tags.get(at).map(|tag| tag.value)
}
