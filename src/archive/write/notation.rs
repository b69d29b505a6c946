//! The tables for coding marks, fitted to the games of a segment in several
//! steps.

use crate::annotation::{
    GameValues, NotationBytes, NotationFit, PatternCounts, ProductCounts, SchemeCounts,
    TemplateCounts,
};
use crate::archive::write::lexed_game::LexedGame;
use crate::archive::write::lines::fit_lines;
use crate::archive::write::source_reader::SegmentText;
use crate::codec::distributions::Tally;
use crate::parallel;

/// Schemes are chosen on the values of a sample of about this many bytes of text from the
/// whole segment.
const SCHEME_BYTES: usize = 2 << 20;

/// The number of games per task when counting.
const GAMES_PER_TASK: usize = 64;

/// Fits the tables to the games of a segment, in rayon's current thread pool.
pub(crate) fn fit_notation(
    segment: &SegmentText,
    games: &[LexedGame<'_>],
    has_model: bool,
) -> NotationBytes {
    let mut fit = NotationFit::new(count_templates(games));
    let stride = segment.text.len().div_ceil(SCHEME_BYTES).max(1);
    let (patterns, sample) = count_patterns(games, stride, &fit);
    fit.take_patterns(patterns);
    let products = count_products(&sample, &fit);
    fit.take_products(&products);
    for step in [NotationFit::references, NotationFit::weights] {
        let schemes = count_schemes(&sample, &fit, step);
        fit.take_schemes(&schemes, stride as u64);
    }
    let tally = count_symbols(games, &fit);
    let lines = fit_lines(segment, fit.notation(), has_model);
    NotationBytes {
        lines: lines.unwrap_or_default(),
        ..fit.finish(&tally)
    }
}

fn count_templates(games: &[LexedGame<'_>]) -> TemplateCounts {
    let add = |counts: &mut TemplateCounts, games: &[LexedGame<'_>]| {
        let comments = games.iter().flat_map(LexedGame::comments);
        comments.for_each(|text| counts.add(&text));
    };
    let tasks = games.chunks(GAMES_PER_TASK);
    parallel::fold(tasks, TemplateCounts::default, add, TemplateCounts::merge).0
}

/// Counts the patterns of all games, and collects the values of every `stride`th game.
fn count_patterns(
    games: &[LexedGame<'_>],
    stride: usize,
    fit: &NotationFit,
) -> (PatternCounts, Vec<GameValues>) {
    let templates = fit.notation().templates();
    let add_game = |counts: &mut PatternCounts, number: usize, game: &LexedGame<'_>| {
        game.with_items(templates, |items| {
            counts.add(game.plies, items);
            let is_sampled = number.is_multiple_of(stride);
            is_sampled.then(|| fit.values(items, game.time))
        })
    };
    let add = |counts: &mut PatternCounts, (task, games): (usize, &[LexedGame<'_>])| {
        let numbered = (task * GAMES_PER_TASK..).zip(games);
        let values = numbered.filter_map(|(number, game)| add_game(counts, number, game));
        values.collect::<Vec<_>>()
    };
    let tasks = games.chunks(GAMES_PER_TASK).enumerate();
    let (counts, sample) = parallel::fold(tasks, PatternCounts::default, add, PatternCounts::merge);
    (counts, sample.into_iter().flatten().collect())
}

fn count_products(sample: &[GameValues], fit: &NotationFit) -> ProductCounts {
    let add = |counts: &mut ProductCounts, games: &[GameValues]| {
        games
            .iter()
            .for_each(|values| counts.add(fit.notation(), values));
    };
    let tasks = sample.chunks(GAMES_PER_TASK);
    parallel::fold(tasks, || fit.products(), add, ProductCounts::merge).0
}

fn count_schemes(
    sample: &[GameValues],
    fit: &NotationFit,
    none: impl Fn(&NotationFit) -> SchemeCounts + Sync,
) -> SchemeCounts {
    let add = |counts: &mut SchemeCounts, games: &[GameValues]| {
        games
            .iter()
            .for_each(|values| counts.add(fit.notation(), values));
    };
    let tasks = sample.chunks(GAMES_PER_TASK);
    parallel::fold(tasks, || none(fit), add, SchemeCounts::merge).0
}

fn count_symbols(games: &[LexedGame<'_>], fit: &NotationFit) -> Tally {
    let templates = fit.notation().templates();
    let count = |tally: &mut Tally, game: &LexedGame<'_>| {
        game.with_items(templates, |items| {
            fit.count(tally, game.plies, items, game.time);
        });
    };
    let add = |tally: &mut Tally, games: &[LexedGame<'_>]| {
        games.iter().for_each(|game| count(tally, game));
    };
    let tasks = games.chunks(GAMES_PER_TASK);
    let merge = |tally: &mut Tally, other: Tally| tally.merge(&other);
    parallel::fold(tasks, || fit.tally(), add, merge).0
}
