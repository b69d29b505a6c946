//! The value of a column in a record.

/// The value of a column in a record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Cell {
    /// The record has none.
    #[default]
    Absent,
    /// The number of a shape.
    Number(u64),
    /// An entry of the field's dictionary.
    Id(u32),
    /// What follows from the game's opening, by the field's book.
    Opening,
    /// One of the texts that stand in the column itself.
    Literal(u32),
}

impl Cell {
    /// The cell, unless it is absent.
    pub fn present(self) -> Option<Cell> {
        (self != Cell::Absent).then_some(self)
    }
}
