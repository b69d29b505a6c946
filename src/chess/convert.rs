//! Conversions to and from the types of shakmaty.

use super::{ChessPosition, PlyKind};
pub use shakmaty::uci::UciMove;
pub use shakmaty::variant::VariantPosition;
use std::fmt;

impl From<ChessPosition> for VariantPosition {
    fn from(position: ChessPosition) -> Self {
        position.0
    }
}

impl From<VariantPosition> for ChessPosition {
    fn from(position: VariantPosition) -> Self {
        ChessPosition(position)
    }
}

impl From<PlyKind> for UciMove {
    fn from(ply: PlyKind) -> Self {
        match ply {
            PlyKind::Null => UciMove::Null,
            PlyKind::Move {
                from,
                to,
                promotion,
            } => UciMove::Normal {
                from,
                to,
                promotion,
            },
            PlyKind::Drop { role, to } => UciMove::Put { role, to },
        }
    }
}

/// Formats the ply in UCI notation.
impl fmt::Display for PlyKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        <UciMove as From<PlyKind>>::from(*self).fmt(out)
    }
}
