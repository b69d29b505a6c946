//! Sets of games, combined. `None` is the set of all games.

use crate::index::PlaceSet;

/// The games that are in all sets.
pub(super) fn all(sets: impl IntoIterator<Item = Option<PlaceSet>>) -> Option<PlaceSet> {
    sets.into_iter().flatten().reduce(|all, set| all & set)
}

/// The games that are in at least one set; all games if there is no set.
pub(super) fn any(sets: impl IntoIterator<Item = Option<PlaceSet>>) -> Option<PlaceSet> {
    let mut sets = sets.into_iter();
    let first = sets.next()??;
    sets.try_fold(first, |found, set| Some(found | set?))
}
