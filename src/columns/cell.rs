//! The value of a column in a record.

/// The value of a column in a record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum FieldValue {
    /// The record has no value.
    #[default]
    Absent,
    /// A number, as defined by the field's shape.
    Number(u64),
    /// An entry of the field's dictionary, by its ID.
    Id(u32),
    /// The value that the field's book predicts from the opening of the game.
    Opening,
    /// A text that is stored in the column itself, by its number in the block.
    Literal(u32),
}

impl FieldValue {
    /// The cell, or `None` if it is absent.
    pub fn present(self) -> Option<FieldValue> {
        (self != FieldValue::Absent).then_some(self)
    }
}
