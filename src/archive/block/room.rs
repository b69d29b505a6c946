//! How much text is left for what the records of a block say.

use super::super::error::ContentError;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Records that cannot be read may take this many times the text of their block before
/// they take from what is left for the others.
const FAILURES: usize = 16;

/// The text of a block, shared out among the records that have been read.
///
/// Forced moves and marks that a forecast foresees take nothing of a block, so that
/// only its text bounds them; and each record by itself could have as much as all.
#[derive(Debug)]
pub(super) struct Room {
    taken: Mutex<Taken>,
}

#[derive(Debug)]
struct Taken {
    /// For records that have not been read.
    left: usize,
    /// For those of them that cannot be read.
    left_for_failures: usize,
    /// What each record had when it was first read: it has as much each time.
    by_record: BTreeMap<usize, usize>,
}

impl Room {
    pub(super) fn new(raw_bytes: usize) -> Room {
        Room {
            taken: Mutex::new(Taken {
                left: raw_bytes,
                left_for_failures: raw_bytes.saturating_mul(FAILURES),
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
            let left = taken.left;
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
            self.lock()
                .take(said.as_ref().map(|(_, bytes)| *bytes).ok(), most);
        }
        said.map(|(said, _)| said)
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    /// Takes the bytes of a record, or for one that cannot be read what it had: it may
    /// have taken the time for that.
    fn take(&mut self, bytes: Option<usize>, most: usize) {
        match (bytes, self.left_for_failures.checked_sub(most)) {
            (Some(bytes), _) => self.left = self.left.saturating_sub(bytes),
            (None, Some(left)) => self.left_for_failures = left,
            (None, None) => self.left = self.left.saturating_sub(most),
        }
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
        assert_eq!(take(&room, 0, 4), Ok(4));
        assert_eq!(take(&room, 7, 6), Ok(6));
        assert!(take(&room, 1, 1).is_err());
        // Whatever is read again takes no more.
        assert_eq!(take(&room, 0, 4), Ok(4));
    }

    #[test]
    fn what_takes_more_than_it_had_is_refused_each_time() {
        let room = Room::new(10);
        let read = |record, wanted| room.read(record, |_| Ok(wanted), |bytes| *bytes);
        assert!(read(0, 11).is_err());
        assert!(read(0, 11).is_err());
        assert_eq!(read(1, 10), Ok(10));
        assert!(read(2, 1).is_err());
        assert_eq!(read(1, 10), Ok(10));
    }

    #[test]
    fn some_records_that_cannot_be_read_cost_the_others_nothing() {
        let room = Room::new(10);
        for record in 0..FAILURES {
            assert!(take(&room, record, 11).is_err());
        }
        assert_eq!(take(&room, FAILURES, 4), Ok(4));
        assert!(take(&room, FAILURES + 1, 11).is_err());
        assert!(take(&room, FAILURES + 2, 1).is_err());
        assert_eq!(take(&room, FAILURES, 4), Ok(4));
    }
}
