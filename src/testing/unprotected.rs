//! Archives without the parity that would mend them, for tests of damage.

/// The file with parity sections that restore nothing, those of earlier states included. It
/// is intact: only the last field of each of these sections differs, and its checksum.
pub(crate) fn unprotected(mut file: Vec<u8>) -> Vec<u8> {
    const MARK: &[u8] = b"PARI\x01\xfb\x9e\xc4";
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&file[from..], MARK) {
        let start = from + at;
        let payload = file[start + MARK.len()..].first_chunk();
        let payload = u64::from_le_bytes(*payload.unwrap());
        let end = start + 16 + usize::try_from(payload).unwrap();
        // Parity may repeat the mark of its own section.
        from = end;
        file[end - 1] = 0;
        let crc = crc32fast::hash(&file[start..end]).to_le_bytes();
        file[end..end + 4].copy_from_slice(&crc);
    }
    file
}
