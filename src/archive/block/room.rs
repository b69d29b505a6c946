//! How much text is left for what the records of a block say.

use super::super::error::ContentError;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

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
    left: usize,
    /// The bytes of each record that has been read.
    by_record: BTreeMap<usize, usize>,
}

impl Room {
    pub(super) fn new(raw_bytes: usize) -> Room {
        Room {
            taken: Mutex::new(Taken {
                left: raw_bytes,
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
            let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            let known = taken.by_record.get(&record).copied();
            (known.unwrap_or(taken.left), known.is_some())
        };
        let said = read(most);
        if !is_known {
            // What cannot be read may have taken as much time as there was room.
            let bytes = said.as_ref().map_or(most, bytes);
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            if taken.by_record.insert(record, bytes).is_none() {
                let left = taken.left.checked_sub(bytes);
                taken.left = left.ok_or(ContentError::Invalid("more said than there is text"))?;
            }
        }
        said
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
        assert!(take(&room, 0, 5).is_err());
    }

    #[test]
    fn what_cannot_be_read_takes_all() {
        let room = Room::new(10);
        assert!(take(&room, 0, 11).is_err());
        assert!(take(&room, 1, 1).is_err());
        assert_eq!(take(&room, 1, 0), Ok(0));
    }
}
