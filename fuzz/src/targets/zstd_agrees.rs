//! The frame of a text: the decoder in C and the decoder in Rust restore it. Arbitrary bytes as
//! the blocks of a frame, or such a frame with damage: neither decoder panics or returns more
//! bytes than asked for.
//!
//! Of damaged blocks each decoder accepts some that the other refuses: zstd does not always check
//! where a stream of Huffman codes ends, ruzstd does not check how long each of four streams is
//! and what reserved bits are.

use pgna::internals::codec::zstd;

/// The most bytes that a frame may hold: more than one block of it.
const MAX_RAW: usize = 1 << 18;

const LEVELS: [i32; 4] = [-5, 1, 3, 19];

/// A decoder: the blocks, the length of the text, the dictionary.
type Decode = fn(&[u8], usize, &[u8]) -> Option<Vec<u8>>;

const DECODERS: [Decode; 2] = [zstd::decompress, zstd::pure::decompress];

pub(super) fn check(data: &[u8]) {
    let Some(([form, level, share, repeats], bytes)) = data.split_first_chunk::<4>() else {
        return;
    };
    let (dictionary, rest) = bytes.split_at((bytes.len() * usize::from(*share)) >> 8);
    let dictionary = if form & 1 == 0 { &[] } else { dictionary };
    let repeats = usize::from(*repeats) + 1;
    if form & 2 == 0 {
        return decode_any(rest, (rest.len() * repeats).min(MAX_RAW), dictionary);
    }
    let Some(([at @ .., bits], text)) = rest.split_first_chunk::<5>() else {
        return;
    };
    let mut text = text.repeat(repeats);
    text.truncate(MAX_RAW);
    let level = LEVELS[usize::from(*level) % LEVELS.len()];
    let mut blocks = blocks_of(&text, level, dictionary);
    for decode in DECODERS {
        let raw = decode(&blocks, text.len(), dictionary);
        assert!(raw.is_some_and(|raw| raw == text));
    }
    for at in at.chunks(2) {
        let at = usize::from(u16::from_le_bytes([at[0], at[1]])) % blocks.len();
        blocks[at] ^= bits;
        decode_any(&blocks, text.len(), dictionary);
    }
}

fn blocks_of(text: &[u8], level: i32, dictionary: &[u8]) -> Vec<u8> {
    let mut frame = zstd::compress(text, level, dictionary).expect("a frame");
    frame.split_off(zstd::frame_header(text.len(), dictionary.len()).len())
}

/// Decodes the blocks up to the last one.
fn decode_any(bytes: &[u8], raw_len: usize, dictionary: &[u8]) {
    let Some(blocks) = zstd::blocks_len(bytes).and_then(|len| bytes.get(..len)) else {
        return;
    };
    for decode in DECODERS {
        let raw = decode(blocks, raw_len, dictionary);
        assert!(raw.is_none_or(|raw| raw.len() <= raw_len));
    }
}
