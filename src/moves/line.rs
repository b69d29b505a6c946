//! The inputs and outputs of move codecs.

use crate::chess::{ChessPosition, IllegalPly, Outcome, PlyKind, SetupRest};
use crate::limits::Limits;
use crate::model::{GameContext, Ratings, SideInfo};

use super::error::MoveError;

/// A line to encode: a start position and the plies from it.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The position before the first ply.
    pub start: &'a ChessPosition,
    /// The plies, null moves included.
    pub plies: &'a [PlyKind],
    /// The result of the game by its termination marker. `radix-end` encodes it
    /// and `model` uses it as a feature. `None` if the result is unknown or the
    /// line is not a whole game.
    pub result: Option<Outcome>,
    /// The ratings of the players, which `model` uses as features.
    pub ratings: Ratings,
    /// The model of the line's segment, which `model` uses.
    pub side_info: SideInfo<'a>,
}

impl<'a> Line<'a> {
    /// A line without result and ratings.
    pub fn new(start: &'a ChessPosition, plies: &'a [PlyKind]) -> Self {
        Line {
            start,
            plies,
            result: None,
            ratings: Ratings::default(),
            side_info: SideInfo::default(),
        }
    }

    /// The data for a model besides the moves.
    pub fn context(&self) -> GameContext {
        GameContext {
            ratings: self.ratings,
            outcome: self.result,
            plies: u32::try_from(self.plies.len()).unwrap_or(u32::MAX),
        }
    }

    /// The number of plies that are moves.
    pub(super) fn moves(&self) -> usize {
        self.plies
            .iter()
            .filter(|ply| **ply != PlyKind::Null)
            .count()
    }
}

/// The side information of a decoder about a line.
#[derive(Debug, Clone, Copy)]
pub struct LineInfo<'a> {
    /// The known part of the start position.
    pub start: LineStart<'a>,
    /// The number of plies, null moves included. `radix-end` ignores it, because
    /// it encodes that number.
    pub plies: u64,
    /// The indexes of the null moves, from 0, ascending.
    pub nulls: &'a [u64],
    /// As in [`Line::result`], for `model`. `radix-end` encodes it.
    pub result: Option<Outcome>,
    /// As in [`Line::ratings`].
    pub ratings: Ratings,
    /// As in [`Line::side_info`].
    pub side_info: SideInfo<'a>,
}

/// The part of the start position that a decoder knows.
#[derive(Debug, Clone, Copy)]
pub enum LineStart<'a> {
    /// The complete position. A codec that encodes the start position checks
    /// that both are the same.
    Position(&'a ChessPosition),
    /// All but the pieces and the side to move, for a codec that encodes these.
    WithoutPieces(&'a SetupRest),
}

impl LineStart<'_> {
    /// Whether a decoded start position agrees with the known part.
    pub(super) fn matches_start(&self, position: &ChessPosition) -> bool {
        match self {
            LineStart::Position(known) => known.is_same_as(position),
            LineStart::WithoutPieces(rest) => **rest == position.setup_rest(),
        }
    }

    /// The start position, for a codec that does not encode it.
    ///
    /// # Errors
    /// It is not known.
    pub(super) fn known(&self) -> Result<&ChessPosition, MoveError> {
        match self {
            LineStart::Position(known) => Ok(known),
            LineStart::WithoutPieces(_) => Err(MoveError::StartUnknown),
        }
    }
}

/// A decoded line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedLine {
    /// The position before the first ply.
    pub start: ChessPosition,
    /// The plies, null moves included.
    pub plies: Vec<PlyKind>,
    /// The result of the game, from a codec that encodes it.
    pub result: Option<Outcome>,
}

impl<'a> LineInfo<'a> {
    /// A line without result and ratings.
    pub fn new(start: LineStart<'a>, plies: u64, nulls: &'a [u64]) -> Self {
        LineInfo {
            start,
            plies,
            nulls,
            result: None,
            ratings: Ratings::default(),
            side_info: SideInfo::default(),
        }
    }

    /// The data for a model besides the moves.
    pub(super) fn context(&self) -> GameContext {
        GameContext {
            ratings: self.ratings,
            outcome: self.result,
            plies: u32::try_from(self.plies).unwrap_or(u32::MAX),
        }
    }

    /// Checks the number of plies and the null moves before any work.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), MoveError> {
        if self.plies > limits.plies {
            return Err(MoveError::TooManyPlies {
                plies: self.plies,
                limit: limits.plies,
            });
        }
        let inside = self.nulls.last().is_none_or(|last| *last < self.plies);
        if inside {
            self.check_order()
        } else {
            Err(MoveError::NullPlies)
        }
    }

    /// Checks that the null moves ascend, for a codec that encodes the number of
    /// plies.
    pub(super) fn check_order(&self) -> Result<(), MoveError> {
        if self.nulls.is_sorted_by(|a, b| a < b) {
            Ok(())
        } else {
            Err(MoveError::NullPlies)
        }
    }

    /// The number of plies that are moves.
    pub(super) fn moves(&self) -> u64 {
        self.plies.saturating_sub(self.nulls.len() as u64)
    }

    /// The number of null moves before the first move.
    pub(super) fn leading_nulls(&self) -> u64 {
        let leading = (0u64..).zip(self.nulls);
        leading.take_while(|(ply, null)| ply == *null).count() as u64
    }

    /// Plays the line: null moves at their indexes, elsewhere the result of
    /// `next` for the position and the index of the ply, if that is legal.
    pub(super) fn play<E: Into<MoveError>>(
        &self,
        start: ChessPosition,
        mut next: impl FnMut(&ChessPosition, u64) -> Result<PlyKind, E>,
    ) -> Result<DecodedLine, MoveError> {
        self.play_by(start, |position, ply| {
            let played = next(position, ply).map_err(E::into)?;
            let illegal = |IllegalPly| MoveError::IllegalMove { ply };
            position.make(played).map_err(illegal)?;
            Ok(played)
        })
    }

    /// Like [`play`](Self::play), but `next` plays the ply itself.
    pub(super) fn play_by(
        &self,
        start: ChessPosition,
        mut next: impl FnMut(&mut ChessPosition, u64) -> Result<PlyKind, MoveError>,
    ) -> Result<DecodedLine, MoveError> {
        let mut position = start.clone();
        let mut plies = Vec::new();
        let mut nulls = self.nulls.iter().peekable();
        for ply in 0..self.plies {
            let played = match nulls.next_if_eq(&&ply) {
                Some(_) => pass(&mut position, ply)?,
                None => next(&mut position, ply)?,
            };
            plies.push(played);
        }
        Ok(DecodedLine {
            start,
            plies,
            result: None,
        })
    }
}

/// Plays a null move, the ply with this index.
pub(super) fn pass(position: &mut ChessPosition, ply: u64) -> Result<PlyKind, MoveError> {
    let in_check = |IllegalPly| MoveError::NullInCheck { ply };
    position.make(PlyKind::Null).map_err(in_check)?;
    Ok(PlyKind::Null)
}

/// The indexes of the null moves of a line, for a decoder.
pub fn null_plies(plies: &[PlyKind]) -> Vec<u64> {
    let numbered = (0..).zip(plies);
    numbered
        .filter(|(_, ply)| **ply == PlyKind::Null)
        .map(|(index, _)| index)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape<'a>(rest: &'a SetupRest, plies: u64, nulls: &'a [u64]) -> LineInfo<'a> {
        LineInfo::new(LineStart::WithoutPieces(rest), plies, nulls)
    }

    #[test]
    fn counts_are_checked() {
        let rest = ChessPosition::standard().setup_rest();
        let limits = Limits {
            plies: 9,
            ..Limits::default()
        };
        let check = |plies, nulls: &[u64]| shape(&rest, plies, nulls).check(&limits);
        assert_eq!(check(9, &[0, 4, 8]), Ok(()));
        assert_eq!(check(9, &[0, 4, 9]), Err(MoveError::NullPlies));
        assert_eq!(check(9, &[4, 4]), Err(MoveError::NullPlies));
        assert_eq!(check(9, &[4, 3]), Err(MoveError::NullPlies));
        let error = MoveError::TooManyPlies {
            plies: 10,
            limit: 9,
        };
        assert_eq!(check(10, &[]), Err(error));
    }

    #[test]
    fn null_moves_are_found_and_played() {
        let start = ChessPosition::standard();
        let e4 = PlyKind::Move {
            from: crate::chess::Square::E2,
            to: crate::chess::Square::E4,
            promotion: None,
        };
        let plies = [
            PlyKind::Null,
            PlyKind::Null,
            e4,
            PlyKind::Null,
            PlyKind::Null,
        ];
        let nulls = null_plies(&plies);
        assert_eq!(nulls, [0, 1, 3, 4]);
        let rest = start.setup_rest();
        let shape = shape(&rest, 5, &nulls);
        assert_eq!((shape.moves(), shape.leading_nulls()), (1, 2));
        let play = |played| shape.play(start.clone(), |_, _| Ok::<_, MoveError>(played));
        let line = play(e4).expect("a line");
        assert_eq!(line.plies, plies);
        let illegal = MoveError::IllegalMove { ply: 2 };
        let e2_e2 = PlyKind::Move {
            from: crate::chess::Square::E2,
            to: crate::chess::Square::E2,
            promotion: None,
        };
        assert_eq!(play(e2_e2), Err(illegal));
    }

    #[test]
    fn nobody_passes_in_check() {
        let fen = b"4k3/8/8/8/8/8/8/4RK2 b - - 0 1";
        let start = ChessPosition::from_fen(fen, crate::chess::Rules::CHESS).expect("a position");
        let rest = start.setup_rest();
        let line = shape(&rest, 1, &[0]).play(start, |_, _| Ok::<_, MoveError>(PlyKind::Null));
        assert_eq!(line, Err(MoveError::NullInCheck { ply: 0 }));
    }
}
