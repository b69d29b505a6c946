//! Evaluating filters on the columns of a block. The result is a bit vector of
//! games.

use super::block::{GameSet, QueryBlock};
use super::field::{FieldReader, Operand};
use super::filter::Feature;
use super::ready::{Ready, VariantKind, Verdict};
use super::tag_reader::TagReader;
use crate::archive::{BlockGames, Error, TagName};
use crate::chess::{ChessPosition, Color, Rules};
use crate::pgn::{FEN_TAG, Start};

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
        Ready::Each(tags) => by_each(tags, block, among),
        Ready::First(tags) => by_first(tags, block, among),
        Ready::OfSide(result, sides) => of_side(result, sides, block, &among),
        Ready::OfBoth(field, sides, comparison) => {
            let [white, black] = sides.each_ref().map(|side| numbers(side, block, &among));
            let both = white?.into_iter().zip(black?);
            let combined = both.map(|both| field.combined(both.0?, both.1?));
            let passed = combined.map(|number| {
                number.is_some_and(|number| Operand::Number(number).passes(comparison))
            });
            Ok(passed.collect::<GameSet>() & among)
        }
        Ready::OfGame(field, comparison) => {
            let segment = block.place().segment();
            let reader = FieldReader::new(field, block.archive(), segment)?;
            one_by_one(block, among, |block, game| {
                let values = reader.of_game(block, game)?;
                Ok(values.iter().any(|value| value.passes(comparison)))
            })
        }
        Ready::Variant(rules, names) => one_by_one(block, among, |block, game| {
            is_played_by(*rules, names, block, game)
        }),
        Ready::IsChess(variant, fen) => are_chess((variant, fen), block, among),
        Ready::Has(feature) => one_by_one(block, among, |block, game| has(*feature, block, game)),
    }
}

fn by_each(
    tags: &[TagReader<'_, Verdict>],
    block: &QueryBlock<'_>,
    among: GameSet,
) -> Result<GameSet, Error> {
    let mut found = block.none();
    let mut left = among;
    for tag in tags {
        let mut passed = block.none();
        tag.each(block, &left, |game, verdict| {
            if verdict.passes {
                passed.set(game, true);
            }
        })?;
        left &= !passed.clone();
        found |= passed;
    }
    Ok(found)
}

/// A tag that decides nothing passes only if the next ones do not decide either.
fn by_first(
    tags: &[TagReader<'_, Verdict>],
    block: &QueryBlock<'_>,
    among: GameSet,
) -> Result<GameSet, Error> {
    let mut found = block.none();
    let mut left = among;
    for (at, tag) in tags.iter().enumerate() {
        let mut without = block.none();
        tag.each(block, &left, |game, verdict| {
            if at == 0 || verdict.is_decided {
                found.set(game, verdict.passes);
            }
            if !verdict.is_decided {
                without.set(game, true);
            }
        })?;
        left = without;
    }
    Ok(found)
}

fn of_side(
    result: &TagReader<'_, Option<Color>>,
    sides: &[TagReader<'_, Verdict>; 2],
    block: &QueryBlock<'_>,
    among: &GameSet,
) -> Result<GameSet, Error> {
    let [mut of_white, mut of_black] = [block.none(), block.none()];
    result.each(block, among, |game, side| match side {
        Some(Color::White) => of_white.set(game, true),
        Some(Color::Black) => of_black.set(game, true),
        None => {}
    })?;
    let mut found = block.none();
    for (side, games) in sides.iter().zip([of_white, of_black]) {
        side.each(block, &games, |game, verdict| {
            if verdict.passes {
                found.set(game, true);
            }
        })?;
    }
    Ok(found)
}

/// The numbers of these games, by their places in the block.
fn numbers(
    tag: &TagReader<'_, Option<f64>>,
    block: &QueryBlock<'_>,
    among: &GameSet,
) -> Result<Vec<Option<f64>>, Error> {
    let mut numbers = vec![None; among.len()];
    tag.each(block, among, |game, number| {
        if let Some(place) = numbers.get_mut(game) {
            *place = number;
        }
    })?;
    Ok(numbers)
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

/// The games of chess. One of Chess960 from the usual position is none.
fn are_chess(
    (variant, fen): (&TagReader<'_, VariantKind>, &TagName),
    block: &QueryBlock<'_>,
    among: GameSet,
) -> Result<GameSet, Error> {
    let [mut chess, mut chess960] = [block.none(), block.none()];
    variant.each(block, &among, |game, kind| match kind {
        VariantKind::Chess => chess.set(game, true),
        VariantKind::Chess960 => chess960.set(game, true),
        VariantKind::Other => {}
    })?;
    if chess960.any() {
        chess |= one_by_one(block, chess960, |block, game| {
            let fen = block.tag(game, fen)?;
            let tags = fen.as_deref().map(|fen| (FEN_TAG, fen));
            let start = Start::of(tags.into_iter());
            Ok(start.is_some_and(|(_, start)| start != ChessPosition::standard()))
        })?;
    }
    Ok(chess)
}

fn has(feature: Feature, block: &BlockGames<'_>, game: usize) -> Result<bool, Error> {
    let kinds = block.mark_kinds(game)?;
    Ok(match feature {
        Feature::Clocks => kinds.clocks,
        Feature::Evals => kinds.evals,
        Feature::Comments => kinds.comments,
        Feature::Variations => kinds.variations,
    })
}
