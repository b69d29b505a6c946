//! The file header: signature and version (spec/format.md, “Header”).

use super::error::{ContainerError, Damage, FilePart, FilePlace, SignatureDamage, Unsupported};
use crate::bits::ByteReader;

/// The first bytes of every file. As in PNG, a transfer in text mode damages
/// them: a byte above 127, a CR LF pair, a control-Z and a lone LF.
pub const SIGNATURE: [u8; 9] = *b"\x89PGNA\r\n\x1a\n";

/// Size of the header in bytes. The size and the layout never change, so that every
/// release can determine the version of every file.
pub const HEADER_BYTES: u64 = 16;

/// The major version that is written.
pub(super) const MAJOR: u8 = 0;
/// The minor version that is written: that of the candidate of version 1.0. Earlier ones are
/// drafts, which are not read.
pub(super) const MINOR: u8 = 99;

/// Version of the format that this release reads and writes: major, minor.
pub const FORMAT_VERSION: (u8, u8) = (MAJOR, MINOR);

const PLACE: FilePlace = FilePlace {
    part: FilePart::Header,
    offset: 0,
};

/// The version that is written: major, minor, minimum reader minor version.
pub(super) fn version_fields() -> [u8; 3] {
    [MAJOR, MINOR, MINOR]
}

/// Encodes the header that this release writes.
pub(super) fn encode() -> [u8; 16] {
    frame(MAJOR, MINOR, MINOR)
}

fn frame(major: u8, minor: u8, minimum_minor: u8) -> [u8; 16] {
    let [s0, s1, s2, s3, s4, s5, s6, s7, s8] = SIGNATURE;
    let fields = [
        s0,
        s1,
        s2,
        s3,
        s4,
        s5,
        s6,
        s7,
        s8,
        major,
        minor,
        minimum_minor,
    ];
    let mut bytes = [0; 16];
    let (head, tail) = bytes.split_at_mut(fields.len());
    head.copy_from_slice(&fields);
    tail.copy_from_slice(&crc32fast::hash(&fields).to_le_bytes());
    bytes
}

/// Checks the header at the front of `file`, which may be longer than the header.
pub(super) fn check(file: &[u8]) -> Result<(), ContainerError> {
    check_signature(file).map_err(ContainerError::Signature)?;
    let Some((header, _)) = file.split_first_chunk::<16>() else {
        return Err(PLACE.damaged(Damage::Truncated {
            needed: HEADER_BYTES,
            available: file.len() as u64,
        }));
    };
    let [fields @ .., c0, c1, c2, c3] = header;
    let [.., major, minor, minimum_minor] = *fields;
    PLACE.checksum(
        u32::from_le_bytes([*c0, *c1, *c2, *c3]),
        crc32fast::hash(fields),
    )?;
    check_version(major, minor, minimum_minor)
}

/// Checks the version. Before version 1.0, each minor version is a separate format.
pub(super) fn check_version(major: u8, minor: u8, minimum_minor: u8) -> Result<(), ContainerError> {
    if major != MAJOR {
        return Err(ContainerError::Version(Unsupported::Newer { major, minor }));
    }
    if minor != MINOR {
        return Err(ContainerError::Version(Unsupported::Draft { minor }));
    }
    PLACE.check_equal("minimum reader minor version", MINOR, minimum_minor)
}

fn check_signature(file: &[u8]) -> Result<(), SignatureDamage> {
    if file.starts_with(&SIGNATURE) {
        return Ok(());
    }
    if !file.is_empty() && SIGNATURE.starts_with(file) {
        return Err(SignatureDamage::Short);
    }
    Err(text_damage(file).unwrap_or(SignatureDamage::Missing))
}

/// The kind of text-mode transfer that would produce these first bytes, if any.
fn text_damage(file: &[u8]) -> Option<SignatureDamage> {
    let mut reader = ByteReader::new(file);
    let first = reader.u8().ok()?;
    if first & 0x80 != 0 && first != 0x89 {
        // 89 in Latin-1 becomes C2 89. If it was treated as invalid, it becomes EF BF
        // BD.
        let recoded = [&b"\xc2\x89PGNA"[..], b"\xef\xbf\xbdPGNA"];
        let hit = recoded.iter().any(|start| file.starts_with(start));
        return hit.then_some(SignatureDamage::Recoded);
    }
    if reader.take(4).ok()? != b"PGNA" {
        return None;
    }
    match first {
        0x89 => has_converted_line_endings(reader.rest()).then_some(SignatureDamage::LineEndings),
        0x09 => Some(SignatureDamage::SevenBit),
        _ => None,
    }
}

/// Whether `rest` begins with CR LF SUB LF after a conversion of line endings.
fn has_converted_line_endings(rest: &[u8]) -> bool {
    let is_ending = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let before = rest.iter().take_while(|byte| is_ending(byte)).count();
    let Some([0x1a, after @ ..]) = rest.get(before..) else {
        return false;
    };
    (1..=4).contains(&before) && after.first().is_some_and(is_ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature_error(file: &[u8]) -> SignatureDamage {
        match check(file) {
            Err(ContainerError::Signature(damage)) => damage,
            other => panic!("{other:?}"),
        }
    }

    fn with_start(start: &[u8]) -> Vec<u8> {
        [start, &encode()[9..]].concat()
    }

    #[test]
    fn golden_bytes() {
        let expected = [
            0x89, b'P', b'G', b'N', b'A', 0x0d, 0x0a, 0x1a, 0x0a, // signature
            0, 99, 99, // major, minor, minimum reader minor
            0, 0, 0, 0, // CRC-32, below
        ];
        let crc = crc32fast::hash(&expected[..12]).to_le_bytes();
        assert_eq!(encode()[..12], expected[..12]);
        assert_eq!(encode()[12..], crc);
        assert!(check(&encode()).is_ok());
    }

    #[test]
    fn text_mode_damage_is_distinguished() {
        use SignatureDamage::*;
        for (start, damage) in [
            (&b"\x89PGNA\n\x1a\n"[..], LineEndings),
            (b"\x89PGNA\r\r\n\x1a\r\n", LineEndings),
            (b"\x89PGNA\r\n\x1a\r\n", LineEndings),
            (b"\x89PGNA\n\n\x1a\n", LineEndings),
            (b"\x89PGNA\r\r\x1a\r", LineEndings),
            (b"\x09PGNA\r\n\x1a\n", SevenBit),
            (b"\x09PGNA\n\x1a\n", SevenBit),
            (b"\xc2\x89PGNA\r\n\x1a\n", Recoded),
            (b"\xef\xbf\xbdPGNA\r\n\x1a\n", Recoded),
            (b"\x89PGNB\r\n\x1a\n", Missing),
            (b"\x89PGNA\r\n\x1b\n", Missing),
            (b"[Event \"?\"]\n", Missing),
            (b"\xc2\x89PNG", Missing),
        ] {
            assert_eq!(signature_error(&with_start(start)), damage, "{start:?}");
        }
    }

    #[test]
    fn short_files_are_distinguished() {
        assert_eq!(signature_error(b""), SignatureDamage::Missing);
        assert_eq!(signature_error(b"\x89PGN"), SignatureDamage::Short);
        assert_eq!(signature_error(b"[Ev"), SignatureDamage::Missing);
        assert!(matches!(
            check(&encode()[..15]),
            Err(ContainerError::Damaged { .. })
        ));
    }

    #[test]
    fn versions_are_refused_by_name() {
        let message = |major, minor| check(&frame(major, minor, minor)).unwrap_err().to_string();
        assert_eq!(
            message(0, 100),
            "draft version 0.100 of the format is not supported by this release"
        );
        assert_eq!(
            message(0, 17),
            "draft version 0.17 of the format is not supported by this release"
        );
        assert_eq!(
            message(1, 0),
            "version 1.0 of the format is newer than this release"
        );
        assert!(matches!(
            check(&frame(MAJOR, MINOR, 0)),
            Err(ContainerError::Damaged { .. })
        ));
    }
}
