//! Compression of prose by context mixing. For each bit, the predictions of several
//! contexts are mixed with adaptive weights, and the range coder codes the bit with
//! the resulting probability.
//!
//! After M. Mahoney, *Adaptive Weighing of Context Models for Lossless Data
//! Compression* (2005). `spec/columns.md`, section "Prose", defines the layout.
//! Reading takes about 0.4 µs a byte, and writing 0.35. Mixing is therefore
//! used only for prose, of which a look-up reads one block.

mod cells;
mod logistic;
mod match_model;
mod model;

use super::error::CodecError;
use super::pack;
use super::range::{Decoder, Encoder, RangeError};
use crate::bits::{ByteReader, put_varint};
use crate::limits::Limits;
use model::MixingModel;
use strum::{FromRepr, IntoStaticStr};

/// The methods of prose packs, in addition to those of [`pack::PackMethod`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRepr, IntoStaticStr)]
#[repr(u8)]
pub enum ProseMethod {
    /// Mixed contexts, with a new model.
    #[strum(serialize = "mixed contexts")]
    Mixed = 2,
    /// Mixed contexts, with a model primed with the segment's preset text.
    #[strum(serialize = "mixed contexts, preset text")]
    Primed = 3,
}

impl ProseMethod {
    /// The number of this method in a file.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The display name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The maximum raw size of a mixed pack, in bytes. It bounds the time to read a pack
/// to about half a second.
pub const MAX_BYTES: usize = 1 << 20;

/// The maximum ratio of raw to packed size: 16 KiB of input cost at most about half
/// a second of mixing. Longer texts, which consist mostly of repetitions, are left to
/// the other methods.
const MAX_EXPANSION: usize = 64;

/// The range of the base-2 logarithm of the number of buckets of a context.
const BUCKET_LOGS: std::ops::RangeInclusive<u32> = 8..=16;

/// A model primed with the preset text of a segment.
#[derive(Debug, Clone)]
pub struct PrimedModel(MixingModel);

impl PrimedModel {
    /// Compresses preset text. `following_bytes` is the amount of prose that is coded
    /// after it at a time. Returns `None` if the text is empty, too long or too
    /// repetitive.
    pub fn compress_preset_text(text: &[u8], following_bytes: usize) -> Option<Vec<u8>> {
        let log = bucket_log(text.len() + following_bytes);
        encode_mixed(MixingModel::new(log), text, Some(log))
    }

    /// Decodes preset text into a primed model.
    ///
    /// # Errors
    /// The bytes are damaged, or a limit is reached.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<PrimedModel, CodecError> {
        let mut reader = ByteReader::new(bytes);
        if reader.u8()? != ProseMethod::Mixed.number() {
            return Err(CodecError::Damaged("preset text of an unknown method"));
        }
        let log = read_log(&mut reader)?;
        let raw_len = read_length(&mut reader, bytes.len(), MAX_BYTES as u64, limits)?;
        let mut model = MixingModel::new(log);
        decode_mixed(&mut model, reader.rest(), raw_len)?;
        Ok(PrimedModel(model))
    }
}

/// Compresses prose with the method that makes it smallest. Mixing, which is slow to
/// read, is used only if it is smaller by more than 1/20.
pub fn compress(raw: &[u8], preset: Option<&PrimedModel>) -> Vec<u8> {
    let packed = pack::compress(raw, pack::LEVEL);
    let mixed = match preset {
        Some(PrimedModel(model)) => encode_mixed(model.clone(), raw, None),
        None => {
            let log = bucket_log(raw.len());
            encode_mixed(MixingModel::new(log), raw, Some(log))
        }
    };
    match mixed {
        Some(mixed) if mixed.len() + packed.len() / 20 < packed.len() => mixed,
        _ => packed,
    }
}

/// Restores the input of [`compress`], given the same preset text, at most `max_raw`
/// bytes.
///
/// # Errors
/// [`CodecError::Limit`] if the text is longer or passes another limit, otherwise
/// damaged data.
pub fn decompress<'p>(
    bytes: &[u8],
    preset: impl FnOnce() -> Result<Option<&'p PrimedModel>, CodecError>,
    max_raw: u64,
    limits: &Limits,
) -> Result<Vec<u8>, CodecError> {
    decompress_first(bytes, usize::MAX, preset, max_raw, limits)
}

/// Like [`decompress`], but restores only the first `wanted` bytes if that takes less time.
///
/// # Errors
/// As [`decompress`]; damage after these bytes may not be found.
pub fn decompress_first<'p>(
    bytes: &[u8],
    wanted: usize,
    preset: impl FnOnce() -> Result<Option<&'p PrimedModel>, CodecError>,
    max_raw: u64,
    limits: &Limits,
) -> Result<Vec<u8>, CodecError> {
    let mut reader = ByteReader::new(bytes);
    let method = match reader.u8().ok().and_then(ProseMethod::from_repr) {
        None => return pack::decompress(bytes, max_raw, limits),
        Some(method) => method,
    };
    let own_log = match method {
        ProseMethod::Mixed => Some(read_log(&mut reader)?),
        ProseMethod::Primed => None,
    };
    // The model is allocated only after the raw length is known and checked.
    let raw_len = read_length(&mut reader, bytes.len(), max_raw, limits)?;
    let mut model = match own_log {
        Some(own) if own > bucket_log(raw_len) => {
            return Err(CodecError::Damaged("more contexts than a text needs"));
        }
        Some(own) => MixingModel::new(own),
        None => {
            let preset = preset()?.ok_or(CodecError::Damaged("prose needs preset text"))?;
            preset.0.clone()
        }
    };
    match wanted < raw_len {
        true => Ok(read_mixed(
            &mut model,
            &mut Decoder::new(reader.rest()),
            wanted,
        )?),
        false => decode_mixed(&mut model, reader.rest(), raw_len),
    }
}

/// Whether [`decompress`] needs preset text for these bytes.
pub fn needs_preset(bytes: &[u8]) -> bool {
    method_of(bytes) == Some(ProseMethod::Primed)
}

/// Whether these bytes are mixed.
pub fn is_mixed(bytes: &[u8]) -> bool {
    method_of(bytes).is_some()
}

fn method_of(bytes: &[u8]) -> Option<ProseMethod> {
    let number = bytes.first()?;
    ProseMethod::from_repr(*number)
}

/// The base-2 logarithm of the number of buckets for a text: at least one bucket for
/// two bytes, within [`BUCKET_LOGS`].
fn bucket_log(bytes: usize) -> u32 {
    let log = (bytes / 2).max(1).next_power_of_two().trailing_zeros();
    log.clamp(*BUCKET_LOGS.start(), *BUCKET_LOGS.end())
}

/// Encodes a text. `log` is that of a new model, and `None` for a primed one. Returns
/// `None` if the text is empty, too long or too repetitive.
fn encode_mixed(mut model: MixingModel, raw: &[u8], log: Option<u32>) -> Option<Vec<u8>> {
    if raw.is_empty() || raw.len() > MAX_BYTES {
        return None;
    }
    let mut out = match log {
        Some(log) => vec![ProseMethod::Mixed.number(), u8::try_from(log).ok()?],
        None => vec![ProseMethod::Primed.number()],
    };
    put_varint(&mut out, raw.len() as u64);
    let mut encoder = Encoder::new();
    for byte in raw {
        model.byte(&mut encoder, *byte).ok()?;
    }
    out.extend(encoder.finish());
    (raw.len() <= MAX_EXPANSION * out.len()).then_some(out)
}

fn read_log(reader: &mut ByteReader<'_>) -> Result<u32, CodecError> {
    let log = u32::from(reader.u8()?);
    match BUCKET_LOGS.contains(&log) {
        true => Ok(log),
        false => Err(CodecError::Damaged("impossible number of contexts")),
    }
}

/// Reads the raw length of a pack of `packed` bytes and checks it.
fn read_length(
    reader: &mut ByteReader<'_>,
    packed: usize,
    max_raw: u64,
    limits: &Limits,
) -> Result<usize, CodecError> {
    let raw_len = reader.length()?;
    let expansion = limits.expansion.min(MAX_EXPANSION as u64);
    if raw_len as u64 > expansion.saturating_mul(packed as u64) {
        return Err(CodecError::Limit("expansion"));
    }
    if raw_len > MAX_BYTES || raw_len as u64 > max_raw {
        return Err(CodecError::Limit("raw length"));
    }
    match raw_len {
        0 => Err(CodecError::Damaged("mixed text of no bytes")),
        _ => Ok(raw_len),
    }
}

fn decode_mixed(
    model: &mut MixingModel,
    stream: &[u8],
    raw_len: usize,
) -> Result<Vec<u8>, CodecError> {
    let mut decoder = Decoder::new(stream);
    let raw = read_mixed(model, &mut decoder, raw_len)?;
    decoder.finish().map_err(damaged)?;
    Ok(raw)
}

/// Decodes so many bytes.
fn read_mixed(
    model: &mut MixingModel,
    decoder: &mut Decoder<'_>,
    count: usize,
) -> Result<Vec<u8>, CodecError> {
    let mut raw = Vec::with_capacity(count);
    for _ in 0..count {
        raw.push(model.byte(decoder, 0).map_err(damaged)?);
    }
    Ok(raw)
}

fn damaged(_: RangeError) -> CodecError {
    CodecError::Damaged("mixed text that is none")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::golden::assert_in_spec;
    use proptest::prelude::*;

    const ANY: u64 = 1 << 20;

    fn read(bytes: &[u8], preset: Option<&PrimedModel>) -> Result<Vec<u8>, CodecError> {
        decompress(bytes, || Ok(preset), ANY, &Limits::default())
    }

    fn text() -> Vec<u8> {
        let words = [
            "a strong move}",
            "the knight",
            " is better placed on d5}",
            "if 12.Nf3? ",
        ];
        let mut text = Vec::new();
        for number in 0..400usize {
            text.extend_from_slice(words[number * number % 7 % 4].as_bytes());
            text.extend_from_slice(number.to_string().as_bytes());
        }
        text
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn golden_prose() {
        let prose = b"better is Nf3} better is Nf3} even better is Nf3}";
        let mixed = encode_mixed(MixingModel::new(8), prose, Some(8)).unwrap();
        assert_eq!(read(&mixed, None).unwrap(), prose);
        assert_in_spec("prose-mixed", &mixed);
        let preset = PrimedModel::read(&mixed, &Limits::default()).unwrap();
        let primed = super::encode_mixed(preset.0.clone(), b"worse is Nf3}", None);
        let primed = primed.unwrap();
        assert_eq!(read(&primed, Some(&preset)).unwrap(), b"worse is Nf3}");
        assert_in_spec("prose-primed", &primed);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn prose_is_mixed_if_smaller() {
        let text = text();
        let pressed = compress(&text, None);
        assert_eq!(pressed.first(), Some(&ProseMethod::Mixed.number()));
        assert!(20 * pressed.len() < 19 * pack::compress(&text, pack::LEVEL).len());
        assert_eq!(read(&pressed, None).unwrap(), text);
        for wanted in [0, 1, 100, text.len() - 1, text.len(), usize::MAX] {
            let limits = Limits::default();
            let first = decompress_first(&pressed, wanted, || Ok(None), ANY, &limits).unwrap();
            assert!(first == text[..wanted.min(text.len())], "{wanted}");
        }
        let noise: Vec<u8> = (0..300u64)
            .map(|n| (n * n * n * 0x9e37_79b9).to_le_bytes()[2])
            .collect();
        for other in [&b""[..], b"x", &noise] {
            let pressed = compress(other, None);
            assert!(pressed.first() < Some(&2), "zstd or stored");
            assert_eq!(read(&pressed, None).unwrap(), other);
        }
        let long = text.repeat(MAX_BYTES / text.len() + 1);
        assert!(compress(&long, None).first() < Some(&2), "too long");
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn preset_text_makes_prose_smaller() {
        let text = text();
        let (first, second) = text.split_at(text.len() / 2);
        let table = PrimedModel::compress_preset_text(first, second.len()).unwrap();
        let preset = PrimedModel::read(&table, &Limits::default()).unwrap();
        let primed = compress(second, Some(&preset));
        assert_eq!(primed.first(), Some(&ProseMethod::Primed.number()));
        assert!(primed.len() < compress(second, None).len());
        assert_eq!(read(&primed, Some(&preset)).unwrap(), second);
        assert!(read(&primed, None).is_err(), "no preset text");
    }

    /// Runs of one byte take almost no bits.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn constant_text_round_trips() {
        for byte in [0u8, b' ', 0xff] {
            for len in [1, 4096, 5000, 100_000] {
                let raw = vec![byte; len];
                let back = decompress(
                    &compress(&raw, None),
                    || Ok(None),
                    u64::MAX,
                    &Limits::default(),
                );
                assert!(back.as_ref() == Ok(&raw), "{len} times {byte}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn hostile_prose_is_refused() {
        let text = text();
        let pressed = compress(&text, None);
        let short = text.len() as u64 - 1;
        let limited = decompress(&pressed, || Ok(None), short, &Limits::default());
        assert_eq!(limited, Err(CodecError::Limit("raw length")));
        for (name, bytes) in [
            ("no buckets", &[2u8, 7, 1][..]),
            ("too many buckets", &[2, 17, 1]),
            ("no length", &[2, 8]),
            ("zeros primed", &[2, 8, 1, 0]),
            ("unknown method", &[4, 8, 0]),
        ] {
            assert!(read(bytes, None).is_err(), "{name}");
        }
        let mut long = vec![2, 8];
        put_varint(&mut long, MAX_BYTES as u64 + 1);
        long.extend([1; 20_000]);
        let limit = Err(CodecError::Limit("raw length"));
        assert_eq!(
            decompress(&long, || Ok(None), u64::MAX, &Limits::default()),
            limit
        );
        let limits = Limits::default();
        assert!(
            PrimedModel::read(&[0, 65], &limits).is_err(),
            "stored preset text"
        );
        let expanding = [2, 8, 0x81, 0x02];
        let limit = Err(CodecError::Limit("expansion"));
        assert_eq!(read(&expanding, None), limit, "257 bytes of 4");
        assert!(read(&[2, 8, 0], None).is_err(), "no text");
        assert!(read(&[2, 9, 1, 1], None).is_err(), "more buckets than text");
        let cut = pressed.split_last().unwrap().1;
        assert_ne!(read(cut, None), Ok(text));
    }

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "takes minutes")]
        fn any_text_round_trips(
            raw in prop::collection::vec(prop_oneof![Just(b' '), b'a'..b'e', any::<u8>()], 1..300),
            before in prop::collection::vec(b'a'..b'e', 1..200),
        ) {
            prop_assert_eq!(&read(&compress(&raw, None), None).unwrap(), &raw);
            let log = bucket_log(raw.len());
            let alone = encode_mixed(MixingModel::new(log), &raw, Some(log)).unwrap();
            prop_assert_eq!(&read(&alone, None).unwrap(), &raw);
            let table = PrimedModel::compress_preset_text(&before, raw.len()).unwrap();
            let preset = PrimedModel::read(&table, &Limits::default()).unwrap();
            let primed = encode_mixed(preset.0.clone(), &raw, None).unwrap();
            prop_assert_eq!(read(&primed, Some(&preset)).unwrap(), raw);
        }

        /// An accepted encoding is the one that the writer gives.
        #[test]
        #[cfg_attr(miri, ignore = "takes minutes")]
        fn any_bytes_are_safe(bytes in prop::collection::vec(any::<u8>(), 0..40), len in 0..60u8) {
            let bytes = [&[2, 8, len], &bytes[..]].concat();
            if let Ok(raw) = read(&bytes, None) {
                prop_assert_eq!(encode_mixed(MixingModel::new(8), &raw, Some(8)).unwrap(), bytes);
            }
        }
    }
}
