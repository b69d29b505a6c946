//! The values of pieces.

use crate::chess::Role;

use super::table::MaskedTable;

/// The values of roles in pawns: none, pawn, knight, bishop, rook, queen, king.
pub(super) const VALUES: MaskedTable<i32, 8> = MaskedTable([0, 1, 3, 3, 5, 9, 100, 0]);

/// The values of classes of attackers in pawns: none, pawn, minor, rook, queen,
/// king.
pub(super) const CLASS_VALUES: MaskedTable<i32, 8> = MaskedTable([0, 1, 3, 5, 9, 100, 0, 0]);

/// The value of a role in pawns.
#[inline]
pub(super) fn value(role: Role) -> i32 {
    VALUES[role as usize]
}
