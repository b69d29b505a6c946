//! The tables for coding marks, fitted to the games of a segment in several
//! steps.

use crate::annotation::{
    Items, NotationBytes, NotationFit, PatternCounts, ProductCounts, SchemeCounts, TemplateCounts,
    Templates,
};
use crate::archive::write::lexed_game::LexedGame;
use crate::archive::write::lines::fit_lines;
use crate::archive::write::source_reader::SegmentText;
use crate::codec::distributions::Tally;
use crate::parallel;
use std::borrow::Cow;

/// Schemes are chosen on a sample of about this many bytes of text from the
/// whole segment.
const SCHEME_BYTES: usize = 8 << 20;

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
    let comments = sampled_comments(games, stride);
    let sample = ItemizedSample {
        games,
        stride,
        items: sampled_items(games, stride, &comments, fit.notation().templates()),
    };
    let patterns = sample.count_patterns(fit.notation().templates());
    fit.take_patterns(patterns);
    let products = sample.count_products(&fit);
    fit.take_products(&products);
    for step in [NotationFit::references, NotationFit::weights] {
        let schemes = sample.count_schemes(&fit, step);
        fit.take_schemes(&schemes);
    }
    let tally = sample.count_symbols(&fit);
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

/// The comments of every `stride`th game.
fn sampled_comments<'t>(games: &[LexedGame<'t>], stride: usize) -> Vec<Vec<Cow<'t, [u8]>>> {
    let sample = games.iter().step_by(stride);
    parallel::map(sample, |game| game.comments().collect())
}

/// The items of every `stride`th game.
fn sampled_items<'c, 't: 'c>(
    games: &[LexedGame<'t>],
    stride: usize,
    comments: &'c [Vec<Cow<'t, [u8]>>],
    templates: &Templates,
) -> Vec<Items<'c>> {
    let sample = games.iter().step_by(stride).zip(comments);
    parallel::map(sample, |(game, comments)| game.items(comments, templates))
}

/// All games, and the items of a sample of them, which are counted several times.
struct ItemizedSample<'g, 't> {
    games: &'g [LexedGame<'t>],
    /// The sample is every `stride`th game.
    stride: usize,
    items: Vec<Items<'g>>,
}

impl ItemizedSample<'_, '_> {
    fn count_patterns(&self, templates: &Templates) -> PatternCounts {
        self.count_all(
            templates,
            PatternCounts::default,
            |counts, game, items| counts.add(game.plies, items),
            PatternCounts::merge,
        )
    }

    fn count_products(&self, fit: &NotationFit) -> ProductCounts {
        self.count_sample(
            || fit.products(),
            |counts, game, items| counts.add(fit.notation(), items, game.time),
            ProductCounts::merge,
        )
    }

    fn count_schemes(
        &self,
        fit: &NotationFit,
        none: impl Fn(&NotationFit) -> SchemeCounts + Sync,
    ) -> SchemeCounts {
        self.count_sample(
            || none(fit),
            |counts, game, items| counts.add(fit.notation(), items, game.time),
            SchemeCounts::merge,
        )
    }

    fn count_symbols(&self, fit: &NotationFit) -> Tally {
        self.count_all(
            fit.notation().templates(),
            || fit.tally(),
            |tally, game, items| fit.count(tally, game.plies, items, game.time),
            |tally, other| tally.merge(&other),
        )
    }

    /// Accumulates counts over the sample. The result does not depend on the order.
    fn count_sample<C: Send>(
        &self,
        none: impl Fn() -> C + Sync,
        add: impl Fn(&mut C, &LexedGame<'_>, &Items<'_>) + Sync,
        merge: impl Fn(&mut C, C),
    ) -> C {
        let sampled = |(number, items)| Some((self.games.get(number * self.stride)?, items));
        let sample: Vec<_> = self.items.iter().enumerate().filter_map(sampled).collect();
        let add = |counts: &mut C, games: &[(&LexedGame<'_>, &Items<'_>)]| {
            games
                .iter()
                .for_each(|(game, items)| add(counts, game, items));
        };
        parallel::fold(sample.chunks(GAMES_PER_TASK), none, add, merge).0
    }

    /// Accumulates counts over all games. The result does not depend on the order.
    fn count_all<C: Send>(
        &self,
        templates: &Templates,
        none: impl Fn() -> C + Sync,
        add: impl Fn(&mut C, &LexedGame<'_>, &Items<'_>) + Sync,
        merge: impl Fn(&mut C, C),
    ) -> C {
        let add_game = |counts: &mut C, number: usize, game: &LexedGame<'_>| {
            let is_sampled = number.is_multiple_of(self.stride);
            match self.items.get(number / self.stride).filter(|_| is_sampled) {
                Some(items) => add(counts, game, items),
                None => {
                    let comments: Vec<_> = game.comments().collect();
                    add(counts, game, &game.items(&comments, templates));
                }
            }
        };
        let add = |counts: &mut C, (task, games): (usize, &[LexedGame<'_>])| {
            let numbers = task * GAMES_PER_TASK..;
            let numbered = numbers.zip(games);
            numbered.for_each(|(number, game)| add_game(counts, number, game));
        };
        let tasks = self.games.chunks(GAMES_PER_TASK).enumerate();
        parallel::fold(tasks, none, add, merge).0
    }
}
