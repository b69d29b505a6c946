//! zstd frames; the only module that names the libraries that read and write them.
//!
//! With the feature `write` frames are written and read by zstd, which is C. Without it they
//! are read by ruzstd, which is Rust, so that a reader needs no C compiler.

#[cfg(not(feature = "write"))]
pub use pure::{decompress, decompress_frame};
#[cfg(feature = "write")]
pub use reference::{compress, decompress, decompress_frame};

/// The base-2 logarithm of the window of a frame: the least power of two that spans
/// dictionary and text, from 2^10 to 2^27.
fn window_log(raw_len: usize, dictionary_len: usize) -> u32 {
    let span = (raw_len as u64).saturating_add(dictionary_len as u64);
    let log = u64::BITS - span.saturating_sub(1).leading_zeros();
    log.clamp(10, 27)
}

/// The byte of a frame header that gives the window size.
fn window_byte(raw_len: usize, dictionary_len: usize) -> u8 {
    let [byte, ..] = ((window_log(raw_len, dictionary_len) - 10) << 3).to_le_bytes();
    byte
}

/// The header of a frame (RFC 8878, section 3.1.1): magic number, a descriptor without
/// options, the window size.
pub fn frame_header(raw_len: usize, dictionary_len: usize) -> [u8; 6] {
    let window = window_byte(raw_len, dictionary_len);
    [0x28, 0xb5, 0x2f, 0xfd, 0x00, window]
}

/// The length of the blocks of a frame (RFC 8878, section 3.1.1.2), up to the last one;
/// `None` if they are cut off.
pub fn blocks_len(bytes: &[u8]) -> Option<usize> {
    let mut at = 0_usize;
    loop {
        let [a, b, c] = *bytes.get(at..)?.first_chunk()?;
        let header = u32::from_le_bytes([a, b, c, 0]);
        let is_rle = header >> 1 & 3 == 1;
        let len = if is_rle { 1 } else { header >> 3 };
        at = at.checked_add(3 + usize::try_from(len).ok()?)?;
        if header & 1 == 1 {
            return (at <= bytes.len()).then_some(at);
        }
    }
}

#[cfg(feature = "write")]
mod reference {
    use super::{frame_header, window_log};
    use std::cell::RefCell;
    use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound};

    /// Compresses to a whole frame, with `dictionary` as a prefix that `raw` can refer to;
    /// `None` if zstd cannot allocate memory.
    pub fn compress(raw: &[u8], level: i32, dictionary: &[u8]) -> Option<Vec<u8>> {
        let mut context = CCtx::try_create()?;
        for parameter in [
            CParameter::CompressionLevel(level),
            CParameter::WindowLog(window_log(raw.len(), dictionary.len())),
            CParameter::ContentSizeFlag(false),
            CParameter::ChecksumFlag(false),
            CParameter::DictIdFlag(false),
        ] {
            context.set_parameter(parameter).ok()?;
        }
        if !dictionary.is_empty() {
            context.ref_prefix(dictionary).ok()?;
        }
        let mut frame = Vec::with_capacity(compress_bound(raw.len()));
        context.compress2(&mut frame, raw).ok()?;
        Some(frame)
    }

    thread_local! {
        /// Creating a context takes longer than decoding a small column.
        static CONTEXT: RefCell<Option<DCtx<'static>>> = const { RefCell::new(None) };
    }

    /// Decompresses the blocks of a frame to at most `raw_len` bytes.
    pub fn decompress(blocks: &[u8], raw_len: usize, dictionary: &[u8]) -> Option<Vec<u8>> {
        let mut frame = frame_header(raw_len, dictionary.len()).to_vec();
        frame.extend_from_slice(blocks);
        let mut raw = Vec::with_capacity(raw_len);
        if !dictionary.is_empty() {
            let mut context = DCtx::try_create()?;
            context.ref_prefix(dictionary).ok()?;
            context.decompress(&mut raw, &frame).ok()?;
            return Some(raw);
        }
        CONTEXT.with_borrow_mut(|slot| {
            if slot.is_none() {
                *slot = DCtx::try_create();
            }
            slot.as_mut()?.decompress(&mut raw, &frame).ok()?;
            Some(raw)
        })
    }

    /// Decompresses a whole frame whose header states the length of its content, at most
    /// `max_len`.
    pub fn decompress_frame(frame: &[u8], max_len: usize) -> Option<Vec<u8>> {
        let len = zstd::zstd_safe::get_frame_content_size(frame).ok()??;
        let len = usize::try_from(len).ok().filter(|len| *len <= max_len)?;
        zstd::bulk::decompress(frame, len).ok()
    }
}

/// The decoder in Rust.
#[cfg(any(test, feature = "internals", not(feature = "write")))]
pub mod pure {
    use super::window_byte;
    use ruzstd::decoding::{Dictionary, FrameDecoder};

    /// The part of a dictionary before its content: magic number, ID 1, a Huffman table of
    /// two symbols, three FSE tables of one symbol, and the offsets with which a frame
    /// without a dictionary begins.
    const DICTIONARY_HEAD: [u8; 28] = [
        0x37, 0xa4, 0x30, 0xec, 1, 0, 0, 0, 0x80, 0x10, 0xf0, 0x03, 0xf0, 0x03, 0xf0, 0x03, 1, 0,
        0, 0, 4, 0, 0, 0, 8, 0, 0, 0,
    ];

    /// A dictionary of content alone. Without the tables of its head, a first block that
    /// repeats tables is refused, as zstd refuses it.
    fn content_dictionary(content: &[u8]) -> Option<Dictionary> {
        let mut dictionary = Dictionary::decode_dict(&DICTIONARY_HEAD).ok()?;
        dictionary.huf.table.reset();
        dictionary.fse.offsets.reset();
        dictionary.fse.match_lengths.reset();
        dictionary.fse.literal_lengths.reset();
        dictionary.dict_content = content.to_vec();
        Some(dictionary)
    }

    /// Decompresses the blocks of a frame to at most `raw_len` bytes.
    pub fn decompress(blocks: &[u8], raw_len: usize, dictionary: &[u8]) -> Option<Vec<u8>> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(1 << 27);
        let window = window_byte(raw_len, dictionary.len());
        // With a dictionary, the descriptor announces a dictionary ID of one byte.
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, window];
        if !dictionary.is_empty() {
            decoder.add_dict(content_dictionary(dictionary)?).ok()?;
            frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x01, window, 1];
        }
        frame.extend_from_slice(blocks);
        let mut raw = vec![0; raw_len];
        let len = decoder.decode_all(&frame, &mut raw).ok()?;
        raw.truncate(len);
        Some(raw)
    }

    /// Decompresses a whole frame whose header states the length of its content, at most
    /// `max_len`.
    pub fn decompress_frame(frame: &[u8], max_len: usize) -> Option<Vec<u8>> {
        let mut decoder = FrameDecoder::new();
        decoder.init(frame).ok()?;
        let len = usize::try_from(decoder.content_size()).ok();
        let mut raw = Vec::with_capacity(len.filter(|len| *len <= max_len)?);
        decoder.decode_all_to_vec(frame, &mut raw).ok()?;
        Some(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Both decoders restore `raw`.
    fn check(raw: &[u8], level: i32, dictionary: &[u8]) {
        let frame = compress(raw, level, dictionary).unwrap();
        assert_eq!(frame[..6], frame_header(raw.len(), dictionary.len()));
        let blocks = &frame[6..];
        assert_eq!(blocks_len(blocks), Some(blocks.len()));
        assert_eq!(blocks_len(&blocks[..blocks.len() - 1]), None);
        let decoders = [reference::decompress, pure::decompress];
        for decode in decoders {
            let decoded = decode(blocks, raw.len(), dictionary);
            assert!(decoded.as_deref() == Some(raw), "{} bytes", raw.len());
            // One byte too many for the output.
            if let Some(less) = raw.len().checked_sub(1) {
                assert_ne!(decode(blocks, less, dictionary).as_deref(), Some(raw));
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is C")]
    fn both_decoders_restore_texts() {
        let text = include_bytes!("../../spec/registry.md");
        let glossary = include_bytes!("../../spec/glossary.md");
        for level in [-5, 1, 3, 12, 19, 22] {
            check(text, level, b"");
            check(text, level, glossary);
            check(&glossary[..300], level, text);
        }
        let repeated = text.repeat(40);
        check(&repeated, 19, b"");
        check(&repeated, 3, glossary);
        check(&vec![b'x'; 3 << 20], 19, b"");
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is C")]
    fn frames_with_their_length_are_restored() {
        let text = include_bytes!("../../spec/registry.md");
        let frame = zstd::bulk::compress(text, 19).unwrap();
        for decode in [reference::decompress_frame, pure::decompress_frame] {
            assert!(decode(&frame, text.len()).as_deref() == Some(&text[..]));
            assert_eq!(decode(&frame, text.len() - 1), None);
            assert_eq!(decode(&frame[..frame.len() - 1], text.len()), None);
        }
    }

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "zstd is C")]
        fn both_decoders_restore_any_bytes(
            raw in prop::collection::vec(prop_oneof![0..3u8, any::<u8>()], 0..2000),
            dictionary in prop::collection::vec(0..3u8, 0..500),
        ) {
            check(&raw, 19, &dictionary);
        }

        #[test]
        #[cfg_attr(miri, ignore = "zstd is C")]
        fn any_bytes_are_read_without_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            dictionary in prop::collection::vec(0..3u8, 0..20),
        ) {
            let _ = blocks_len(&bytes);
            for decode in [reference::decompress, pure::decompress] {
                let decoded = decode(&bytes, 1000, &dictionary);
                prop_assert!(decoded.is_none_or(|raw| raw.len() <= 1000));
            }
        }
    }
}
