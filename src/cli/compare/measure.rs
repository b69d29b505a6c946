//! Measures one line with every codec, with a round trip.

use super::method::Method;
use super::tally::{CodecResults, Coded};
use crate::internals::moves::{
    DecodedLine, Line, LineInfo, LineStart, MoveCodec, SideInfo, encode_smallest, null_plies,
};
use crate::{BuiltinModel, Codec, Limits};
use std::time::{Duration, Instant};

/// The level of the model that `auto` uses, which is the default of `pgna
/// pack`.
const LEVEL: BuiltinModel = BuiltinModel::Default;

/// An internal error: a codec or the choice among codecs is wrong.
pub(super) type InternalError = String;

/// Encodes a line with every codec and verifies that it decodes to the same.
pub(super) fn measure(line: Line<'_>) -> Result<CodecResults, InternalError> {
    let methods = Method::all();
    let mut codecs = Vec::with_capacity(methods.len());
    for method in &methods {
        let wrong = |wrong| format!("{}: {wrong}", method.title());
        let model = method.segment_model();
        let side_info = SideInfo::from(&model);
        let line = Line { side_info, ..line };
        let coded = round_trip(&method.codec, line).map_err(wrong)?;
        codecs.push(match coded {
            Some(coded) => Some(with_parts(method.codec, line, coded).map_err(wrong)?),
            None => None,
        });
    }
    let model = Method {
        codec: Codec::Model,
        model: Some(LEVEL),
    }
    .segment_model();
    let side_info = SideInfo::from(&model);
    let line = Line { side_info, ..line };
    let (chosen, encode) = timed(|| encode_smallest(line, &Codec::ALL));
    let auto = match chosen {
        Ok(line) => Some(auto(line.codec, line.bytes.len() as u64, &codecs, encode)?),
        Err(_) => None,
    };
    Ok(CodecResults { codecs, auto })
}

/// The result of `auto`, checked against that of the codec that it chose.
fn auto(
    codec: Codec,
    bytes: u64,
    codecs: &[Option<Coded>],
    encode: Duration,
) -> Result<Coded, InternalError> {
    let is_chosen =
        |method: &Method| method.codec == codec && method.model.is_none_or(|of| of == LEVEL);
    let mut coded = Method::all().into_iter().zip(codecs);
    let coded = coded.find(|(method, _)| is_chosen(method));
    let coded = coded.and_then(|(_, coded)| coded.filter(|coded| coded.bytes == bytes));
    let coded = coded.ok_or("auto has chosen another encoding than its codec")?;
    Ok(Coded {
        encode,
        parts: None,
        ..coded
    })
}

/// Encodes and decodes a line; `None` if the codec cannot represent it.
fn round_trip(codec: &dyn MoveCodec, line: Line<'_>) -> Result<Option<Coded>, InternalError> {
    let (encoded, encode) = timed(|| codec.encode(line));
    let Ok(bytes) = encoded else {
        return Ok(None);
    };
    let nulls = null_plies(line.plies);
    let shape = LineInfo::new(
        LineStart::Position(line.start),
        line.plies.len() as u64,
        &nulls,
    );
    let shape = LineInfo {
        result: line.result,
        ratings: line.ratings,
        side_info: line.side_info,
        ..shape
    };
    let limits = Limits::default();
    let (decoded, decode) = timed(|| codec.decode(&bytes, &shape, &limits));
    match decoded {
        Ok(decoded) if is_round_trip(&decoded, line) => Ok(Some(Coded {
            bytes: bytes.len() as u64,
            encode,
            decode,
            parts: None,
        })),
        Ok(_) => Err("the line that was decoded is another".to_owned()),
        Err(error) => Err(format!("what was encoded is not decoded: {error}")),
    }
}

/// Whether the decoded line is the same, including its result if the codec
/// stores it.
fn is_round_trip(decoded: &DecodedLine, line: Line<'_>) -> bool {
    decoded.plies == line.plies
        && decoded.start.is_same_as(line.start)
        && (decoded.result.is_none() || decoded.result == line.result)
}

/// Adds the parts of the encoding.
fn with_parts(codec: Codec, line: Line<'_>, coded: Coded) -> Result<Coded, InternalError> {
    let parts = codec.parts(line);
    if let Some(parts) = parts {
        let bits = parts.trees + parts.start + parts.moves;
        if bits.div_ceil(8) != coded.bytes {
            return Err(format!("parts of {bits} bits in {} bytes", coded.bytes));
        }
    }
    Ok(Coded { parts, ..coded })
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let clock = Instant::now();
    let done = work();
    (done, clock.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::internals::chess::{ChessPosition, Outcome, PlyKind};
    use crate::internals::moves::{LineEncodeError, MoveError};

    /// A codec with fixed results.
    struct FixedCodec {
        encoded: Result<Vec<u8>, LineEncodeError>,
        decoded: Result<DecodedLine, MoveError>,
    }

    impl MoveCodec for FixedCodec {
        fn encode(&self, _: Line<'_>) -> Result<Vec<u8>, LineEncodeError> {
            self.encoded.clone()
        }

        fn decode(&self, _: &[u8], _: &LineInfo<'_>, _: &Limits) -> Result<DecodedLine, MoveError> {
            self.decoded.clone()
        }

        fn least_bytes(&self, _: Line<'_>) -> usize {
            0
        }
    }

    fn line_back() -> DecodedLine {
        DecodedLine {
            start: ChessPosition::standard(),
            plies: vec![PlyKind::Null],
            result: None,
        }
    }

    fn trip(coded: &FixedCodec) -> Result<Option<u64>, InternalError> {
        let start = ChessPosition::standard();
        let line = Line {
            result: Some(Outcome::Draw),
            ..Line::new(&start, &[PlyKind::Null])
        };
        Ok(round_trip(coded, line)?.map(|coded| coded.bytes))
    }

    #[test]
    fn a_failed_round_trip_is_an_error() {
        let mut coded = FixedCodec {
            encoded: Ok(vec![0; 3]),
            decoded: Ok(line_back()),
        };
        assert_eq!(trip(&coded), Ok(Some(3)));
        let mut draw = line_back();
        draw.result = Some(Outcome::Draw);
        coded.decoded = Ok(draw);
        assert_eq!(trip(&coded), Ok(Some(3)));

        let mut other_plies = line_back();
        other_plies.plies.push(PlyKind::Null);
        let mut other_start = line_back();
        other_start.start.make(PlyKind::Null).unwrap();
        let mut other_result = line_back();
        other_result.result = Some(Outcome::Decisive {
            winner: crate::internals::chess::Color::White,
        });
        for other in [other_plies, other_start, other_result] {
            coded.decoded = Ok(other);
            assert!(trip(&coded).unwrap_err().contains("is another"));
        }
        coded.decoded = Err(MoveError::WrongStart);
        assert!(trip(&coded).unwrap_err().contains("is not decoded"));
    }

    #[test]
    fn a_codec_may_refuse() {
        let coded = FixedCodec {
            encoded: Err(LineEncodeError::NotStandardStart),
            decoded: Err(MoveError::WrongStart),
        };
        assert_eq!(trip(&coded), Ok(None));
    }

    #[test]
    fn every_codec_is_measured() {
        let start = ChessPosition::standard();
        let mut moved = start.clone();
        let ply = moved.legal_plies()[0];
        moved.make(ply).unwrap();
        let all = measure(Line::new(&start, &[ply])).unwrap();
        assert_eq!(all.codecs.len(), Method::all().len());
        let illegal = measure(Line::new(&start, &[ply, ply])).unwrap();
        assert_eq!(illegal.smallest(), None);
    }
}
