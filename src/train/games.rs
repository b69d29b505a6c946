//! The games to train on, split into three parts.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use pgna::internals::chess::{ChessPosition, Outcome, PlyKind};
use pgna::internals::model::{GameContext, Ratings};
use pgna::internals::pgn::Splitter;
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

/// The main line of a game.
#[derive(Debug)]
pub(crate) struct TrainingLine {
    pub(crate) start: ChessPosition,
    pub(crate) plies: Vec<PlyKind>,
    pub(crate) context: GameContext,
    /// The names of White and Black.
    pub(crate) names: [Vec<u8>; 2],
    pub(crate) collection: usize,
    part: Option<DataSplit>,
}

impl TrainingLine {
    /// A line without collection and part.
    #[cfg(test)]
    pub(crate) fn new(start: ChessPosition, plies: Vec<PlyKind>, context: GameContext) -> Self {
        TrainingLine {
            start,
            plies,
            context,
            names: [const { Vec::new() }; 2],
            collection: 0,
            part: None,
        }
    }
}

/// All games read.
#[derive(Debug, Default)]
pub(crate) struct TrainingSet {
    pub(crate) collections: Vec<(String, usize)>,
    lines: Vec<TrainingLine>,
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
        for line in &mut self.lines {
            let first = &line.plies[..line.plies.len().min(SHARED_PLIES)];
            let key = blake3::hash(format!("{} {first:?}", line.start.fen()).as_bytes());
            let part = *parts.entry(key).or_insert(line.part);
            if part != line.part {
                line.part = None;
            }
        }
    }

    /// All games.
    pub(crate) fn all(&self) -> impl Iterator<Item = &TrainingLine> {
        self.lines.iter()
    }

    /// The games of a part of a collection.
    pub(crate) fn of(
        &self,
        part: DataSplit,
        collection: usize,
    ) -> impl Iterator<Item = &TrainingLine> {
        let lines = self.lines.iter();
        lines.filter(move |line| line.part == Some(part) && line.collection == collection)
    }

    /// The games of a part in random order, each as many times as its
    /// collection specifies.
    pub(crate) fn shuffled(&self, part: DataSplit, seed: u64) -> Vec<&TrainingLine> {
        let mut order = Vec::new();
        for line in self.lines.iter().filter(|line| line.part == Some(part)) {
            let (_, times) = self.collections[line.collection];
            order.extend(std::iter::repeat_n(line, times));
        }
        Random(seed).shuffle(&mut order);
        order
    }
}

/// The main line of a game; `None` if it cannot be trained on.
fn line(game: &Game, collection: usize) -> Option<TrainingLine> {
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
    Some(TrainingLine {
        start,
        plies,
        context,
        names: [&b"White"[..], b"Black"].map(|name| game.tag(name).unwrap_or_default().to_vec()),
        collection,
        part: Some(part),
    })
}

/// Random numbers: xorshift64* (Marsaglia).
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Shuffles a slice.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }

    /// A random number from −bound to bound.
    pub(crate) fn spread(&mut self, bound: f32) -> f32 {
        let unit = (self.next() >> 40) as f32 / (1u64 << 24) as f32;
        bound * (2.0 * unit - 1.0)
    }
}
