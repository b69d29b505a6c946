//! The speed of the move model, and where its time goes.
//!
//!     cargo bench --bench model [-- [LEVEL=WEIGHTS…] NAME…]
//!
//! For each level: the plies per second that one thread encodes and decodes,
//! with and without newer instructions, compared with `radix`; then the share
//! of each stage. Weights are 0 unless a file is given: the time hardly depends
//! on them. Corpora are found as by `cargo bench --bench corpora`, and the
//! first games of each are used.

#[path = "corpora/inputs.rs"]
mod inputs;
#[path = "model/stages.rs"]
mod stages;

use anyhow::{Context as _, Result};
use pgna::internals::chess::{ChessPosition, Outcome, PlyKind};
use pgna::internals::codec::range::{Decoder, Encoder};
use pgna::internals::model::Follower;
use pgna::internals::model::{
    Board, Default, Fast, GameAdaptation, GameContext, Level, Max, Processor, Ratings, Weights,
};
use pgna::internals::moves::{Line, LineInfo, LineStart, MoveCodec};
use pgna::internals::pgn::Splitter;
use pgna::{Codec, Game, Limits, Token};
use std::hint::black_box;
use std::time::Instant;

/// The number of games of each corpus.
const GAMES: usize = 1000;

/// Groups of this many games are timed separately and their times summed, so
/// that interference by other processes affects few of the runs.
const GROUP: usize = 50;

/// The number of runs of a group, of which the minimum counts.
const RUNS: usize = 9;

/// The main line of a game of chess.
pub(crate) struct Played {
    pub(crate) start: ChessPosition,
    pub(crate) plies: Vec<PlyKind>,
    pub(crate) context: GameContext,
}

fn main() -> Result<()> {
    let args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let (weights, names): (Vec<String>, Vec<String>) = args.partition(|arg| arg.contains('='));
    let folder = tempfile::tempdir()?;
    for source in inputs::sources(&names)? {
        let corpus = source.prepare(folder.path())?;
        let games = games(&std::fs::read(&corpus.path)?);
        let plies = plies(&games);
        println!(
            "{} ({} bytes): the first {} games, {plies} plies",
            corpus.name,
            corpus.raw_bytes,
            games.len()
        );
        if plies == 0 {
            continue;
        }
        let radix = radix(&games);
        println!(
            "  radix               encode {} decode {} plies/s",
            rate(radix.0),
            rate(radix.1)
        );
        level::<Fast, { Fast::UNITS }, { Fast::MOVE_UNITS }>("fast", &weights, &games, radix)?;
        level::<Default, { Default::UNITS }, { Default::MOVE_UNITS }>(
            "default", &weights, &games, radix,
        )?;
        level::<Max, { Max::UNITS }, { Max::MOVE_UNITS }>("max", &weights, &games, radix)?;
    }
    Ok(())
}

/// The first games of chess without null moves.
fn games(text: &[u8]) -> Vec<Played> {
    let records = Splitter::new(text, true, false);
    let records = records.filter_map(|record| text.get(record.start..record.end));
    records
        .filter_map(|text| played(&Game::parse(text)))
        .take(GAMES)
        .collect()
}

fn played(game: &Game) -> Option<Played> {
    let (start, plies) = (game.main_line_position(0)?, game.main_line_plies());
    Board::new(&start).filter(|_| !plies.is_empty() && !plies.contains(&PlyKind::Null))?;
    let tags = game.tags.iter();
    let outcome = game.tokens.iter().rev().find_map(|token| match token {
        Token::Outcome(marker) => Outcome::from_ascii(marker.as_bytes()).ok(),
        _ => None,
    });
    let context = GameContext {
        ratings: Ratings::of_tags(tags.map(|(name, value)| (&name[..], &value[..]))),
        outcome,
        plies: u32::try_from(plies.len()).ok()?,
    };
    Some(Played {
        start,
        plies,
        context,
    })
}

fn plies(games: &[Played]) -> usize {
    games.iter().map(|game| game.plies.len()).sum()
}

/// The nanoseconds per ply of some work on all games. `prepare` is not timed.
#[expect(clippy::cast_precision_loss, reason = "figures for display")]
pub(crate) fn nanos_a_ply<T>(
    games: &[Played],
    prepare: impl Fn(&[Played]) -> T,
    work: impl Fn(&[Played], &T),
) -> f64 {
    let times = games.chunks(GROUP).map(|group| {
        let prepared = prepare(group);
        let times = (0..RUNS).map(|_| {
            let clock = Instant::now();
            work(group, &prepared);
            clock.elapsed().as_nanos() as f64
        });
        times.fold(f64::INFINITY, f64::min)
    });
    times.sum::<f64>() / plies(games) as f64
}

/// No preparation.
pub(crate) fn no_preparation(_: &[Played]) {}

fn rate(nanos: f64) -> String {
    format!("{:9.0}", 1e9 / nanos)
}

/// Nanoseconds per ply of `radix`.
fn radix(games: &[Played]) -> (f64, f64) {
    let encode = |game: &Played| Codec::Radix.encode(Line::new(&game.start, &game.plies));
    let encode_all = |games: &[Played]| -> Vec<_> { games.iter().map(encode).collect() };
    let encoding = nanos_a_ply(games, no_preparation, |games, ()| {
        drop(black_box(encode_all(games)));
    });
    let decoding = nanos_a_ply(games, encode_all, |games, codes| {
        for (game, code) in games.iter().zip(codes) {
            let shape = LineInfo::new(
                LineStart::Position(&game.start),
                game.plies.len() as u64,
                &[],
            );
            let bytes = code.as_deref().unwrap_or_default();
            black_box(Codec::Radix.decode(bytes, &shape, &Limits::default())).ok();
        }
    });
    (encoding, decoding)
}

fn level<L: Level, const H: usize, const K: usize>(
    name: &str,
    files: &[String],
    games: &[Played],
    radix: (f64, f64),
) -> Result<()> {
    let file = files
        .iter()
        .find_map(|file| file.strip_prefix(name)?.strip_prefix('='));
    let weights: Weights<L, H, K> = match file {
        Some(file) => Weights::from_bytes(std::fs::read(file)?.leak()).context("other weights")?,
        None => Weights::zero(),
    };
    for (way, processor) in [("as it is", Processor::detect()), ("plain", Processor::ANY)] {
        let encode = |games: &[Played]| encode(&weights, games, processor);
        let encoding = nanos_a_ply(games, no_preparation, |games, ()| drop(encode(games)));
        let decoding = nanos_a_ply(games, encode, |games, bytes| {
            decode(&weights, games, processor, bytes);
        });
        println!(
            "  {name:8} {way:8}   encode {} decode {} plies/s; times radix {:.2} {:.2}; ns {encoding:.0} {decoding:.0}",
            rate(encoding),
            rate(decoding),
            encoding / radix.0,
            decoding / radix.1,
        );
    }
    stages::print(&weights, games);
    Ok(())
}

pub(crate) fn encode<L: Level, const H: usize, const K: usize>(
    weights: &Weights<L, H, K>,
    games: &[Played],
    processor: Processor,
) -> Vec<u8> {
    let mut encoder = Encoder::new();
    for game in games {
        let follower = Follower::new(weights, &game.start, game.context, GameAdaptation::NONE);
        let Some(mut follower) = follower.map(|follower| follower.with_processor(processor)) else {
            continue;
        };
        for ply in &game.plies {
            follower.encode(*ply, &mut encoder);
        }
    }
    encoder.finish()
}

fn decode<L: Level, const H: usize, const K: usize>(
    weights: &Weights<L, H, K>,
    games: &[Played],
    processor: Processor,
    bytes: &[u8],
) {
    let mut decoder = Decoder::new(bytes);
    for game in games {
        let follower = Follower::new(weights, &game.start, game.context, GameAdaptation::NONE);
        let Some(mut follower) = follower.map(|follower| follower.with_processor(processor)) else {
            continue;
        };
        for ply in &game.plies {
            let decoded = follower.decode(&mut decoder);
            assert_eq!(decoded, Ok(Some(*ply)), "decodes to another move");
        }
    }
}
