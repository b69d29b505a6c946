//! Filters on the columns of a block: each gives the games that pass, as a vector of
//! bits.

use super::date::Days;
use super::filter::{Comparison, Feature, Field, Filter, Test};
use super::value::{number_passes, passes, text_of};
use crate::archive::{ArchiveError, BlockGames, TagName};
use crate::chess::Rules;
use crate::container::ReadAt;
use crate::pgn::{FEN_TAG, Kind, Lexeme, Scanner, Start};
use bitvec::vec::BitVec;

/// The games of a block, by their place in it.
pub(super) type Games = BitVec;

/// All games of a block.
pub(super) fn all<S: ReadAt>(block: &BlockGames<'_, S>) -> Games {
    BitVec::repeat(true, block.len())
}

/// The games of a block that have some numbers.
pub(super) fn some<S: ReadAt>(
    block: &BlockGames<'_, S>,
    numbers: impl Iterator<Item = u64>,
) -> Games {
    let mut games: Games = BitVec::repeat(false, block.len());
    for game in numbers.filter_map(|number| block.game_of(number)) {
        games.set(game, true);
    }
    games
}

/// The games among some that pass a filter.
pub(super) fn select<S: ReadAt>(
    filter: &Filter,
    block: &BlockGames<'_, S>,
    among: Games,
) -> Result<Games, ArchiveError> {
    match filter {
        Filter::And(parts) => {
            let mut parts: Vec<&Filter> = parts.iter().collect();
            // What costs more is asked of fewer games.
            parts.sort_by_key(|part| cost(part, block));
            parts
                .into_iter()
                .try_fold(among, |among, part| select(part, block, among))
        }
        Filter::Or(parts) => {
            let mut left = among;
            let mut found: Games = BitVec::repeat(false, block.len());
            for part in parts {
                let passed = select(part, block, left.clone())?;
                left &= !passed.clone();
                found |= passed;
            }
            Ok(found)
        }
        Filter::Not(part) => {
            let passed = select(part, block, among.clone())?;
            Ok(among & !passed)
        }
        Filter::Test(test) => select_by(test, block, among),
    }
}

/// What a filter costs for a game, roughly.
fn cost<S: ReadAt>(filter: &Filter, block: &BlockGames<'_, S>) -> u32 {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => parts
            .iter()
            .map(|part| cost(part, block))
            .max()
            .unwrap_or(0),
        Filter::Not(part) => cost(part, block),
        Filter::Test(Test::Has(_)) => 3,
        Filter::Test(Test::Compare(Field::Tag(name), _)) => {
            let name = block.tag_name_in_any_case(name);
            1 + u32::from(block.may_need_moves(&name))
        }
        Filter::Test(_) => 1,
    }
}

fn select_by<S: ReadAt>(
    test: &Test,
    block: &BlockGames<'_, S>,
    mut among: Games,
) -> Result<Games, ArchiveError> {
    let test = Ready::of(test, block);
    // The last first: what it needs of a column is all of it, read once.
    for game in (0..block.len()).rev() {
        if among.get(game).as_deref() == Some(&true) && !test.passes(block, game)? {
            among.set(game, false);
        }
    }
    Ok(among)
}

/// A test whose tag names are those of a segment.
enum Ready<'a> {
    Tags(Vec<(&'a str, TagName)>, &'a Comparison),
    /// The tags Date and, where that tells none, UTCDate.
    Date([TagName; 2], &'a Comparison),
    Plies(&'a Comparison),
    Variant(Rules, [TagName; 2]),
    Has(Feature),
}

impl<'a> Ready<'a> {
    fn of<S: ReadAt>(test: &'a Test, block: &BlockGames<'_, S>) -> Ready<'a> {
        match test {
            Test::Compare(Field::Plies, comparison) => Ready::Plies(comparison),
            Test::Compare(Field::Player, comparison) => {
                let sides = ["White", "Black"];
                let sides = sides.map(|name| (name, block.tag_name(name.as_bytes())));
                Ready::Tags(sides.to_vec(), comparison)
            }
            Test::Compare(Field::Tag(name), comparison)
                if name.eq_ignore_ascii_case("Date") && !comparison.is_of_quoted() =>
            {
                let names = [&b"Date"[..], b"UTCDate"].map(|name| block.tag_name(name));
                Ready::Date(names, comparison)
            }
            Test::Compare(Field::Tag(name), comparison) => {
                let tag = (name.as_str(), block.tag_name_in_any_case(name));
                Ready::Tags(vec![tag], comparison)
            }
            Test::Variant(rules) => Ready::Variant(
                *rules,
                [&b"Variant"[..], FEN_TAG].map(|name| block.tag_name(name)),
            ),
            Test::Has(feature) => Ready::Has(*feature),
        }
    }

    fn passes<S: ReadAt>(
        &self,
        block: &BlockGames<'_, S>,
        game: usize,
    ) -> Result<bool, ArchiveError> {
        match self {
            Ready::Tags(names, comparison) => {
                for (text, name) in names {
                    let value = block.tag(game, name)?;
                    if value.is_some_and(|value| passes(comparison, text, &text_of(&value))) {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Ready::Date([date, utc_date], comparison) => {
                let mut value = block.tag(game, date)?;
                let days = value.as_deref().and_then(|date| Days::read(&text_of(date)));
                if days.is_none() {
                    value = block.tag(game, utc_date)?.or(value);
                }
                Ok(value.is_some_and(|value| passes(comparison, "Date", &text_of(&value))))
            }
            Ready::Plies(comparison) => Ok(number_passes(comparison, block.plies(game)?)),
            Ready::Variant(rules, names) => {
                let [variant, fen] = names.each_ref().map(|name| block.tag(game, name));
                let tags = [(&b"Variant"[..], variant?), (FEN_TAG, fen?)];
                let tags = tags.iter();
                let tags = tags.filter_map(|(name, value)| Some((*name, value.as_deref()?)));
                Ok(Start::of(tags).is_some_and(|(start, _)| start.rules == *rules))
            }
            Ready::Has(feature) => has(*feature, block, game),
        }
    }
}

fn has<S: ReadAt>(
    feature: Feature,
    block: &BlockGames<'_, S>,
    game: usize,
) -> Result<bool, ArchiveError> {
    if !block.may_have_marks(game)? {
        return Ok(false);
    }
    let text = block.text(game)?;
    let holds = |lexeme: &Lexeme, wanted: &[u8]| {
        let comment = text.get(lexeme.start..lexeme.end).unwrap_or_default();
        memchr::memmem::find(comment, wanted).is_some()
    };
    Ok(Scanner::new(&text).any(|lexeme| {
        let is_comment = matches!(lexeme.kind, Kind::Comment | Kind::LineComment);
        match feature {
            Feature::Clocks => is_comment && holds(&lexeme, b"[%clk"),
            Feature::Evals => is_comment && holds(&lexeme, b"[%eval"),
            Feature::Comments => is_comment,
            Feature::Variations => lexeme.kind == Kind::Open,
        }
    }))
}
