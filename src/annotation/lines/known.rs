//! Moves already seen in the positions of a record: played, or given by earlier
//! lines.

use crate::chess::{Color, PlyKind};
use std::collections::HashMap;

/// Where a move was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveSource {
    /// The last line through the position in a comment after a move of this
    /// side.
    Line(Color),
    /// The main line of the game.
    Game,
    /// The last variation through the position.
    Variation,
}

/// The number of sources. Each names at most one move per position.
pub(super) const SOURCES: usize = 4;

/// The maximum number of positions stored; further ones are ignored.
const MAX_POSITIONS: usize = 1 << 16;

/// The move that each source names, by position key.
#[derive(Debug, Clone, Default)]
pub struct NamedMoves {
    moves: HashMap<u64, [Option<PlyKind>; SOURCES]>,
}

/// The candidate moves of a position for a comment of one side.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    /// Distinct moves, in the order of their sources: lines of the same side,
    /// lines of the other side, the game, variations.
    pub(super) plies: Vec<PlyKind>,
    /// Which sources name a move, and which of them agree.
    pub(super) pattern: u32,
}

/// The number of patterns.
pub(super) const PATTERNS: u32 = 2 * 3 * 4 * 5;

impl NamedMoves {
    /// Records a move, replacing the one that the source named before.
    pub fn note(&mut self, key: u64, source: MoveSource, ply: PlyKind) {
        if self.moves.len() == MAX_POSITIONS && !self.moves.contains_key(&key) {
            return;
        }
        let moves = self.moves.entry(key).or_default();
        let number = match source {
            MoveSource::Line(Color::White) => 0,
            MoveSource::Line(Color::Black) => 1,
            MoveSource::Game => 2,
            MoveSource::Variation => 3,
        };
        if let Some(place) = moves.get_mut(number) {
            *place = Some(ply);
        }
    }

    /// Whether any source names this move in a position.
    pub(super) fn has(&self, key: u64, ply: PlyKind) -> bool {
        let moves = self.moves.get(&key);
        moves.is_some_and(|moves| moves.contains(&Some(ply)))
    }

    /// The legal candidates of a position for a comment after a move of `side`.
    pub(super) fn candidates(
        &self,
        key: u64,
        side: Color,
        is_legal: impl FnMut(PlyKind) -> bool,
    ) -> Candidates {
        let Some([white, black, game, variation]) = self.moves.get(&key).copied() else {
            return Candidates::default();
        };
        let [own, other] = side.fold_wb([white, black], [black, white]);
        Candidates::of([own, other, game, variation], is_legal)
    }
}

impl Candidates {
    fn of(named: [Option<PlyKind>; SOURCES], mut is_legal: impl FnMut(PlyKind) -> bool) -> Self {
        let mut found = Candidates::default();
        for (base, ply) in (2..).zip(named) {
            let place = |ply| found.plies.iter().position(|known| *known == ply);
            let digit = match (ply.and_then(place), ply) {
                (Some(place), _) => place + 1,
                (None, Some(ply)) if is_legal(ply) => {
                    found.plies.push(ply);
                    found.plies.len()
                }
                _ => 0,
            };
            found.pattern = found.pattern * base + u32::try_from(digit).unwrap_or(0);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, SanText};

    fn ply(san: &str) -> PlyKind {
        let text = SanText::parse(san.as_bytes()).expect("a move");
        ChessPosition::standard().read(&text).expect("legal").0
    }

    #[test]
    fn sources_that_agree_name_one_move() {
        let [a, b, c, d] = ["e4", "d4", "c4", "b4"].map(|san| Some(ply(san)));
        for (named, plies, pattern) in [
            ([None; 4], 0, 0),
            ([a, None, None, None], 1, 60),
            ([None, None, None, a], 1, 1),
            ([a, a, a, a], 1, 60 + 20 + 5 + 1),
            ([a, b, c, d], 4, 60 + 40 + 15 + 4),
            ([a, b, a, b], 2, 60 + 40 + 5 + 2),
            ([None, a, b, a], 2, 20 + 10 + 1),
        ] {
            let found = Candidates::of(named, |_| true);
            assert_eq!((found.plies.len(), found.pattern), (plies, pattern));
            assert!(found.pattern < PATTERNS);
        }
        let found = Candidates::of([a, b, None, a], |ply| Some(ply) != a);
        assert_eq!((found.plies, found.pattern), (vec![ply("d4")], 20));
    }

    #[test]
    fn the_last_word_counts() {
        let mut known = NamedMoves::default();
        let black = MoveSource::Line(Color::Black);
        known.note(7, black, ply("e4"));
        known.note(7, black, ply("d4"));
        known.note(7, MoveSource::Game, ply("c4"));
        let found = known.candidates(7, Color::Black, |_| true);
        assert_eq!(found.plies, [ply("d4"), ply("c4")]);
        assert_eq!(found.pattern, 60 + 2 * 5);
        let found = known.candidates(7, Color::White, |_| true);
        assert_eq!(found.pattern, 20 + 2 * 5);
        assert_eq!(known.candidates(8, Color::White, |_| true).pattern, 0);
    }
}
