//! Packs: single byte strings, stored or compressed with zstd.
//!
//! `spec/columns.md`, section 2, defines the layout. A new general-purpose compressor
//! gets the next [`PackMethod`].

use super::error::CodecError;
use super::zstd;
use crate::bits::{ByteReader, put_varint};
use crate::limits::Limits;
use strum::{FromRepr, IntoStaticStr};

/// The zstd level for data that is small and read often.
pub const LEVEL: i32 = 19;

/// Nothing this short shrinks: a block has a header of 3 bytes and content, and the raw
/// length takes one byte.
const TOO_SHORT: usize = 5;

/// The maximum expansion of a frame that the writer creates. Frames are padded with
/// zeros to stay within it, so that they can be read under the default [`Limits`].
const MAX_EXPANSION: usize = 4096;

/// The compression method of a byte string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRepr, IntoStaticStr)]
#[cfg_attr(test, derive(strum::VariantArray))]
#[repr(u8)]
pub enum PackMethod {
    /// Uncompressed.
    #[strum(serialize = "stored")]
    Stored = 0,
    /// One zstd frame without its header, which is determined by the lengths of the raw
    /// bytes and of the dictionary.
    #[strum(serialize = "zstd")]
    Zstd = 1,
}

impl PackMethod {
    /// The number of this method in a file.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The display name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    fn read(reader: &mut ByteReader<'_>) -> Result<Self, CodecError> {
        let method = Self::from_repr(reader.u8()?);
        method.ok_or(CodecError::Damaged("unknown packing method"))
    }
}

/// Compresses `raw` with the method that makes it smallest, zstd at this `level`.
pub fn compress(raw: &[u8], level: i32) -> Vec<u8> {
    compress_with(raw, level, &[])
}

/// Like [`compress`], with `dictionary` as a prefix that `raw` can refer to.
pub fn compress_with(raw: &[u8], level: i32, dictionary: &[u8]) -> Vec<u8> {
    let stored_len = 1 + raw.len();
    if raw.len() <= TOO_SHORT {
        return stored(raw);
    }
    compress_zstd(raw, level, dictionary)
        .filter(|packed| packed.len() < stored_len)
        .unwrap_or_else(|| stored(raw))
}

/// Restores the input of [`compress`], at most `max_raw` bytes.
///
/// # Errors
/// [`CodecError::Limit`] if the raw length exceeds `max_raw` or [`Limits::expansion`],
/// otherwise damaged data. The limits are checked before memory is allocated.
pub fn decompress(packed: &[u8], max_raw: u64, limits: &Limits) -> Result<Vec<u8>, CodecError> {
    decompress_with(packed, &[], max_raw, limits)
}

/// Restores the input of [`compress_with`], given the same `dictionary`.
///
/// # Errors
/// As [`decompress`].
pub fn decompress_with(
    packed: &[u8],
    dictionary: &[u8],
    max_raw: u64,
    limits: &Limits,
) -> Result<Vec<u8>, CodecError> {
    let (method, raw_len, payload) = read_header(packed, limits)?;
    if raw_len as u64 > max_raw {
        return Err(CodecError::Limit("raw length"));
    }
    match method {
        PackMethod::Stored => Ok(payload.to_vec()),
        PackMethod::Zstd => decompress_zstd(payload, raw_len, dictionary),
    }
}

/// The raw length that the header of `packed` claims, in bytes.
///
/// # Errors
/// As [`decompress`], as far as the header shows them.
pub fn raw_len(packed: &[u8], limits: &Limits) -> Result<usize, CodecError> {
    read_header(packed, limits).map(|(_, raw_len, _)| raw_len)
}

/// The method, the raw length and the payload.
fn read_header<'a>(
    packed: &'a [u8],
    limits: &Limits,
) -> Result<(PackMethod, usize, &'a [u8]), CodecError> {
    let mut reader = ByteReader::new(packed);
    let method = PackMethod::read(&mut reader)?;
    let raw_len = match method {
        PackMethod::Stored => reader.rest().len(),
        PackMethod::Zstd => reader.length()?,
    };
    if raw_len as u64 > limits.expansion.saturating_mul(packed.len() as u64) {
        return Err(CodecError::Limit("expansion"));
    }
    Ok((method, raw_len, reader.rest()))
}

fn stored(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(1 + raw.len());
    out.push(PackMethod::Stored.number());
    out.extend_from_slice(raw);
    out
}

/// Without the feature `write` there is no compressor, and nothing is written.
#[cfg(not(feature = "write"))]
fn compress_zstd(_: &[u8], _: i32, _: &[u8]) -> Option<Vec<u8>> {
    None
}

#[cfg(feature = "write")]
fn compress_zstd(raw: &[u8], level: i32, dictionary: &[u8]) -> Option<Vec<u8>> {
    // Miri cannot call C, so it stores all data uncompressed.
    if cfg!(miri) {
        return None;
    }
    let frame = zstd::compress(raw, level, dictionary)?;
    let blocks = frame.strip_prefix(&zstd::frame_header(raw.len(), dictionary.len()))?;
    let mut out = vec![PackMethod::Zstd.number()];
    put_varint(&mut out, raw.len() as u64);
    out.extend_from_slice(blocks);
    let least = raw.len().div_ceil(MAX_EXPANSION);
    out.resize(out.len().max(least), 0);
    Some(out)
}

fn decompress_zstd(
    payload: &[u8],
    raw_len: usize,
    dictionary: &[u8],
) -> Result<Vec<u8>, CodecError> {
    let blocks = zstd::blocks_len(payload)
        .and_then(|len| payload.split_at_checked(len))
        .filter(|(_, padding)| padding.iter().all(|byte| *byte == 0))
        .map(|(blocks, _)| blocks)
        .ok_or(CodecError::Damaged("zstd frame is cut or trailed"))?;
    let raw = zstd::decompress(blocks, raw_len, dictionary)
        .ok_or(CodecError::Damaged("zstd frame does not decode"))?;
    if raw.len() == raw_len {
        Ok(raw)
    } else {
        Err(CodecError::Damaged(
            "zstd frame has another length than stated",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::golden::{assert_in_spec, assert_row_in_spec};
    use proptest::prelude::*;
    use strum::VariantArray;

    const ANY: u64 = u64::MAX;

    fn restore(packed: &[u8]) -> Result<Vec<u8>, CodecError> {
        decompress(packed, 1 << 20, &Limits::default())
    }

    #[test]
    fn numbers_are_those_of_the_spec() {
        for &method in PackMethod::VARIANTS {
            assert_row_in_spec(method.number(), &format!("{method:?}"));
        }
    }

    #[test]
    fn golden_stored() {
        let packed = compress(b"Linares", LEVEL);
        assert_eq!(packed, b"\x00Linares");
        assert_in_spec("pack-stored", &packed);
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is C")]
    fn golden_zstd() {
        let packed = compress(&b"1/2-1/2 ".repeat(40), LEVEL);
        assert_in_spec("pack-zstd", &packed);
        assert_eq!(restore(&packed), Ok(b"1/2-1/2 ".repeat(40)));
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is C")]
    fn every_level_gives_a_frame_that_fits() {
        let raw = b"Carlsen, Magnus\n".repeat(20_000);
        for level in [-5, 1, 3, 12, 22] {
            let packed = compress(&raw, level);
            assert_eq!(packed[0], PackMethod::Zstd.number());
            assert_eq!(restore(&packed).as_ref(), Ok(&raw));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is C")]
    fn the_writer_stays_within_the_expansion_that_readers_allow() {
        assert_eq!(MAX_EXPANSION as u64, Limits::default().expansion);
        let raw = vec![b'x'; 3 << 20];
        let packed = compress(&raw, LEVEL);
        assert_eq!(packed.len(), raw.len() / MAX_EXPANSION);
        assert_eq!(decompress(&packed, ANY, &Limits::default()), Ok(raw));
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn bombs_are_refused() {
        let packed = compress(&vec![b'x'; 1 << 20], LEVEL);
        let tight = Limits {
            expansion: 100,
            ..Limits::default()
        };
        assert_eq!(
            decompress(&packed, ANY, &tight),
            Err(CodecError::Limit("expansion"))
        );
        assert_eq!(
            decompress(&packed, 1 << 19, &Limits::default()),
            Err(CodecError::Limit("raw length"))
        );
        let claim = [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 0, 0];
        assert_eq!(restore(&claim), Err(CodecError::Limit("expansion")));
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is C")]
    fn dictionary_is_a_prefix() {
        let dictionary = b"The position is equal. White is slightly better.".repeat(3);
        let raw = b"White is slightly better. The position is equal.";
        let packed = compress_with(raw, LEVEL, &dictionary);
        assert!(packed.len() < compress(raw, LEVEL).len());
        let limits = Limits::default();
        assert_eq!(
            decompress_with(&packed, &dictionary, ANY, &limits),
            Ok(raw.to_vec())
        );
        assert_ne!(decompress(&packed, ANY, &limits), Ok(raw.to_vec()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is C")]
    fn a_dictionary_that_looks_like_a_trained_one_is_still_text() {
        let dictionary = b"\x37\xa4\x30\xecFischer, Robert James Spassky, Boris V".to_vec();
        let raw = b"Spassky, Boris V Fischer, Robert James";
        let packed = compress_with(raw, LEVEL, &dictionary);
        assert_eq!(packed[0], PackMethod::Zstd.number());
        let limits = Limits::default();
        assert_eq!(
            decompress_with(&packed, &dictionary, ANY, &limits),
            Ok(raw.to_vec())
        );
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is C")]
    fn damage_is_an_error() {
        let raw = b"Wijk aan Zee ".repeat(30);
        let packed = compress(&raw, LEVEL);
        assert!(restore(&[]).is_err());
        assert!(restore(&[2, 1, 2]).is_err());
        for len in 0..packed.len() {
            assert!(restore(&packed[..len]).is_err(), "cut at {len}");
        }
        for byte in [1, 0xff] {
            let mut longer = packed.clone();
            longer.push(byte);
            assert!(restore(&longer).is_err(), "trailed by {byte}");
        }
        for off in [raw.len() - 1, raw.len() + 1] {
            let mut lie = vec![PackMethod::Zstd.number()];
            put_varint(&mut lie, off as u64);
            lie.extend_from_slice(&packed[3..]);
            assert!(restore(&lie).is_err(), "claims {off}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is C")]
    fn a_second_frame_is_refused() {
        let mut packed = compress(&[b'a'; 400], LEVEL);
        packed.extend(zstd::compress(&[b'a'; 10], LEVEL, &[]).unwrap());
        assert!(restore(&packed).is_err());
    }

    proptest! {
        #[test]
        fn bytes_round_trip(
            unit in prop::collection::vec(any::<u8>(), 0..300),
            times in 0usize..5,
            dictionary in prop::collection::vec(any::<u8>(), 0..300),
        ) {
            let raw = unit.repeat(times);
            let limits = Limits::default();
            prop_assert_eq!(restore(&compress(&raw, 3)), Ok(raw.clone()));
            let packed = compress_with(&raw, 3, &dictionary);
            prop_assert_eq!(decompress_with(&packed, &dictionary, ANY, &limits), Ok(raw));
        }

        #[test]
        #[cfg_attr(miri, ignore = "zstd is C")]
        fn any_bytes_are_safe(
            method in 0u8..3,
            bytes in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let packed = [&[method], &bytes[..]].concat();
            if let Ok(raw) = restore(&packed) {
                prop_assert!(raw.len() <= 4096 * packed.len());
            }
        }
    }
}
