//! Results by the values of a field.

use super::field::{Field, FieldReader, FieldValue, Operand, Worth};
use super::filter::Filter;
use super::scan::{BlockScan, fold_blocks};
use super::stats::Score;
use super::tree::outcome;
use crate::archive::{Archive, BlockGames, Error};
use crate::chess::Color;
use std::collections::{HashMap, HashSet};

/// Results by the text of a value; `None` for games without one.
#[derive(Default)]
struct Scores(HashMap<Option<String>, (Option<Operand<'static>>, Score)>);

impl Archive {
    /// The results, from White's point of view, of the games that pass a filter, by the values of a
    /// field in ascending order, at the end those of games without a value; and the errors of what
    /// could not be read. A game with several values counts once
    /// for each.
    pub fn scores_by(
        &self,
        field: &Field,
        filter: Option<&Filter>,
    ) -> (Vec<(Option<FieldValue>, Score)>, Vec<Error>) {
        let add = |scores: &mut Scores, scan: &BlockScan<'_, '_, '_>| {
            let reader = match FieldReader::new(field, self, scan.place.segment()) {
                Ok(reader) => reader,
                Err(error) => return vec![error],
            };
            scan.try_each_selected(|block, game| scores.add(block, game, &reader))
        };
        let (scores, errors) = fold_blocks(self, filter, add, Scores::merge);
        (scores.sorted(), errors)
    }
}

impl Scores {
    fn add(
        &mut self,
        block: &BlockGames<'_>,
        game: usize,
        reader: &FieldReader<'_>,
    ) -> Result<(), Error> {
        let result = block.tag_by_index(game, &block.tag_name(b"Result"))?;
        let text = result.as_deref().map(String::from_utf8_lossy);
        let mut score = Score::default();
        score.add(Color::White, text.as_deref().and_then(outcome));
        let mut values = reader.of_game(block, game)?;
        values.retain(Operand::is_known);
        if values.is_empty() {
            self.put(None, None, &score);
        }
        let mut seen = HashSet::new();
        for value in values {
            let key = value.to_string();
            if seen.insert(key.clone()) {
                self.put(Some(key), Some(value), &score);
            }
        }
        Ok(())
    }

    fn put(&mut self, key: Option<String>, value: Option<Operand<'static>>, score: &Score) {
        let entry = self.0.entry(key);
        let (_, all) = entry.or_insert_with(|| (value, Score::default()));
        all.merge(score);
    }

    fn merge(&mut self, other: Scores) {
        for (key, (value, score)) in other.0 {
            self.put(key, value, &score);
        }
    }

    fn sorted(self) -> Vec<(Option<FieldValue>, Score)> {
        let mut all: Vec<_> = self.0.into_values().collect();
        all.sort_by(|(a, _), (b, _)| match (a, b) {
            (Some(a), Some(b)) => {
                let by_worth = Worth::of(a).order(&Worth::of(b));
                by_worth.then_with(|| a.to_string().cmp(&b.to_string()))
            }
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        let values = all.into_iter();
        values
            .map(|(value, score)| (value.map(FieldValue::from), score))
            .collect()
    }
}
