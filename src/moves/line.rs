//! What goes into a move codec and what comes out.

use crate::chess::{IllegalPly, NoPieceIds, Outcome, PlyKind, Position, SetupRest};
use crate::limits::Limits;
use crate::model::{Advice, Context, Ratings};

use super::huffman::HuffmanError;
use super::model::ModelError;
use super::radix::RadixError;
use super::san::SanError;
use super::squares::SquaresError;

/// A line to encode: a start position and what is played from it.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The position before the first ply.
    pub start: &'a Position,
    /// The plies, null moves included.
    pub plies: &'a [PlyKind],
    /// How the game ended, as its termination marker says: for `radix-end`,
    /// which codes it, and `model`, which looks at it. `None` where that is open
    /// or the line is no whole game.
    pub result: Option<Outcome>,
    /// The ratings of the players: for `model`, which looks at them.
    pub ratings: Ratings,
    /// What the segment of the line says on it: for `model`.
    pub advice: Advice<'a>,
}

impl<'a> Line<'a> {
    /// A line without result and ratings.
    pub fn new(start: &'a Position, plies: &'a [PlyKind]) -> Self {
        Line {
            start,
            plies,
            result: None,
            ratings: Ratings::default(),
            advice: Advice::default(),
        }
    }

    /// What a model sees of the line besides its moves.
    pub fn context(&self) -> Context {
        Context {
            ratings: self.ratings,
            outcome: self.result,
            plies: u32::try_from(self.plies.len()).unwrap_or(u32::MAX),
        }
    }

    /// How many plies are moves.
    pub(super) fn moves(&self) -> usize {
        self.plies
            .iter()
            .filter(|ply| **ply != PlyKind::Null)
            .count()
    }
}

/// Why a codec cannot represent a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CannotRepresent {
    /// A ply, counted from 0, is not legal.
    #[error("ply {ply} is not legal")]
    IllegalPly {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// The codec's form is for the standard start position only.
    #[error("not the standard start position")]
    NotStandardStart,
    /// The pieces of the start position cannot have IDs.
    #[error(transparent)]
    PieceIds(#[from] NoPieceIds),
    /// A piece is dropped, for which the codec has no form.
    #[error("a drop at ply {ply}")]
    Drop {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// A pawn becomes a king, for which the codec has no form.
    #[error("a promotion to king at ply {ply}")]
    KingPromotion {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// The codec knows no rules but those of chess.
    #[error("not a game of chess")]
    Variant,
    /// The codec writes how the game ended, and it did not end by mate,
    /// stalemate, resignation of the side to move or agreed draw.
    #[error("no ending that the codec has")]
    Ending,
    /// There was no codec to try.
    #[error("no codec to try")]
    NoCandidate,
}

/// The side information of a decoder about a line.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'a> {
    /// What is known of the start position.
    pub start: Start<'a>,
    /// How many plies there are, null moves included. `radix-end` says so
    /// itself and does not look at it.
    pub plies: u64,
    /// The plies that are null moves, counted from 0, ascending.
    pub nulls: &'a [u64],
    /// As in [`Line::result`]: for `model`. `radix-end` codes it itself.
    pub result: Option<Outcome>,
    /// As in [`Line::ratings`].
    pub ratings: Ratings,
    /// As in [`Line::advice`].
    pub advice: Advice<'a>,
}

/// What a decoder knows of the start position.
#[derive(Debug, Clone, Copy)]
pub enum Start<'a> {
    /// All of it. A codec that codes the start position checks that it is the
    /// same.
    Position(&'a Position),
    /// What the pieces do not say: for a codec that codes the pieces.
    Rest(&'a SetupRest),
}

impl Start<'_> {
    /// Whether a start position that a codec has found is the one announced.
    pub(super) fn agrees_with(&self, position: &Position) -> bool {
        match self {
            Start::Position(known) => known.is_same_as(position),
            Start::Rest(rest) => **rest == position.rest(),
        }
    }

    /// The start position, for a codec that does not code it.
    pub(super) fn known(&self) -> Result<&Position, MoveError> {
        match self {
            Start::Position(known) => Ok(known),
            Start::Rest(_) => Err(MoveError::StartUnknown),
        }
    }
}

/// A line that has been decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedLine {
    /// The position before the first ply.
    pub start: Position,
    /// The plies, null moves included.
    pub plies: Vec<PlyKind>,
    /// How the game ended, from a codec that codes it.
    pub result: Option<Outcome>,
}

/// Why a line could not be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The line is longer than the limits allow.
    #[error("{plies} plies, more than the limit of {limit}")]
    TooManyPlies {
        /// How many plies were announced.
        plies: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// The null moves are not in ascending order or are after the last ply.
    #[error("null moves out of order or after the last ply")]
    NullPlies,
    /// A null move in check.
    #[error("null move in check at ply {ply}")]
    NullInCheck {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// A move that is not legal.
    #[error("illegal move at ply {ply}")]
    IllegalMove {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// The start position is not the one that was announced.
    #[error("another start position than announced")]
    WrongStart,
    /// The codec does not code the start position and was not given it.
    #[error("the start position is not known")]
    StartUnknown,
    /// What `radix` or `radix-end` found wrong.
    #[error(transparent)]
    Radix(#[from] RadixError),
    /// What `squares` found wrong.
    #[error(transparent)]
    Squares(#[from] SquaresError),
    /// What `san` found wrong.
    #[error(transparent)]
    San(#[from] SanError),
    /// What `huffman` found wrong.
    #[error(transparent)]
    Huffman(#[from] HuffmanError),
    /// What `model` found wrong.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl<'a> Shape<'a> {
    /// A line without result and ratings.
    pub fn new(start: Start<'a>, plies: u64, nulls: &'a [u64]) -> Self {
        Shape {
            start,
            plies,
            nulls,
            result: None,
            ratings: Ratings::default(),
            advice: Advice::default(),
        }
    }

    /// What a model sees of the line besides its moves.
    pub(super) fn context(&self) -> Context {
        Context {
            ratings: self.ratings,
            outcome: self.result,
            plies: u32::try_from(self.plies).unwrap_or(u32::MAX),
        }
    }

    /// Checks the counts before any work is begun.
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

    /// Checks that the null moves are in order, where the number of plies is
    /// not known.
    pub(super) fn check_order(&self) -> Result<(), MoveError> {
        if self.nulls.is_sorted_by(|a, b| a < b) {
            Ok(())
        } else {
            Err(MoveError::NullPlies)
        }
    }

    /// How many plies are moves.
    pub(super) fn moves(&self) -> u64 {
        self.plies.saturating_sub(self.nulls.len() as u64)
    }

    /// The number of null moves before the first move.
    pub(super) fn leading_nulls(&self) -> u64 {
        let leading = (0u64..).zip(self.nulls);
        leading.take_while(|(ply, null)| ply == *null).count() as u64
    }

    /// Plays the line: null moves at their indices, elsewhere what `next` says
    /// of the position and the ply of that index, if it is legal.
    pub(super) fn play<E: Into<MoveError>>(
        &self,
        start: Position,
        mut next: impl FnMut(&Position, u64) -> Result<PlyKind, E>,
    ) -> Result<DecodedLine, MoveError> {
        self.play_by(start, |position, ply| {
            let played = next(position, ply).map_err(E::into)?;
            let illegal = |IllegalPly| MoveError::IllegalMove { ply };
            position.make(played).map_err(illegal)?;
            Ok(played)
        })
    }

    /// As [`play`](Self::play), where `next` plays the ply itself.
    pub(super) fn play_by(
        &self,
        start: Position,
        mut next: impl FnMut(&mut Position, u64) -> Result<PlyKind, MoveError>,
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

/// Plays a null move, the ply of that index.
pub(super) fn pass(position: &mut Position, ply: u64) -> Result<PlyKind, MoveError> {
    let in_check = |IllegalPly| MoveError::NullInCheck { ply };
    position.make(PlyKind::Null).map_err(in_check)?;
    Ok(PlyKind::Null)
}

/// The indices of the null moves of a line, as given to a decoder.
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

    fn shape<'a>(rest: &'a SetupRest, plies: u64, nulls: &'a [u64]) -> Shape<'a> {
        Shape::new(Start::Rest(rest), plies, nulls)
    }

    #[test]
    fn counts_are_checked() {
        let rest = Position::standard().rest();
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
        let start = Position::standard();
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
        let rest = start.rest();
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
        let start = Position::from_fen(fen, crate::chess::Rules::CHESS).expect("a position");
        let rest = start.rest();
        let line = shape(&rest, 1, &[0]).play(start, |_, _| Ok::<_, MoveError>(PlyKind::Null));
        assert_eq!(line, Err(MoveError::NullInCheck { ply: 0 }));
    }
}
