//! The figures as JSON: unrounded, with the underlying counts.

use super::super::figures::ratio;
use super::NOT_COUNTED_NOTE;
use super::method::Method;
use super::tally::{CodecSums, CompareTally, PartsSum};
use serde_json::{Value, json};

/// All figures as one object.
pub(super) fn json(tally: &CompareTally) -> Value {
    let codecs = Method::all().into_iter().zip(&tally.codecs);
    json!({
        "games": tally.games,
        "plies": tally.plies,
        "plies_per_game": ratio(tally.plies, tally.games),
        "games_without_plies": tally.without_plies,
        "games_left_out": tally.skipped,
        "codecs": codecs.map(|(method, sums)| codec_json(method, sums)).collect::<Vec<Value>>(),
        "auto": sums_json(&tally.auto),
        "note": NOT_COUNTED_NOTE,
    })
}

fn codec_json(method: Method, sums: &CodecSums) -> Value {
    let mut value = json!({
        "codec": method.codec.name(),
        "form": method.form(),
        "selector": method.codec.selector(),
    });
    if let (Some(value), Value::Object(sums)) = (value.as_object_mut(), sums_json(sums)) {
        value.extend(sums);
    }
    value
}

fn sums_json(sums: &CodecSums) -> Value {
    json!({
        "games": sums.games,
        "plies": sums.plies,
        "bytes": sums.bytes,
        "bits_per_ply": sums.bits_per_ply(),
        "bytes_per_game": sums.bytes_per_game(),
        "smallest_games": sums.smallest,
        "smallest_share": sums.smallest_share(),
        "not_represented_games": sums.unsupported,
        "encode_seconds": sums.encode.as_secs_f64(),
        "decode_seconds": sums.decode.as_secs_f64(),
        "encode_plies_per_second": sums.encode_speed(),
        "decode_plies_per_second": sums.decode_speed(),
        "parts": (sums.parts.games > 0).then(|| parts_json(&sums.parts)),
    })
}

fn parts_json(parts: &PartsSum) -> Value {
    json!({
        "games": parts.games,
        "trees_bits": parts.bits.trees,
        "start_bits": parts.bits.start,
        "moves_bits": parts.bits.moves,
        "padding_bits": parts.padding_bits(),
    })
}
