//! Evaluating filters on the columns of a block. The result is a bit vector of
//! games.

use super::block::{GameSet, QueryBlock};
use super::filter::Feature;
use super::ready::Ready;
use super::tag_test::TagTest;
use super::value::number_passes;
use crate::archive::{BlockGames, Error, TagName};
use crate::chess::Rules;
use crate::pgn::{FEN_TAG, Lexeme, LexemeKind, Scanner, Start};

/// The games of `among` that pass a filter.
pub(super) fn select(
    filter: &Ready<'_>,
    block: &QueryBlock<'_>,
    among: GameSet,
) -> Result<GameSet, Error> {
    if among.not_any() {
        return Ok(among);
    }
    match filter {
        Ready::And(parts) => parts
            .iter()
            .try_fold(among, |among, part| select(part, block, among)),
        Ready::Or(parts) => {
            let mut left = among;
            let mut found = block.none();
            for part in parts {
                let passed = select(part, block, left.clone())?;
                left &= !passed.clone();
                found |= passed;
            }
            Ok(found)
        }
        Ready::Not(part) => {
            let passed = select(part, block, among.clone())?;
            Ok(among & !passed)
        }
        Ready::Tags(tags) => by_tags(tags, block, among),
        Ready::Date(dates) => by_date(dates, block, &among),
        Ready::Plies(comparison) => one_by_one(block, among, |block, game| {
            Ok(number_passes(comparison, block.plies(game)?))
        }),
        Ready::Variant(rules, names) => one_by_one(block, among, |block, game| {
            is_played_by(*rules, names, block, game)
        }),
        Ready::Has(feature) => one_by_one(block, among, |block, game| has(*feature, block, game)),
    }
}

fn by_tags(tags: &[TagTest<'_>], block: &QueryBlock<'_>, among: GameSet) -> Result<GameSet, Error> {
    let mut found = block.none();
    let mut left = among;
    for tag in tags {
        let mut passed = block.none();
        tag.judge(block, &left, |game, verdict| {
            if verdict.passes {
                passed.set(game, true);
            }
        })?;
        left &= !passed.clone();
        found |= passed;
    }
    Ok(found)
}

fn by_date(
    [date, utc_date]: &[TagTest<'_>; 2],
    block: &QueryBlock<'_>,
    among: &GameSet,
) -> Result<GameSet, Error> {
    let (mut found, mut undated) = (block.none(), block.none());
    date.judge(block, among, |game, verdict| {
        if verdict.passes {
            found.set(game, true);
        }
        if !verdict.is_date {
            undated.set(game, true);
        }
    })?;
    utc_date.judge(block, &undated, |game, verdict| {
        if verdict.is_there {
            found.set(game, verdict.passes);
        }
    })?;
    Ok(found)
}

/// The games of `among` that pass a test on data that is not cached.
fn one_by_one<'a>(
    block: &QueryBlock<'a>,
    mut among: GameSet,
    passes: impl Fn(&BlockGames<'a>, usize) -> Result<bool, Error>,
) -> Result<GameSet, Error> {
    let block = block.open()?;
    // From the last game down, so that each column is decoded once to its end.
    for game in (0..among.len()).rev() {
        if among.get(game).as_deref() == Some(&true) && !passes(block, game)? {
            among.set(game, false);
        }
    }
    Ok(among)
}

fn is_played_by(
    rules: Rules,
    names: &[TagName; 2],
    block: &BlockGames<'_>,
    game: usize,
) -> Result<bool, Error> {
    let [variant, fen] = names.each_ref().map(|name| block.tag(game, name));
    let tags = [(&b"Variant"[..], variant?), (FEN_TAG, fen?)];
    let tags = tags.iter();
    let tags = tags.filter_map(|(name, value)| Some((*name, value.as_deref()?)));
    Ok(Start::of(tags).is_some_and(|(start, _)| start.rules == rules))
}

fn has(feature: Feature, block: &BlockGames<'_>, game: usize) -> Result<bool, Error> {
    if !block.may_have_marks(game)? {
        return Ok(false);
    }
    let text = block.text(game)?;
    let holds = |lexeme: &Lexeme, wanted: &[u8]| {
        let comment = text.get(lexeme.start..lexeme.end).unwrap_or_default();
        memchr::memmem::find(comment, wanted).is_some()
    };
    Ok(Scanner::new(&text).any(|lexeme| {
        let is_comment = matches!(lexeme.kind, LexemeKind::Comment | LexemeKind::LineComment);
        match feature {
            Feature::Clocks => is_comment && holds(&lexeme, b"[%clk"),
            Feature::Evals => is_comment && holds(&lexeme, b"[%eval"),
            Feature::Comments => is_comment,
            Feature::Variations => lexeme.kind == LexemeKind::Open,
        }
    }))
}
