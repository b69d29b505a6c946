//! Piece IDs: a number for each of the 32 pieces, constant throughout a game
//! (`spec/moves.md`, "Piece IDs").

use shakmaty::{Color, Rank, Role, Square};

/// The ID of a piece: 0–15 White's, a1 … h1 then a2 … h2, and 16–31 Black's, a8
/// … h8 then a7 … h7. A promoted pawn retains its ID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub(super) u8);

impl PieceId {
    /// The number of IDs.
    pub const COUNT: u8 = 32;

    /// The officers of a1 … h1 and a8 … h8.
    const OFFICERS: [Role; 8] = [
        Role::Rook,
        Role::Knight,
        Role::Bishop,
        Role::Queen,
        Role::King,
        Role::Bishop,
        Role::Knight,
        Role::Rook,
    ];

    /// The ID with this number, if it is below 32.
    pub fn new(number: u8) -> Option<Self> {
        (number < Self::COUNT).then_some(PieceId(number))
    }

    /// The number, below 32.
    pub fn number(self) -> u8 {
        self.0
    }

    /// All IDs in ascending order.
    pub fn all() -> impl Iterator<Item = PieceId> {
        (0..Self::COUNT).map(PieceId)
    }

    /// The side of the piece.
    pub fn color(self) -> Color {
        Color::from_white(self.0 < 16)
    }

    /// The square of the piece in the standard start position.
    pub fn start_square(self) -> Square {
        let white = Square::new(u32::from(self.0 % 16));
        self.color().fold_wb(white, white.flip_vertical())
    }

    /// The role of the piece in the standard start position.
    pub fn role(self) -> Role {
        let officer = Self::OFFICERS.get(usize::from(self.0 % 16));
        officer.copied().unwrap_or(Role::Pawn)
    }

    /// Whether the piece is a pawn or a promoted pawn.
    pub fn is_pawn(self) -> bool {
        self.role() == Role::Pawn
    }

    /// The IDs of a side whose role is initially this one, in ascending order.
    pub(super) fn of(color: Color, role: Role) -> impl Iterator<Item = PieceId> {
        Self::all().filter(move |id| id.color() == color && id.role() == role)
    }
}

/// The reasons why the pieces of a position cannot have IDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoPieceIds {
    /// A side has no king, or more than one.
    #[error("a side has not exactly one king")]
    Kings,
    /// A side has more pieces of a role than free IDs.
    #[error("a side has more pieces than there are IDs for them")]
    NoFreeId,
    /// More promoted pieces than the promotion table can list.
    #[error("more than 15 promoted pieces at the start")]
    Promoted,
    /// Two pieces on this square.
    #[error("two pieces on {0}")]
    Occupied(Square),
}

/// A piece on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdentifiedPiece {
    /// The ID of the piece.
    pub id: PieceId,
    /// Its square.
    pub square: Square,
    /// Its current role. With the ID of a pawn, it may be promoted.
    pub role: Role,
}

impl IdentifiedPiece {
    /// Whether the piece is a promoted pawn.
    pub fn is_promoted(self) -> bool {
        self.id.is_pawn() && self.role != Role::Pawn
    }

    /// Whether a move of the piece to this square promotes it.
    pub fn promotes_on(self, to: Square) -> bool {
        let last = self.id.color().fold_wb(Rank::Eighth, Rank::First);
        self.role == Role::Pawn && to.rank() == last
    }
}
