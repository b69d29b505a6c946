//! How much text is left for what the records of a block say.

use super::super::error::ContentError;
use crate::moves::MoveError;
use crate::pgn::LEAST_PLY_BYTES;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All records of a block together may take so many times its text. Those that a writer
/// has made take as much as the text; a few that cannot be read, or say too much, leave
/// enough for the others, in whatever order they are read.
const SHARES: usize = 16;

/// What the records of a block may say, thing by thing.
///
/// Forced moves, marks that a forecast foresees, and values of a dictionary take nothing
/// of a block, so that only its text bounds them; and each record by itself could have as
/// much as all.
#[derive(Debug)]
pub(super) struct Rooms {
    /// Tag pairs whose values columns tell at once.
    pub(super) tags: Room,
    /// Values that wait for the moves.
    pub(super) late: Room,
    /// Moves and marks.
    pub(super) nodes: Room,
    /// Moves, where only their number is asked for.
    pub(super) plies: Room,
    /// Marks that are measured only.
    pub(super) measured: Room,
    /// The text itself.
    pub(super) text: Room,
}

impl Rooms {
    pub(super) fn new(raw_bytes: usize) -> Rooms {
        let [tags, late, nodes, plies, measured, text] = [(); 6].map(|()| Room::new(raw_bytes));
        Rooms {
            tags,
            late,
            nodes,
            plies,
            measured,
            text,
        }
    }
}

/// What the records of a block may take, as bytes of text: each as much as all the text,
/// and together a few times that.
#[derive(Debug)]
pub(super) struct Room {
    raw_bytes: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug)]
struct Taken {
    /// For records that have not been read.
    left: usize,
    /// What each record had when it was first read: it has as much each time.
    by_record: BTreeMap<usize, usize>,
}

impl Room {
    fn new(raw_bytes: usize) -> Room {
        Room {
            raw_bytes,
            taken: Mutex::new(Taken {
                left: raw_bytes.saturating_mul(SHARES),
                by_record: BTreeMap::new(),
            }),
        }
    }

    /// Reads what a record says by `read`, which is told how many bytes of text it can
    /// take at most, and by `bytes` how many it takes at least.
    pub(super) fn read<T>(
        &self,
        record: usize,
        read: impl FnOnce(usize) -> Result<T, ContentError>,
        bytes: impl FnOnce(&T) -> usize,
    ) -> Result<T, ContentError> {
        let (most, is_known) = {
            let mut taken = self.lock();
            let left = taken.left.min(self.raw_bytes);
            match taken.by_record.entry(record) {
                Entry::Occupied(known) => (*known.get(), true),
                Entry::Vacant(new) => (*new.insert(left), false),
            }
        };
        let said = read(most).and_then(|said| match bytes(&said) {
            bytes if bytes <= most => Ok((said, bytes)),
            _ => Err(ContentError::Invalid("more said than there is text")),
        });
        if !is_known {
            let took = said.as_ref().map(|(_, bytes)| *bytes);
            let took = took.unwrap_or_else(|error| cost(error, most));
            let mut taken = self.lock();
            taken.left = taken.left.saturating_sub(took);
        }
        said.map(|(said, _)| said)
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much time a record may have taken that cannot be read, as bytes of text, of which
/// it had so many.
fn cost(error: &ContentError, most: usize) -> usize {
    match error {
        // It was read to the limit, which its own text passes: the records of which this
        // is true cost no more together than the text has.
        ContentError::Moves(MoveError::TooManyPlies { limit, .. }) => {
            let bytes = usize::try_from(*limit).unwrap_or(usize::MAX);
            bytes.saturating_mul(LEAST_PLY_BYTES).min(most)
        }
        _ => most,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(room: &Room, record: usize, wanted: usize) -> Result<usize, ContentError> {
        let read = |most| match wanted <= most {
            true => Ok(wanted),
            false => Err(ContentError::Invalid("too much")),
        };
        room.read(record, read, |bytes| *bytes)
    }

    #[test]
    fn records_share_what_there_is() {
        let room = Room::new(10);
        for record in 0..SHARES {
            assert_eq!(take(&room, record, 9), Ok(9));
        }
        // Each of them left one byte.
        assert!(take(&room, SHARES, 11).is_err());
        assert_eq!(take(&room, SHARES + 1, 6), Ok(6));
        assert!(take(&room, SHARES + 2, 1).is_err());
        // Whatever is read again takes no more.
        assert_eq!(take(&room, 0, 9), Ok(9));
    }

    #[test]
    fn what_takes_more_than_it_had_is_refused_each_time() {
        let room = Room::new(10);
        let read = |record, wanted| room.read(record, |_| Ok(wanted), |bytes| *bytes);
        for record in 1..SHARES {
            assert!(read(record, 11).is_err());
            assert!(read(record, 11).is_err());
        }
        assert_eq!(read(0, 10), Ok(10));
        assert!(read(SHARES, 1).is_err());
        assert_eq!(read(0, 10), Ok(10));
    }

    #[test]
    fn records_beyond_a_limit_of_the_reader_cost_the_others_nothing() {
        let room = Room::new(100);
        for record in 1..90 {
            let error = MoveError::TooManyPlies { plies: 2, limit: 1 };
            let read = room.read(record, |_| Err::<usize, _>(error.into()), |bytes| *bytes);
            assert!(read.is_err());
        }
        assert_eq!(take(&room, 0, 100), Ok(100));
    }
}
