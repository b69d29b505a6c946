//! The positions in the first plies of games after they leave the opening tree, as Bloom filters: they
//! rule out most games that reach the pawns and pieces of a position but not the position.

use super::continuations::Continuations;
use super::node_positions::{NodePosition, NodePositions};
use super::plies::ReplayOutcome;
use super::replay::Replay;
use super::tree::OpeningTree;
use crate::codec::error::CodecError;

/// A position to search for: its hash, and the potential of its skeleton.
#[derive(Debug, Clone, Copy)]
pub struct PositionTrace {
    pub key: u32,
    pub potential: u16,
}

/// What is known of the positions of a game after it leaves the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GamePositions {
    /// The positions in the first plies, two bits for each: a Bloom filter (B. H. Bloom, 1970). A game
    /// has about 12, so that one in ten of other positions seems to be in the set.
    early: u64,
    /// The greatest potential of the positions after these; `None` if there are none.
    later: Option<u16>,
}

/// What is known of the positions of the games, in the tree order.
#[derive(Debug, Clone)]
pub(super) struct FirstPositions(Vec<GamePositions>);

impl GamePositions {
    const UNKNOWN: GamePositions = GamePositions {
        early: u64::MAX,
        later: Some(u16::MAX),
    };

    fn may_contain(self, sought: PositionTrace) -> bool {
        let bits = bits_of(sought.key);
        let is_later = self.later.is_some_and(|later| sought.potential <= later);
        self.early & bits == bits || is_later
    }
}

fn bits_of(key: u32) -> u64 {
    1 << (key & 63) | 1 << (key >> 6 & 63)
}

impl FirstPositions {
    /// Replays the first plies of the games of a group, one after another. This takes 11 seconds for a million
    /// games.
    pub(super) fn compute(
        tree: &OpeningTree,
        continuations: &Continuations,
    ) -> Result<FirstPositions, CodecError> {
        let mut positions = Vec::with_capacity(tree.places());
        let mut starts = NodePositions::new(tree);
        for (node, exits) in tree.exits().into_iter().enumerate() {
            if exits.places.is_empty() {
                continue;
            }
            let start = starts.at_node(node)?;
            for place in exits.places {
                let of_game = continuations.positions_of(place, &start);
                positions.push(of_game.unwrap_or(GamePositions::UNKNOWN));
            }
        }
        Ok(FirstPositions(positions))
    }

    /// Whether the game at `place` may have a position after it leaves the tree.
    pub(super) fn may_contain(&self, place: usize, sought: PositionTrace) -> bool {
        let of_game = self.0.get(place);
        of_game.is_none_or(|of_game| of_game.may_contain(sought))
    }
}

impl Continuations {
    fn positions_of(
        &self,
        place: usize,
        start: &NodePosition,
    ) -> Result<GamePositions, CodecError> {
        let events = self.tails.events(place, start.position.skeleton())?;
        let mut replay = Replay::new(start.position.clone(), events)?;
        let mut early = 0;
        let outcome = self
            .plies
            .replay(place, start.plies, &mut replay, |replay| {
                early |= bits_of(replay.position.key());
                false
            })?;
        Ok(GamePositions {
            early,
            later: match outcome {
                ReplayOutcome::GameOver => None,
                _ => Some(replay.skeleton.potential()),
            },
        })
    }
}
