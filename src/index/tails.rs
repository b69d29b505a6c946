//! The irreversible changes of each game after it leaves the opening tree.

use super::board::home_pawns;
use super::coded::{
    CodedGames, ContextSpec, DecodedCodes, EncodedGames, EventSymbols, GameSymbols,
};
use super::event::{CLASS_CONTEXTS, CONTEXTS, EventContext, EventState};
use super::line::IndexLine;
use super::target::{Found, KnownPosition, SearchTarget, Ternary};
use crate::bits::{ByteReader, put_bytes};
use crate::chess::{Castlings, ChessPosition, Skeleton};
use crate::codec::error::CodecError;
use crate::codec::huffman::CodeTable;
use crate::codec::ints;
use crate::limits::Limits;
use std::sync::Arc;

/// The tails of the games of a group.
#[derive(Debug, Clone)]
pub(super) struct Tails {
    /// For the last position of each game: the number of White's and Black's pieces, kings
    /// and pawns included, and the pawns at home.
    final_counts: Vec<([u8; 2], u16)>,
    events: CodedGames,
}

/// The tail of a line, to encode.
pub(super) struct BuiltTail {
    pub(super) symbols: EventSymbols,
    pub(super) last: Skeleton,
}

impl BuiltTail {
    /// The events of a line after its first `shared` plies; `None` if the line contains an illegal
    /// move.
    pub(super) fn new(line: &IndexLine, shared: usize) -> Option<BuiltTail> {
        let mut position = ChessPosition::standard();
        let mut plies = line.plies.iter();
        for ply in plies.by_ref().take(shared) {
            position.make(ply.ply()).ok()?;
        }
        let mut symbols = Vec::new();
        let mut state = EventState::new(position.skeleton());
        for ply in plies {
            position.make(ply.ply()).ok()?;
            let skeleton = position.skeleton();
            if skeleton != state.skeleton {
                state.write(skeleton, |context, symbol| {
                    symbols.push((context.number(), symbol));
                });
            }
        }
        Some(BuiltTail {
            symbols,
            last: state.skeleton,
        })
    }
}

/// The number of events before the early skeleton of a summary.
const EARLY_EVENTS: usize = 3;

/// What an open archive remembers of a game.
#[derive(Debug, Clone)]
pub(super) struct TailSummary {
    early: Skeleton,
    middle: Skeleton,
    last: Skeleton,
    promotions: u32,
}

/// What an open archive remembers of its games, in the tree order. Searches read little of it of most
/// games, so it is in columns: a search that reads the last skeletons alone reads a third of the memory.
#[derive(Debug, Clone)]
pub(super) struct TailSummaries {
    /// The skeletons after the first events: they rule out most positions of openings that a game does
    /// not have.
    early: Vec<Skeleton>,
    middle: Vec<Skeleton>,
    last: Vec<Skeleton>,
    /// The numbers of promotions.
    promotions: Vec<u32>,
    /// The pawns at home in the early and in the middle skeletons.
    home: Vec<[u16; 2]>,
}

impl TailSummaries {
    pub(super) fn new(games: &[TailSummary]) -> TailSummaries {
        let column = |skeleton: fn(&TailSummary) -> Skeleton| games.iter().map(skeleton).collect();
        TailSummaries {
            early: column(|game| game.early),
            middle: column(|game| game.middle),
            last: column(|game| game.last),
            promotions: games.iter().map(|game| game.promotions).collect(),
            home: games
                .iter()
                .map(|game| [&game.early, &game.middle].map(home_pawns))
                .collect(),
        }
    }

    /// Whether a position with these pawns at home may be before or after both skeletons of the game:
    /// pawns leave home and never come back, so the pawns at home of one are among those of the
    /// other. This takes a nanosecond and rules out most games.
    pub(super) fn may_have_at_home(&self, place: usize, pawns: u16) -> bool {
        let are_near = |home: &u16| home & !pawns == 0 || pawns & !home == 0;
        self.home
            .get(place)
            .is_none_or(|of_game| of_game.iter().all(are_near))
    }

    /// Whether the target may occur in the game at `place`: it can precede the last skeleton, and it
    /// can precede or follow the others. What rules out most games is first: the early skeleton if the
    /// target `is_early`, else the last one.
    pub(super) fn may_contain(
        &self,
        place: usize,
        sought: &(impl SearchTarget + ?Sized),
        is_early: bool,
    ) -> bool {
        let promotions = self.promotions.get(place).copied().unwrap_or(u32::MAX);
        let of_game = |column: &Vec<Skeleton>, test: &dyn Fn(&Skeleton) -> bool| {
            column.get(place).is_none_or(test)
        };
        let precedes = |skeleton: &Skeleton| sought.may_precede(skeleton, promotions);
        let is_near =
            |skeleton: &Skeleton| precedes(skeleton) || !sought.is_unreachable_after(skeleton);
        (!is_early || of_game(&self.early, &is_near))
            && of_game(&self.last, &precedes)
            && of_game(&self.middle, &is_near)
            && (is_early || of_game(&self.early, &is_near))
    }
}

impl Tails {
    /// Encodes the tails of the games of a group.
    pub(super) fn write(
        tails: &[BuiltTail],
        codes: &[Option<CodeTable>],
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let written = EncodedGames::new(tails.iter().map(|tail| &tail.symbols), codes)?;
        let mut column = |value: fn(&Skeleton) -> u64| {
            let values: Vec<u64> = tails.iter().map(|tail| value(&tail.last)).collect();
            put_bytes(out, &ints::encode(&values));
        };
        column(|last| last.piece_count(0).into());
        column(|last| last.piece_count(1).into());
        column(|last| home_pawns(last).into());
        put_bytes(out, &ints::encode(&written.lengths));
        out.extend(written.bits);
        Some(())
    }

    /// Decodes the tails of the `games` games of a group.
    ///
    /// # Errors
    /// They are damaged.
    pub(super) fn parse(
        reader: &mut ByteReader<'_>,
        codes: &Arc<DecodedCodes>,
        games: usize,
        limits: &Limits,
    ) -> Result<Tails, CodecError> {
        let mut column = || ints::decode(reader.bytes()?, games, limits);
        let [white, black, home, lengths] = [column()?, column()?, column()?, column()?];
        let piece_counts = |count: &u64| u8::try_from(*count).unwrap_or(u8::MAX);
        let men = white
            .iter()
            .zip(&black)
            .map(|(w, b)| [piece_counts(w), piece_counts(b)]);
        let home = home.iter().map(|home| u16::try_from(*home));
        let ends = men.zip(home).map(|(men, home)| Ok((men, home?)));
        let ends: Result<_, std::num::TryFromIntError> = ends.collect();
        Ok(Tails {
            final_counts: ends.map_err(|_| CodecError::Damaged("pawns at home that cannot be"))?,
            events: CodedGames::parse(codes, &lengths, reader)?,
        })
    }

    /// Whether the game at `place` may contain the target, judging by its last position.
    pub(super) fn may_contain(&self, place: usize, sought: &(impl SearchTarget + ?Sized)) -> bool {
        let end = self.final_counts.get(place);
        end.is_some_and(|(men, home)| sought.may_occur_in_game_ending(*men, *home))
    }

    /// The events of the game at `place`. `skeleton` is its skeleton where it leaves the
    /// tree.
    pub(super) fn events(
        &self,
        place: usize,
        skeleton: Skeleton,
    ) -> Result<Events<'_>, CodecError> {
        Ok(Events {
            symbols: self.events.game(place)?,
            state: EventState::new(skeleton),
        })
    }
}

/// A decoder of the events of a game.
#[derive(Debug, Clone)]
pub(super) struct Events<'a> {
    symbols: GameSymbols<'a>,
    state: EventState,
}

/// The result of an event.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub(super) skeleton: Skeleton,
    /// Whether only castling rights are lost. The event may then belong to the same ply as
    /// the previous one.
    pub(super) is_rights_only: bool,
}

impl Events<'_> {
    /// Decodes the next event; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Event>, CodecError> {
        if self.symbols.is_at_end() {
            return Ok(None);
        }
        let symbols = &mut self.symbols;
        self.state
            .read(|context: EventContext| symbols.read(context.number()))?;
        Ok(Some(Event {
            skeleton: self.state.skeleton,
            is_rights_only: self.state.last_event_is_rights(),
        }))
    }

    /// Decodes all events, in a game with this many promotions before them.
    pub(super) fn summary(mut self, promotions: u32) -> Result<TailSummary, CodecError> {
        let mut skeletons = vec![self.state.skeleton];
        while let Some(event) = self.next()? {
            skeletons.push(event.skeleton);
        }
        let middle = skeletons.get(skeletons.len() / 2);
        let steps = skeletons.iter().zip(skeletons.iter().skip(1));
        let promoted = steps.filter(|(before, after)| after.has_more_officers_than(before));
        let early = skeletons.get(EARLY_EVENTS).unwrap_or(&self.state.skeleton);
        Ok(TailSummary {
            early: *early,
            middle: middle.copied().unwrap_or_default(),
            last: self.state.skeleton,
            promotions: promoted.fold(promotions, |count, _| count.saturating_add(1)),
        })
    }

    /// Whether the game has the target in the present skeleton or later; `None` if it has not. With
    /// `without_places`, ends at the first skeleton that certainly has it.
    pub(super) fn judge(
        &mut self,
        sought: &(impl SearchTarget + ?Sized),
        castlings: Option<Castlings>,
        without_places: bool,
    ) -> Result<Option<Found>, CodecError> {
        let mut found = None;
        loop {
            let skeleton = self.state.skeleton;
            let known = KnownPosition::of(&skeleton, castlings);
            let judged = sought.judge(&known);
            if judged != Ternary::FALSE {
                found = Some(Found::Possible(skeleton.potential()));
            } else if sought.is_unreachable_after(&skeleton) {
                return Ok(found);
            }
            let next = self.next()?;
            // If rights alone are lost next, a position with this skeleton need not exist.
            let is_real = next.is_none_or(|event| !event.is_rights_only);
            if without_places && judged == Ternary::TRUE && is_real {
                return Ok(Some(Found::Somewhere));
            }
            if next.is_none() {
                return Ok(found);
            }
        }
    }
}

/// The alphabets of the contexts of events.
pub(super) fn event_contexts() -> [ContextSpec; CONTEXTS] {
    std::array::from_fn(|number| ContextSpec {
        alphabet: EventContext::alphabet(number),
        has_no_empty_code: number < CLASS_CONTEXTS,
    })
}
