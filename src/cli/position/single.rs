//! One position, in one code or in all.

use super::super::bit_text;
use super::super::errors::{Exit, Failure};
use super::super::output::Output;
use super::args::PositionArgs;
use super::{KnownPosition, encode};
use crate::internals::bits::BitString;
use crate::internals::chess::Setup;
use crate::internals::position::{PositionCode, PositionEncodeError};
use serde_json::{Value, json};

type Answer = Result<BitString, PositionEncodeError>;

/// Shows a position.
pub(super) fn show(place: &KnownPosition<'_>, args: &PositionArgs) -> Result<Exit, Failure> {
    let codes = match args.code {
        Some(code) => vec![code],
        None => PositionCode::ALL.to_vec(),
    };
    let answers = codes.into_iter().map(|code| (code, encode(code, place)));
    let answers: Vec<(PositionCode, Answer)> = answers.collect();
    if let (Some(_), [(code, Err(why))]) = (args.code, answers.as_slice()) {
        let message = format!("{} cannot represent the position: {why}", code.name());
        return Err(Failure::usage(message));
    }
    let mut output = Output::new();
    match (args.json, answers.as_slice()) {
        (true, answers) => output.json(&all_json(place, answers))?,
        (false, [(_, Ok(bits))]) => output.line(&bit_text::text(bits, args.hex))?,
        (false, answers) => output.bytes(table(place, answers).as_bytes())?,
    }
    output.finish()?;
    Ok(Exit::Done)
}

fn table(place: &KnownPosition<'_>, answers: &[(PositionCode, Answer)]) -> String {
    let mut out = format!("{}\n\n", place.setup.fen());
    let head = format!("{:<18}{:>4}{:>8}", "code", "bits", "pieces");
    out.push_str(&format!("{head}  hex\n{:32}base64\n", ""));
    for (code, answer) in answers {
        out.push_str(&rows(*code, answer, &place.setup));
    }
    if let Ok(choice) = PositionCode::combined_choice(&place.setup) {
        out.push_str(&format!("\ncombined takes {}.\n", choice.name()));
    }
    out
}

fn rows(code: PositionCode, answer: &Answer, setup: &Setup) -> String {
    let name = code.name();
    let bits = match answer {
        Ok(bits) => bits,
        Err(why) => return format!("{name:<18}{:>4}  cannot represent: {why}\n", "-"),
    };
    let pieces = piece_bits(code, setup).map_or("-".to_owned(), |bits| bits.to_string());
    bit_text::rows(&format!("{name:<18}{:>4}{pieces:>8}", bits.bit_len()), bits)
}

fn piece_bits(code: PositionCode, setup: &Setup) -> Option<u64> {
    code.piece_bits(setup).ok().flatten()
}

fn all_json(place: &KnownPosition<'_>, answers: &[(PositionCode, Answer)]) -> Value {
    let row = |(code, answer): &(PositionCode, Answer)| code_json(*code, answer, &place.setup);
    let choice = PositionCode::combined_choice(&place.setup);
    json!({
        "fen": place.setup.fen(),
        "codes": answers.iter().map(row).collect::<Vec<Value>>(),
        "combined_takes": choice.ok().map(PositionCode::name),
    })
}

fn code_json(code: PositionCode, answer: &Answer, setup: &Setup) -> Value {
    match answer {
        Ok(bits) => json!({
            "code": code.name(),
            "bits": bits.bit_len(),
            "piece_bits": piece_bits(code, setup),
            "hex": bits.to_hex(),
            "base64": bits.to_base64(),
        }),
        Err(why) => json!({ "code": code.name(), "cannot_represent": why.to_string() }),
    }
}
