//! Values of one record of an open block, read from its columns as far as these give them, else
//! from its text.

use crate::archive::block::OpenBlock;
use crate::archive::error::ContentError;
use crate::archive::read::tag_name::TagName;
use crate::archive::schema::summary_row::SummaryRow;
use crate::pgn::{Game, Moves, unescape};
use std::borrow::Cow;

/// The value of the first tag pair with this name, with escapes resolved.
pub(super) fn tag_of<'b>(
    block: &'b OpenBlock,
    record: usize,
    name: &TagName,
) -> Result<Option<Cow<'b, [u8]>>, ContentError> {
    if let Some(number) = name.number()
        && let Some(value) = block.tag(record, number)?
    {
        return Ok(Some(unescaped(value)));
    }
    if block.verbatim_reason(record)?.is_none() {
        return Ok(None);
    }
    // The verbatim tail may contain the tag pair.
    let mut tags = parsed(block, record)?.tags.into_iter();
    let value = tags.find(|(other, _)| name.is(other));
    Ok(value.map(|(_, value)| Cow::Owned(value)))
}

/// The number of plies of the main line. If part of the game is stored verbatim, its text is
/// parsed.
pub(super) fn main_line_plies(block: &OpenBlock, record: usize) -> Result<u64, ContentError> {
    match block.verbatim_reason(record)? {
        None => block.plies(record),
        Some(_) => Ok(parsed(block, record)?.main_line().count() as u64),
    }
}

/// The moves, including variations; nothing else is decoded unless the moves depend on it. `None`
/// if the start position is not valid.
pub(super) fn moves_of(block: &OpenBlock, record: usize) -> Result<Option<Moves>, ContentError> {
    match block.verbatim_reason(record)? {
        None => block.moves(record),
        Some(_) => Ok(parsed(block, record)?.moves()),
    }
}

/// What the summary of the segment needs of a game.
pub(crate) fn summary_row(block: &OpenBlock, record: usize) -> Result<SummaryRow, ContentError> {
    let mut tags = block.first_tags(record, SummaryRow::needs)?;
    for (_, value) in &mut tags {
        *value = unescaped(std::mem::take(value));
    }
    let tags = tags.into_iter();
    Ok(match block.verbatim_reason(record)? {
        Some(_) => SummaryRow::of_verbatim(tags, &parsed(block, record)?),
        None => SummaryRow::of(tags),
    })
}

/// A value with escapes resolved.
pub(crate) fn unescaped(value: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match value.contains(&b'\\') {
        true => Cow::Owned(unescape(&value)),
        false => value,
    }
}

/// Parses the text of a record.
pub(super) fn parsed(block: &OpenBlock, record: usize) -> Result<Game, ContentError> {
    Ok(Game::parse(&block.text(record)?))
}
