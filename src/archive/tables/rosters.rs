//! The table of rosters: the lists of tag names that records have.

use crate::archive::error::ContentError;
use crate::archive::schema::record::StoredRecord;
use crate::bits::{ByteReader, put_varint};
use crate::codec::pack;
use crate::pgn::MAX_TAGS;

/// The maximum number of rosters of a segment.
pub const MAX_ROSTERS: usize = 1 << 16;

/// The tag names and rosters of a segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameTables<'n> {
    pub(crate) names: &'n [Vec<u8>],
    pub(crate) rosters: &'n [Vec<u32>],
}

impl NameTables<'_> {
    /// The name numbers of a record's tag pairs.
    pub(crate) fn roster(&self, record: &StoredRecord<'_>) -> &[u32] {
        let roster = usize::try_from(record.roster).ok();
        let roster = roster.and_then(|roster| self.rosters.get(roster));
        roster.map_or(&[], Vec::as_slice)
    }
}

/// Writes the table.
pub(crate) fn write_rosters(rosters: &[Vec<u32>]) -> Vec<u8> {
    let mut out = Vec::new();
    for roster in rosters {
        put_varint(&mut out, roster.len() as u64);
        roster
            .iter()
            .for_each(|name| put_varint(&mut out, u64::from(*name)));
    }
    pack::compress(&out, pack::LEVEL)
}

/// Reads the unpacked table. `names` is the number of tag names.
pub(super) fn read_rosters(bytes: &[u8], names: usize) -> Result<Vec<Vec<u32>>, ContentError> {
    let mut input = ByteReader::new(bytes);
    let mut rosters = Vec::new();
    while !input.is_empty() {
        let mut roster = Vec::new();
        let count = input.length()?;
        if count > MAX_TAGS || rosters.len() >= MAX_ROSTERS {
            return Err(ContentError::Invalid("too long a roster, or too many"));
        }
        for _ in 0..count {
            let name = input.length()?;
            let known = u32::try_from(name).ok().filter(|_| name < names);
            roster.push(known.ok_or(ContentError::Invalid("a roster names no tag"))?);
        }
        rosters.push(roster);
    }
    Ok(rosters)
}
