//! The values of tags that depend on the moves, for the index section of them.

use super::block_encoder::BlockEncoder;
use crate::archive::read::derived_tags::TagRow;
use crate::archive::read::games::unescaped;
use crate::archive::schema::record::StoredRecord;
use crate::archive::tables::SegmentTables;
use crate::archive::write::indexes::tags_of;
use crate::index::DerivedTag;
use crate::parallel;
use crate::pgn::{Game, Lexeme, Parsed, Scanner, VerbatimReason};
use std::borrow::Cow;
use std::cell::OnceCell;

impl BlockEncoder<'_, '_> {
    /// The tags that depend on the moves, from the text of the games. Readers decode the
    /// same values.
    pub(crate) fn derived_tags(&self) -> Vec<DerivedTag> {
        let names = self.tables.opening_tag_names();
        if names.is_empty() {
            return Vec::new();
        }
        let records = self.encoder.records.iter().zip(self.stored);
        let games = records.filter(|(record, _)| record.is_game);
        let rows = parallel::map(games, |(record, stored)| {
            let text = self.encoder.text.get(record.start..record.end);
            row_of_text(text.unwrap_or_default(), stored, &names, self.tables)
        });
        tags_of(&names, &rows)
    }
}

/// The values of a record for some tags, from its parsed part or from its verbatim tail.
fn row_of_text(
    text: &[u8],
    stored: &StoredRecord<'_>,
    names: &[u32],
    tables: &SegmentTables,
) -> TagRow {
    let roster = tables.roster(stored.roster.into()).unwrap_or_default();
    let lexemes: Vec<Lexeme> = Scanner::new(text).take(2 * roster.len()).collect();
    let parsed = Parsed::tags_only(text, &lexemes, VerbatimReason::Patch);
    let game = OnceCell::new();
    let value = |name: &u32| {
        if let Some(at) = roster.iter().position(|other| other == name) {
            let value = Cow::Borrowed(parsed.tree.tags.get(at)?.value);
            return Some(unescaped(value).into_owned());
        }
        stored.rest?;
        let game: &Game = game.get_or_init(|| Game::parse(text));
        game.tag(tables.name(*name)?).map(<[u8]>::to_vec)
    };
    names.iter().map(value).collect()
}
