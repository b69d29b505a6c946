//! Splitting of tables into chunks, with parity chunks that can restore a damaged chunk
//! (spec/format.md, “Tables”).
//!
//! The chunk at place `p`, data or parity, belongs to group `p mod groups`. Neighbours
//! therefore belong to different groups, and damage across a chunk boundary can be
//! repaired. The idea is that of RAID 5 and of interleaved error correction.

use super::checksum;

/// The minimum size of a chunk in bytes.
pub(super) const MIN_CHUNK_BYTES: u64 = 128;
/// The maximum size of a chunk in bytes.
pub(super) const MAX_CHUNK_BYTES: u64 = 64 << 10;
/// Between those bounds, the data is split into this many chunks.
pub(super) const TARGET_CHUNKS: u64 = 32;
/// The maximum number of data chunks per parity chunk.
pub(super) const GROUP_CHUNKS: u64 = 16;

const CRC_BYTES: u64 = 4;

/// The layout of the chunks for data of a given length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ChunkLayout {
    data_bytes: u64,
    chunk_bytes: u64,
    data_chunks: u64,
    groups: u64,
}

impl ChunkLayout {
    fn of(data_bytes: u64) -> Self {
        let chunk_bytes = data_bytes
            .div_ceil(TARGET_CHUNKS)
            .clamp(MIN_CHUNK_BYTES, MAX_CHUNK_BYTES);
        let data_chunks = data_bytes.div_ceil(chunk_bytes);
        let groups = data_chunks.div_ceil(GROUP_CHUNKS).max(data_chunks.min(2));
        ChunkLayout {
            data_bytes,
            chunk_bytes,
            data_chunks,
            groups,
        }
    }

    /// The number of data and parity chunks together.
    fn places(&self) -> u64 {
        self.data_chunks + self.groups
    }

    /// Length of the chunk at `place` in bytes. A parity chunk is as long as the first
    /// data chunk of its group, which is the longest.
    fn chunk_len(&self, place: u64) -> usize {
        let chunk = if place < self.data_chunks {
            place
        } else {
            place % self.groups
        };
        let remaining = self.data_bytes.saturating_sub(chunk * self.chunk_bytes);
        usize::try_from(remaining.min(self.chunk_bytes)).unwrap_or(0)
    }

    /// The other places of the group of `place`.
    fn group_peers(&self, place: u64) -> impl Iterator<Item = u64> + use<> {
        let group = self.groups.max(1);
        (0..self.places())
            .skip(usize::try_from(place % group).unwrap_or(0))
            .step_by(usize::try_from(group).unwrap_or(1))
            .filter(move |&other| other != place)
    }
}

/// Size of `data_bytes` bytes with their checksums and parity chunks.
pub(super) fn protected_bytes(data_bytes: u64) -> Option<u64> {
    let geometry = ChunkLayout::of(data_bytes);
    // The parity chunk of each group is as long as the first data chunk of the group.
    let parity = geometry.groups.checked_mul(geometry.chunk_bytes)?;
    let crcs = geometry.places().checked_mul(CRC_BYTES)?;
    data_bytes
        .checked_add(parity.min(data_bytes))?
        .checked_add(crcs)
}

/// Encodes data chunks, then parity chunks. Each is followed by its CRC-32.
pub(super) fn protect(data: &[u8]) -> Vec<u8> {
    let geometry = ChunkLayout::of(data.len() as u64);
    let chunk_bytes = usize::try_from(geometry.chunk_bytes).unwrap_or(usize::MAX);
    let mut out = Vec::new();
    let mut parity = vec![Vec::new(); usize::try_from(geometry.groups).unwrap_or(0)];
    for (place, chunk) in data.chunks(chunk_bytes).enumerate() {
        let group = place.checked_rem(parity.len()).unwrap_or(0);
        parity
            .get_mut(group)
            .into_iter()
            .for_each(|sum| add(sum, chunk));
        put_chunk(&mut out, chunk);
    }
    for place in geometry.data_chunks..geometry.places() {
        let group = usize::try_from(place % geometry.groups).unwrap_or(0);
        put_chunk(&mut out, parity.get(group).map_or(&[], Vec::as_slice));
    }
    out
}

fn put_chunk(out: &mut Vec<u8>, chunk: &[u8]) {
    out.extend_from_slice(chunk);
    out.extend_from_slice(&crc32fast::hash(chunk).to_le_bytes());
}

/// XORs `chunk` into `sum`, which grows to hold it.
fn add(sum: &mut Vec<u8>, chunk: &[u8]) {
    if sum.len() < chunk.len() {
        sum.resize(chunk.len(), 0);
    }
    for (sum, byte) in sum.iter_mut().zip(chunk) {
        *sum ^= byte;
    }
}

/// Data that was read, and the amount of repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RepairedData {
    pub(super) data: Vec<u8>,
    /// The number of data chunks that were rebuilt.
    pub(super) chunks: u64,
}

/// The number of a chunk that cannot be repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnrepairableChunk(pub(super) u64);

/// Decodes the output of [`protect`] for `data_bytes` bytes.
///
/// Allocates about as much memory as `bytes` occupies.
///
/// # Errors
/// Two chunks of one group are damaged or missing, at least one of them data.
pub(super) fn repair(bytes: &[u8], data_bytes: u64) -> Result<RepairedData, UnrepairableChunk> {
    let geometry = ChunkLayout::of(data_bytes);
    let chunks = intact_chunks(bytes, &geometry);
    let mut data = Vec::with_capacity(bytes.len());
    let mut rebuilt = 0;
    for (place, chunk) in (0..geometry.data_chunks).zip(&chunks) {
        if let Some(chunk) = chunk {
            data.extend_from_slice(chunk);
        } else {
            let chunk = rebuild(&geometry, &chunks, place).ok_or(UnrepairableChunk(place))?;
            data.extend_from_slice(&chunk);
            rebuilt += 1;
        }
    }
    if data.len() as u64 != data_bytes {
        return Err(UnrepairableChunk(chunks.len() as u64));
    }
    Ok(RepairedData {
        data,
        chunks: rebuilt,
    })
}

/// The chunk at each place, if its checksum matches.
fn intact_chunks<'a>(bytes: &'a [u8], geometry: &ChunkLayout) -> Vec<Option<&'a [u8]>> {
    let mut rest = bytes;
    let mut chunks = Vec::new();
    for place in 0..geometry.places() {
        let Some((chunk, after_chunk)) = rest.split_at_checked(geometry.chunk_len(place)) else {
            break;
        };
        let Some((crc, after)) = after_chunk.split_first_chunk::<4>() else {
            break;
        };
        let whole = checksum::matches(u32::from_le_bytes(*crc), crc32fast::hash(chunk));
        chunks.push(whole.then_some(chunk));
        rest = after;
    }
    chunks
}

/// The length of the encoded form of the first `len` of `data_bytes` bytes, without the checksum of
/// the last chunk of these.
pub(super) fn prefix_bytes(data_bytes: u64, len: u64) -> u64 {
    let chunk_bytes = ChunkLayout::of(data_bytes).chunk_bytes;
    let crcs = len.saturating_sub(1) / chunk_bytes;
    len.saturating_add(crcs.saturating_mul(CRC_BYTES))
}

/// The first `len` of `data_bytes` bytes, from the beginning of their encoded form. No checksum is
/// checked. `None` if `bytes` ends earlier.
pub(super) fn prefix(bytes: &[u8], data_bytes: u64, len: u64) -> Option<Vec<u8>> {
    let chunk_bytes = usize::try_from(ChunkLayout::of(data_bytes).chunk_bytes).ok()?;
    let mut left = usize::try_from(len)
        .ok()
        .filter(|len| *len <= bytes.len())?;
    let mut data = Vec::with_capacity(left);
    let mut rest = bytes;
    while left > 0 {
        let (chunk, after) = rest.split_at_checked(left.min(chunk_bytes))?;
        data.extend_from_slice(chunk);
        left -= chunk.len();
        // The checksum of the last chunk is not there.
        rest = after.get(4..).unwrap_or_default();
    }
    Some(data)
}

fn rebuild(geometry: &ChunkLayout, chunks: &[Option<&[u8]>], place: u64) -> Option<Vec<u8>> {
    let mut sum = Vec::new();
    for other in geometry.group_peers(place) {
        let chunk = chunks.get(usize::try_from(other).ok()?)?;
        add(&mut sum, (*chunk)?);
    }
    sum.truncate(geometry.chunk_len(place));
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn data(len: usize) -> Vec<u8> {
        (0..len as u64)
            .map(|i| (i * i / 7 + i).to_le_bytes()[0])
            .collect()
    }

    #[test]
    fn golden_bytes() {
        let data = data(300);
        let (a, b, c) = (&data[..128], &data[128..256], &data[256..]);
        let mut even = a.to_vec();
        add(&mut even, c);
        let mut expected = Vec::new();
        // Places 0 to 2 are data. Place 3 is the parity of group 3 mod 2 = 1, place 4
        // that of group 0.
        for chunk in [a, b, c, b, &even] {
            put_chunk(&mut expected, chunk);
        }
        assert_eq!(protect(&data), expected);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn every_length_round_trips() {
        for len in (0..600).chain([4095, 4096, 4097, 70_000, 3 << 20]) {
            let data = data(len);
            let bytes = protect(&data);
            assert_eq!(protected_bytes(len as u64), Some(bytes.len() as u64));
            let mended = repair(&bytes, len as u64).unwrap();
            assert!(mended.data == data && mended.chunks == 0, "{len}");
        }
    }

    #[test]
    fn every_prefix_is_at_the_beginning() {
        for len in [0, 1, 128, 129, 5000] {
            let data = data(len);
            let bytes = protect(&data);
            for part in 0..=len {
                let (whole, part_len) = (len as u64, part as u64);
                let needed = usize::try_from(prefix_bytes(whole, part_len)).unwrap();
                let read = prefix(&bytes[..needed], whole, part_len);
                assert_eq!(read.as_deref(), Some(&data[..part]), "{part} of {len}");
                if part > 0 {
                    assert_eq!(prefix(&bytes[..needed - 1], whole, part_len), None);
                }
            }
        }
        assert_eq!(prefix(&[], u64::MAX, u64::MAX), None);
    }

    #[test]
    fn parity_costs_a_sixteenth_of_large_data() {
        for len in [4096u64, 65_536, 2 << 20, 100 << 20] {
            let cost = protected_bytes(len).unwrap() - len;
            assert!(cost * 16 <= len * 17 / 16 + 16 * 4 * 34, "{len}: {cost}");
        }
        assert_eq!(protected_bytes(u64::MAX), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn one_damaged_chunk_per_group_is_repaired() {
        for len in [1, 128, 129, 300, 5000, 20_000, 3 << 20] {
            let data = data(len);
            let whole = protect(&data);
            let geometry = ChunkLayout::of(len as u64);
            let starts: Vec<usize> = (0..=geometry.places())
                .map(|place| (0..place).map(|p| geometry.chunk_len(p) + 4).sum())
                .collect();
            for window in starts.windows(usize::try_from(geometry.groups).unwrap() + 1) {
                let mut bytes = whole.clone();
                bytes[window[0]..window[window.len() - 1]].fill(0x55);
                let mended = repair(&bytes, len as u64);
                assert!(mended.is_ok_and(|mended| mended.data == data), "{len}");
            }
        }
    }

    #[test]
    fn two_damaged_chunks_of_a_group_are_an_error() {
        let mut bytes = protect(&data(5000));
        let chunk = usize::try_from(ChunkLayout::of(5000).chunk_bytes).unwrap() + 4;
        bytes[0] ^= 1;
        bytes[2 * chunk] ^= 1;
        assert_eq!(repair(&bytes, 5000), Err(UnrepairableChunk(0)));
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..500), len in any::<u64>()) {
            let small = len % 600;
            prop_assert!(repair(&bytes, small).is_err() || small <= 500);
        }
    }
}
