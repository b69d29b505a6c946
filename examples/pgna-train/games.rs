//! The games to train on, split into three parts.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use pgna::internals::chess::{Outcome, PlyKind};
use pgna::internals::model::{GameContext, Ratings};
use pgna::internals::pgn::Splitter;
use pgna::internals::train::{Random, TrainingLine};
use pgna::{Game, Token};

/// The use of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataSplit {
    Train,
    /// For choices between models.
    Tune,
    /// For reported figures.
    Test,
}

impl DataSplit {
    pub(crate) const ALL: [DataSplit; 3] = [DataSplit::Train, DataSplit::Tune, DataSplit::Test];
}

/// A line of a collection, and its part.
#[derive(Debug)]
struct SplitLine {
    line: TrainingLine,
    collection: usize,
    part: Option<DataSplit>,
}

/// All games read.
#[derive(Debug, Default)]
pub(crate) struct TrainingSet {
    pub(crate) collections: Vec<(String, usize)>,
    lines: Vec<SplitLine>,
}

/// Games of different parts do not share this many first plies.
const SHARED_PLIES: usize = 50;

impl TrainingSet {
    /// Reads the first `most` games of a file, all if `most` is 0. `times` is
    /// the number of times that each is trained on in a pass.
    pub(crate) fn read(&mut self, path: &Path, max_games: usize, times: usize) -> io::Result<()> {
        let text = std::fs::read(path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        self.collections.push((name.into_owned(), times));
        let collection = self.collections.len() - 1;
        let records = Splitter::new(&text, true, false);
        let lines = records.filter_map(|record| {
            let game = Game::parse(&text[record.start..record.end]);
            line(&game, collection)
        });
        let most = if max_games == 0 {
            usize::MAX
        } else {
            max_games
        };
        self.lines.extend(lines.take(most));
        Ok(())
    }

    /// Removes games whose first plies are those of an earlier game in another
    /// part.
    pub(crate) fn drop_shared_openings(&mut self) {
        let mut parts = HashMap::new();
        for SplitLine { line, part, .. } in &mut self.lines {
            let first = &line.plies[..line.plies.len().min(SHARED_PLIES)];
            let key = blake3::hash(format!("{} {first:?}", line.start.fen()).as_bytes());
            let first_part = *parts.entry(key).or_insert(*part);
            if first_part != *part {
                *part = None;
            }
        }
    }

    /// All games.
    pub(crate) fn all(&self) -> impl Iterator<Item = &TrainingLine> {
        self.lines.iter().map(|split| &split.line)
    }

    /// All games of a collection.
    pub(crate) fn all_of(&self, collection: usize) -> impl Iterator<Item = &TrainingLine> {
        let lines = self.lines.iter();
        let lines = lines.filter(move |split| split.collection == collection);
        lines.map(|split| &split.line)
    }

    /// The games of a part of a collection.
    pub(crate) fn of(
        &self,
        part: DataSplit,
        collection: usize,
    ) -> impl Iterator<Item = &TrainingLine> {
        let lines = self.lines.iter();
        lines
            .filter(move |split| split.part == Some(part) && split.collection == collection)
            .map(|split| &split.line)
    }

    /// The games of a part in random order, each as many times as its
    /// collection specifies.
    pub(crate) fn shuffled(&self, part: DataSplit, seed: u64) -> Vec<&TrainingLine> {
        let mut order = Vec::new();
        for split in self.lines.iter().filter(|split| split.part == Some(part)) {
            let (_, times) = self.collections[split.collection];
            order.extend(std::iter::repeat_n(&split.line, times));
        }
        Random(seed).shuffle(&mut order);
        order
    }
}

/// The main line of a game; `None` if it cannot be trained on.
fn line(game: &Game, collection: usize) -> Option<SplitLine> {
    let (start, plies) = (game.main_line_position(0)?, game.main_line_plies());
    if plies.is_empty() || plies.contains(&PlyKind::Null) {
        return None;
    }
    pgna::internals::model::Board::new(&start)?;
    let outcome = game.tokens.iter().rev().find_map(|token| match token {
        Token::Outcome(marker) => Some(*marker),
        _ => None,
    });
    let context = GameContext {
        ratings: Ratings::of_tags(
            game.tags
                .iter()
                .map(|(name, value)| (&name[..], &value[..])),
        ),
        outcome: outcome.and_then(|marker| Outcome::from_ascii(marker.as_bytes()).ok()),
        plies: u32::try_from(plies.len()).ok()?,
    };
    let mut hasher = blake3::Hasher::new();
    let date = game.tag(b"Date").or_else(|| game.tag(b"UTCDate"));
    for value in [game.tag(b"Event"), date] {
        hasher.update(value.unwrap_or_default());
        hasher.update(&[0]);
    }
    let [first, second, ..] = *hasher.finalize().as_bytes();
    let part = match u16::from_le_bytes([first, second]) % 10 {
        0..=7 => DataSplit::Train,
        8 => DataSplit::Tune,
        _ => DataSplit::Test,
    };
    let names = [&b"White"[..], b"Black"];
    Some(SplitLine {
        line: TrainingLine {
            start,
            plies,
            context,
            names: names.map(|name| game.tag(name).unwrap_or_default().to_vec()),
        },
        collection,
        part: Some(part),
    })
}
