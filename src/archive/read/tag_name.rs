//! Tag names, as looked up in a segment.

use crate::archive::tables::SegmentTables;

/// A tag name, as looked up in a segment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TagName {
    name: Vec<u8>,
    is_in_any_case: bool,
    /// The number of the name in the tables of the segment; `None` if no game has
    /// the tag.
    number: Option<u32>,
    may_need_moves: bool,
}

impl TagName {
    pub(crate) fn of(name: &[u8], tables: &SegmentTables) -> TagName {
        TagName::new(name, false, tables.number_of_name(name), tables)
    }

    pub(crate) fn in_any_case(name: &[u8], tables: &SegmentTables) -> TagName {
        match tables.number_of_name(name) {
            None => TagName::new(name, true, tables.number_in_any_case(name), tables),
            number => TagName::new(name, false, number, tables),
        }
    }

    fn new(
        name: &[u8],
        is_in_any_case: bool,
        number: Option<u32>,
        tables: &SegmentTables,
    ) -> TagName {
        TagName {
            name: name.to_vec(),
            is_in_any_case,
            number,
            may_need_moves: number.is_some_and(|number| tables.may_use_opening(number)),
        }
    }

    /// Whether values of the tag may depend on the moves, so that reading them
    /// decodes moves.
    pub fn may_need_moves(&self) -> bool {
        self.may_need_moves
    }

    pub(crate) fn is_in_any_case(&self) -> bool {
        self.is_in_any_case
    }

    pub(crate) fn number(&self) -> Option<u32> {
        self.number
    }

    pub(crate) fn is(&self, name: &[u8]) -> bool {
        match self.is_in_any_case {
            true => self.name.eq_ignore_ascii_case(name),
            false => self.name == name,
        }
    }
}
