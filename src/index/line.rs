//! The main line of a game in the form that indexes use.

use super::board::UncheckedBoard;
use super::structures::PawnStructure;
use crate::bits::ByteReader;
use crate::chess::{PlyKind, Role, Square};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;

/// A move in 16 bits: six for the origin, six for the destination, and the number of the
/// promotion piece, 0 for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct PackedPly(u16);

impl PackedPly {
    /// Packs a ply; `None` if it is not a move of a piece on the board.
    pub fn from_ply(ply: PlyKind) -> Option<PackedPly> {
        matches!(ply, PlyKind::Move { .. }).then(|| PackedPly(ply.to_bits()))
    }

    /// Creates a move from its column values; `None` if they are out of range.
    fn from_columns(squares: u64, promotion: u64) -> Option<PackedPly> {
        let squares = u16::try_from(squares).ok().filter(|it| *it < 1 << 12)?;
        let promotion = u16::try_from(promotion).ok().filter(|it| *it < 8)?;
        Some(PackedPly(squares | promotion << 12))
    }

    /// Reads `count` moves: a column of their squares, and one of their promotions.
    ///
    /// # Errors
    /// The columns are damaged, or a limit is exceeded.
    pub(super) fn read_all(
        reader: &mut ByteReader<'_>,
        count: usize,
        limits: &Limits,
    ) -> Result<Vec<PackedPly>, CodecError> {
        let squares = ints::decode(reader.bytes()?, count, limits)?;
        let promotions = ints::decode(reader.bytes()?, count, limits)?;
        let plies = squares.into_iter().zip(promotions);
        let plies = plies.map(|(squares, promotion)| PackedPly::from_columns(squares, promotion));
        let plies: Option<Vec<PackedPly>> = plies.collect();
        plies.ok_or(CodecError::Damaged("a move that is none"))
    }

    /// The column values: origin and destination combined, and the number of the promotion
    /// piece.
    pub(super) fn to_columns(self) -> (u64, u64) {
        (u64::from(self.0 & 0xfff), u64::from(self.0 >> 12))
    }

    /// The origin, the destination and the promotion piece.
    pub(super) fn parts(self) -> (Square, Square, Option<Role>) {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        let promotion = Role::try_from(u32::from(self.0 >> 12)).ok();
        (square(self.0), square(self.0 >> 6), promotion)
    }

    /// Unpacks the ply.
    pub fn ply(self) -> PlyKind {
        let (from, to, promotion) = self.parts();
        PlyKind::Move {
            from,
            to,
            promotion,
        }
    }
}

/// The main line of a game that starts from the standard start position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IndexLine {
    /// The plies of the main line.
    pub plies: Vec<PackedPly>,
    /// Whether the game has variations.
    pub has_variations: bool,
}

/// What indexes need of the moves of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum IndexMoves {
    /// A line that the tree can hold.
    Line(IndexLine),
    /// Other moves: the structures of pawns in the positions of the main line.
    Outside(Vec<PawnStructure>),
    /// Nothing is known of the moves.
    #[default]
    Unknown,
}

impl IndexMoves {
    /// The line, if the tree can hold it.
    pub fn line(&self) -> Option<&IndexLine> {
        match self {
            IndexMoves::Line(line) => Some(line),
            IndexMoves::Outside(_) | IndexMoves::Unknown => None,
        }
    }

    /// As [`IndexMoves::line`], with the moves of a game by its number in the segment.
    pub(super) fn line_of(games: &[IndexMoves], game: u32) -> Option<&IndexLine> {
        games.get(usize::try_from(game).ok()?)?.line()
    }
}

impl IndexLine {
    /// Creates a line; `None` if a ply is not a move of a piece on the board.
    pub fn new(plies: impl Iterator<Item = PlyKind>, has_variations: bool) -> Option<IndexLine> {
        Some(IndexLine {
            plies: plies.map(PackedPly::from_ply).collect::<Option<_>>()?,
            has_variations,
        })
    }

    /// The structures of pawns in the positions after so many plies and later, each when it comes about.
    pub(super) fn pawn_structures(&self, plies: usize) -> impl Iterator<Item = PawnStructure> {
        let mut board = UncheckedBoard::standard();
        let mut played = self.plies.iter();
        played.by_ref().take(plies).for_each(|ply| board.play(*ply));
        let first = board.skeleton().pawns;
        let mut last = first;
        let later = played.filter_map(move |ply| {
            board.play(*ply);
            let pawns = board.skeleton().pawns;
            (std::mem::replace(&mut last, pawns) != pawns).then_some(pawns)
        });
        std::iter::once(first).chain(later)
    }
}
