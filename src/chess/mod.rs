//! Positions, moves and SAN. The only module that names shakmaty. `order` and `move_sets`
//! number legal moves in the canonical order of the format; the order in which the model
//! sees them is that of `model::legal`.

mod board_facts;
mod convert;
mod from_setup;
mod key;
mod legal;
mod move_facts;
mod move_limit;
mod move_number;
mod move_sets;
mod order;
mod pawn_moves;
mod piece_id;
mod piece_tracker;
mod position;
mod rules;
mod san;
mod san_text;
mod setup;
mod skeleton;
mod spelling;
mod targets;

pub use convert::{UciMove, VariantPosition};
pub use from_setup::{Extras, InvalidSetup, SetupRest};
pub use key::mix;
pub use move_facts::{MoveFacts, SanPattern};
pub use move_number::{CANONICAL_PROMOTIONS, MoveNumber};
pub use piece_id::{IdentifiedPiece, NoPieceIds, PieceId};
pub use piece_tracker::PieceTracker;
pub use position::{ChessPosition, IllegalPly, Outcome, PlyKind};
pub use rules::{Rules, Variant};
pub use san_text::SanText;
pub use setup::{InvalidFen, Setup};
pub use shakmaty::{
    Bitboard, Board, CastlingSide, Color, File, Piece, Rank, Role, Square, attacks,
};
pub use skeleton::{Castlings, OFFICERS, Skeleton, officer_of, side_of};
pub use spelling::Spelling;
