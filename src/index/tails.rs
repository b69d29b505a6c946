//! The irreversible changes of each game after it leaves the opening tree.

use super::board::home_pawns;
use super::coded::{Coded, CodedGames, Shape, Symbols, Written};
use super::event::{CLASS_CONTEXTS, CONTEXTS, Context, Stand};
use super::line::Line;
use super::sought::Sought;
use super::tree::OpeningTree;
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::chess::{Position, Skeleton};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;
use crate::parallel;

/// The tails of the games of a tree, in the tree order.
#[derive(Debug, Clone)]
pub struct Tails {
    /// For the last position of each game: the number of White's and Black's pieces, kings
    /// and pawns included, and the pawns at home.
    ends: Vec<([u8; 2], u16)>,
    events: CodedGames,
}

/// The events of a line after its first `shared` plies, and its last skeleton; `None` if
/// the line contains an illegal move.
fn tail(line: &Line, shared: usize) -> Option<(Symbols, Skeleton)> {
    let mut position = Position::standard();
    let mut plies = line.plies.iter();
    for ply in plies.by_ref().take(shared) {
        position.make(ply.ply()).ok()?;
    }
    let mut symbols = Vec::new();
    let mut stand = Stand::new(position.skeleton());
    for ply in plies {
        position.make(ply.ply()).ok()?;
        let skeleton = position.skeleton();
        if skeleton != stand.skeleton {
            stand.write(skeleton, |context, symbol| {
                symbols.push((context.number(), symbol));
            });
        }
    }
    Some((symbols, stand.skeleton))
}

impl Tails {
    /// Encodes the tails of the games. The tree must be built from the same `lines`.
    /// Returns `None` if a line contains an illegal move.
    pub fn build(tree: &OpeningTree, lines: &[Option<Line>]) -> Option<Vec<u8>> {
        let shared = tree.shared_plies();
        let games = tree.order().iter().zip(&shared);
        let tails = parallel::map(games, |(game, shared)| {
            let line = lines.get(usize::try_from(*game).ok()?)?.as_ref()?;
            tail(line, *shared)
        });
        let tails = tails.into_iter().collect::<Option<Vec<_>>>()?;
        let (symbols, lasts): (Vec<Symbols>, Vec<Skeleton>) = tails.into_iter().unzip();
        let written = Written::new(&symbols, &shapes())?;
        let mut out = Vec::new();
        put_varint(&mut out, lasts.len() as u64);
        put_bytes(&mut out, &written.trees);
        let mut column = |value: fn(&Skeleton) -> u64| {
            let values: Vec<u64> = lasts.iter().map(value).collect();
            put_bytes(&mut out, &ints::encode(&values));
        };
        column(|last| last.men(0).into());
        column(|last| last.men(1).into());
        column(|last| home_pawns(last).into());
        put_bytes(&mut out, &ints::encode(&written.lengths));
        out.extend(written.bits);
        Some(out)
    }

    /// Decodes the section of the tails of `games` games.
    ///
    /// # Errors
    /// The section is damaged or belongs to another segment, or a limit is exceeded.
    pub fn parse(payload: &[u8], games: usize, limits: &Limits) -> Result<Tails, CodecError> {
        let mut reader = ByteReader::new(payload);
        if reader.length()? != games {
            return Err(CodecError::Damaged("tails of another number of games"));
        }
        let trees = reader.bytes()?;
        let mut column = || ints::decode(reader.bytes()?, games, limits);
        let [white, black, home, lengths] = [column()?, column()?, column()?, column()?];
        let men = |count: &u64| u8::try_from(*count).unwrap_or(u8::MAX);
        let men = white.iter().zip(&black).map(|(w, b)| [men(w), men(b)]);
        let home = home.iter().map(|home| u16::try_from(*home));
        let ends = men.zip(home).map(|(men, home)| Ok((men, home?)));
        let ends: Result<_, std::num::TryFromIntError> = ends.collect();
        Ok(Tails {
            ends: ends.map_err(|_| CodecError::Damaged("pawns at home that cannot be"))?,
            events: CodedGames::parse(trees, &lengths, reader.rest(), &shapes())?,
        })
    }

    /// Whether the game at `place` may contain the target, judging by its last position.
    pub(super) fn may_have(&self, place: usize, sought: &(impl Sought + ?Sized)) -> bool {
        let end = self.ends.get(place);
        end.is_some_and(|(men, home)| sought.may_be_before(*men, *home))
    }

    /// The events of the game at `place`. `skeleton` is its skeleton where it leaves the
    /// tree.
    pub(super) fn events(
        &self,
        place: usize,
        skeleton: Skeleton,
    ) -> Result<Events<'_>, CodecError> {
        Ok(Events {
            symbols: self.events.of(place)?,
            stand: Stand::new(skeleton),
        })
    }
}

/// A decoder of the events of a game.
#[derive(Debug, Clone)]
pub(super) struct Events<'a> {
    symbols: Coded<'a>,
    stand: Stand,
}

/// The result of an event.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub(super) skeleton: Skeleton,
    /// Whether only castling rights are lost. The event may then belong to the same ply as
    /// the previous one.
    pub(super) is_of_rights: bool,
}

impl Events<'_> {
    /// Decodes the next event; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Event>, CodecError> {
        if self.symbols.is_at_end() {
            return Ok(None);
        }
        let symbols = &mut self.symbols;
        self.stand
            .read(|context: Context| symbols.read(context.number()))?;
        Ok(Some(Event {
            skeleton: self.stand.skeleton,
            is_of_rights: self.stand.is_behind_rights(),
        }))
    }

    /// Decodes all events and returns the middle skeleton and the last one.
    pub(super) fn way(mut self) -> Result<[Skeleton; 2], CodecError> {
        let mut skeletons = vec![self.stand.skeleton];
        while let Some(event) = self.next()? {
            skeletons.push(event.skeleton);
        }
        let middle = skeletons.get(skeletons.len() / 2);
        Ok([middle.copied().unwrap_or_default(), self.stand.skeleton])
    }

    /// Whether a later event may lead to the target.
    pub(super) fn may_reach(
        &mut self,
        sought: &(impl Sought + ?Sized),
    ) -> Result<bool, CodecError> {
        while let Some(event) = self.next()? {
            if sought.may_be(&event.skeleton) {
                return Ok(true);
            }
            if sought.is_behind(&event.skeleton) {
                return Ok(false);
            }
        }
        Ok(false)
    }
}

/// The alphabets of the contexts of events.
fn shapes() -> [Shape; CONTEXTS] {
    std::array::from_fn(|number| Shape {
        alphabet: Context::alphabet(number),
        takes_bits: number < CLASS_CONTEXTS,
    })
}
