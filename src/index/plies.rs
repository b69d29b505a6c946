//! The first plies of games after they leave the opening tree. Up to there, games are
//! replayed without decoding their moves.

use super::coded::{CodedGames, Codes, ContextSpec, DecodedCodes, EncodedGames, EventSymbols};
use super::line::IndexLine;
use super::replay::{KINDS, Replay, kind_of};
use super::tails::Tails;
use super::tree::MAX_PLIES;
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::chess::{ChessPosition, PlyKind, side_of};
use crate::codec::error::CodecError;
use crate::codec::huffman::{Alphabet, CodeTable};
use crate::codec::ints;
use crate::limits::Limits;
use crate::parallel;
use std::sync::Arc;

/// Plies up to this one of each game are stored. On 192,630 master games, up to ply 20 they
/// take 1.9 bytes per game, up to ply 24 4.0. Positions that many games share mostly occur
/// earlier.
const MAX_STORED_PLY: usize = 24;

/// The escape symbol: it adds 63 to the index of a choice, and another symbol follows.
const ESCAPE: u8 = 63;

/// The number of contexts. The context of a choice is the number of choices that make
/// events, at most `CONTEXTS - 1`.
const CONTEXTS: usize = 4;

/// How first plies are coded.
#[derive(Debug)]
pub(super) struct PlyCodes {
    /// Plies up to this one are stored.
    depth: usize,
    /// A score of each kind of moves. Higher means more frequent.
    scores: Vec<u8>,
    codes: Arc<DecodedCodes>,
}

/// The first plies of the games of a group.
#[derive(Debug, Clone)]
pub(super) struct FirstPlies {
    codes: Arc<PlyCodes>,
    choices: CodedGames,
}

impl PlyCodes {
    pub(super) fn write(scores: &[u8], codes: &Codes, out: &mut Vec<u8>) {
        let scores: Vec<u64> = scores.iter().copied().map(u64::from).collect();
        put_varint(out, MAX_STORED_PLY as u64);
        put_bytes(out, &ints::encode(&scores));
        put_bytes(out, &codes.write(&choice_contexts()));
    }

    /// # Errors
    /// The codes are damaged.
    pub(super) fn parse(
        reader: &mut ByteReader<'_>,
        limits: &Limits,
    ) -> Result<PlyCodes, CodecError> {
        let depth = reader.length()?;
        if depth > MAX_PLIES {
            return Err(CodecError::Damaged("plies that go on too far"));
        }
        let scores = ints::decode(reader.bytes()?, KINDS, limits)?;
        let scores = scores.into_iter().map(u8::try_from);
        let scores: Result<Vec<u8>, _> = scores.collect();
        Ok(PlyCodes {
            depth,
            scores: scores.map_err(|_| CodecError::Damaged("a score above 255"))?,
            codes: Arc::new(DecodedCodes::parse(reader.bytes()?, &choice_contexts())?),
        })
    }
}

impl FirstPlies {
    /// Encodes the first plies of the games of a group.
    pub(super) fn write(
        games: &[EventSymbols],
        codes: &[Option<CodeTable>],
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let written = EncodedGames::new(games, codes)?;
        put_bytes(out, &ints::encode(&written.lengths));
        out.extend(written.bits);
        Some(())
    }

    /// Decodes the first plies of the `games` games of a group.
    ///
    /// # Errors
    /// They are damaged.
    pub(super) fn parse(
        reader: &mut ByteReader<'_>,
        codes: &Arc<PlyCodes>,
        games: usize,
        limits: &Limits,
    ) -> Result<Self, CodecError> {
        let lengths = ints::decode(reader.bytes()?, games, limits)?;
        Ok(FirstPlies {
            codes: Arc::clone(codes),
            choices: CodedGames::parse(&codes.codes, &lengths, reader)?,
        })
    }

    /// Replays the stored plies of the game at `place`, which leaves the tree after
    /// `shared` plies. Stops after the first ply for which `see` returns true.
    pub(super) fn replay(
        &self,
        place: usize,
        shared: usize,
        replay: &mut Replay<'_>,
        mut matches: impl FnMut(&Replay<'_>) -> bool,
    ) -> Result<ReplayOutcome, CodecError> {
        let mut coded = self.choices.game(place)?;
        for ply in shared + 1..=self.codes.depth {
            if coded.is_at_end() {
                return Ok(ReplayOutcome::GameOver);
            }
            let choices = replay.choices(&self.codes.scores);
            let mut number = 0;
            loop {
                let symbol = coded.read(choices.event_count().min(CONTEXTS - 1))?;
                number += usize::from(symbol);
                // An index past the last choice is damage, so reading can stop here.
                if symbol < ESCAPE || number >= choices.len() {
                    break;
                }
            }
            let chosen = choices.into_nth(number);
            replay.play(chosen.ok_or(CodecError::Damaged("a ply that is no choice"))?)?;
            if matches(replay) {
                return Ok(ReplayOutcome::Matched(ply));
            }
        }
        Ok(ReplayOutcome::OutOfPlies)
    }
}

/// The outcome of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplayOutcome {
    /// It stopped after this ply, for which `see` returned true.
    Matched(usize),
    /// It reached the end of the game.
    GameOver,
    /// It reached the last stored ply, and the game may continue.
    OutOfPlies,
}

/// A game to encode.
pub(super) struct LineSuffix<'a> {
    pub(super) line: &'a IndexLine,
    /// The number of plies after which it leaves the tree.
    pub(super) shared: usize,
}

impl LineSuffix<'_> {
    /// The position at which the game leaves the tree.
    fn start(&self) -> Option<ChessPosition> {
        let mut position = ChessPosition::standard();
        for ply in self.line.plies.iter().take(self.shared) {
            position.make(ply.ply()).ok()?;
        }
        Some(position)
    }

    /// The plies to store.
    fn plies(&self) -> impl Iterator<Item = PlyKind> {
        let plies = self
            .line
            .plies
            .iter()
            .take(MAX_STORED_PLY)
            .skip(self.shared);
        plies.map(|ply| ply.ply())
    }

    /// The index of each ply among its choices, as symbols. `place` is that of the game in `tails`.
    pub(super) fn choices(
        &self,
        tails: &Tails,
        place: usize,
        scores: &[u8],
    ) -> Option<EventSymbols> {
        let start = self.start()?;
        let events = tails.events(place, start.skeleton()).ok()?;
        let mut replay = Replay::new(start, events).ok()?;
        let mut symbols = EventSymbols::new();
        for ply in self.plies() {
            let choices = replay.choices(scores);
            let context = choices.event_count().min(CONTEXTS - 1);
            let mut number = choices.number(ply)?;
            while let Some(remaining) = number.checked_sub(ESCAPE.into()) {
                symbols.push((context, ESCAPE));
                number = remaining;
            }
            symbols.push((context, u8::try_from(number).ok()?));
            replay.play(ply).ok()?;
        }
        Some(symbols)
    }
}

/// Scores of the kinds of moves: eight times the binary logarithm of their counts, plus 1.
/// Kinds that never occur score 0.
pub(super) fn scores(games: &[&LineSuffix<'_>]) -> Option<Vec<u8>> {
    let counted = parallel::map(games, |game| {
        let mut position = game.start()?;
        let mut kinds = Vec::new();
        for ply in game.plies() {
            if let PlyKind::Move { from, .. } = ply {
                let piece = position.piece_at(from)?;
                kinds.extend(kind_of(side_of(piece.color), piece.role, ply));
            }
            position.make(ply).ok()?;
        }
        Some(kinds)
    });
    let mut counts = vec![0u64; KINDS];
    for kinds in counted {
        for kind in kinds? {
            *counts.get_mut(kind)? += 1;
        }
    }
    let scores = counts.into_iter().map(|count| {
        let Some(whole) = count.checked_ilog2() else {
            return 0;
        };
        // The three bits after the leading one approximate the fraction.
        let part = (u128::from(count) << 3 >> whole) & 7;
        u8::try_from(8 * u128::from(whole) + part + 1).unwrap_or(u8::MAX)
    });
    Some(scores.collect())
}

/// Every ply takes at least one bit, so the number of bits determines where a game ends.
pub(super) fn choice_contexts() -> [ContextSpec; CONTEXTS] {
    [ContextSpec {
        alphabet: Alphabet::new(6, ESCAPE + 1),
        has_no_empty_code: true,
    }; CONTEXTS]
}
