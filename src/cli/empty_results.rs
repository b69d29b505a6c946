//! Reports likely reasons for an empty result: tags that no game has, pieces that no position has,
//! games that are left out, tests that no game is likely to pass; and what of a
//! question is left out.

use super::common::Common;
use super::errors::print_message;
use crate::{Archive, Field, Filter, PositionTest, Query};

/// Reports the fields among these whose tags no game has. Where a field is read from several tags,
/// one of them suffices.
pub(crate) fn report_unknown_tags<'f>(
    archive: &Archive,
    fields: impl IntoIterator<Item = &'f Field>,
    common: &Common,
) {
    let mut reported: Vec<Vec<&str>> = Vec::new();
    for field in fields {
        let tags = field.tags();
        if !common.quiet && !reported.contains(&tags) && is_unknown(archive, field) {
            print_message(&no_game_has(archive, field));
            reported.push(tags);
        }
    }
}

/// Reports that games of variants are not searched for positions, if there are any.
pub(crate) fn report_variants(archive: &Archive, common: &Common) {
    if !common.quiet && matches!(archive.has_tag("Variant"), Ok(true)) {
        print_message("games of variants are left out: for all, search with -w 'variant?'");
    }
}

/// Reports why no game of chess can have the pieces that are searched for, if that is so.
pub(crate) fn report_impossible_pieces(query: &Query, common: &Common) {
    let why = query
        .positions
        .iter()
        .find_map(PositionTest::why_impossible);
    if let Some(why) = why.filter(|_| !common.quiet) {
        print_message(&format!(
            "no game of chess has these pieces: {why}; for some pieces on squares use --pattern"
        ));
    }
}

/// Reports the tests of a filter that no game is likely to pass.
pub(crate) fn report_doubts(filter: Option<&Filter>, common: &Common) {
    let doubts = filter.map(Filter::doubts).unwrap_or_default();
    let shown = doubts.iter().filter(|_| !common.quiet);
    shown.for_each(|doubt| print_message(doubt));
}

/// Reports that the pocket of a FEN is not compared, if there is one.
pub(crate) fn report_pocket(fen: Option<&str>, common: &Common) {
    let has_pocket = fen.is_some_and(|fen| fen.contains('['));
    if has_pocket && !common.quiet {
        print_message("--fen: pieces in the pocket, in brackets, are not compared");
    }
}

/// Says that no game has any of the tags of a field, and what may be meant.
pub(crate) fn no_game_has(archive: &Archive, field: &Field) -> String {
    let tags = field.tags().join(" or ");
    if tags.eq_ignore_ascii_case("moves") {
        return "no game has a tag moves; the field plies is the number of plies".to_owned();
    }
    match archive.similar_field(&tags) {
        Ok(Some(name)) => {
            format!(
                "no game has a tag {tags} (did you mean {name}? `pgna fields` lists the fields)"
            )
        }
        _ => format!("no game has a tag {tags}"),
    }
}

/// Whether there are games, but none has any of the tags from which a field is read.
pub(crate) fn is_unknown(archive: &Archive, field: &Field) -> bool {
    let tags = field.tags();
    let is_absent = |name: &&str| matches!(archive.has_tag(name), Ok(false));
    archive.games() > 0 && !tags.is_empty() && tags.iter().all(is_absent)
}
