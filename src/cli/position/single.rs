//! One position, in one code or in all.

use super::super::bit_text::{base64, hex};
use super::super::errors::{Exit, Failure};
use super::super::output::Output;
use super::args::PositionArgs;
use super::{Place, encode};
use pgna::position::{CannotRepresent, Code, Encoded};
use serde_json::{Value, json};

type Answer = Result<Encoded, CannotRepresent>;

/// Shows a position.
pub(super) fn show(place: &Place, args: &PositionArgs) -> Result<Exit, Failure> {
    let codes = match args.code {
        Some(code) => vec![code],
        None => Code::ALL.to_vec(),
    };
    let answers = codes.into_iter().map(|code| (code, encode(code, place)));
    let answers: Vec<(Code, Answer)> = answers.collect();
    if let (Some(_), [(code, Err(why))]) = (args.code, answers.as_slice()) {
        let message = format!("{} cannot represent the position: {why}", code.name());
        return Err(Failure::usage(message));
    }
    let mut output = Output::new();
    match (args.json, answers.as_slice()) {
        (true, answers) => output.json(&all_json(place, answers))?,
        (false, [(_, Ok(encoded))]) if args.hex => output.line(&hex(&encoded.bytes))?,
        (false, [(_, Ok(encoded))]) => output.line(&base64(&encoded.bytes))?,
        (false, answers) => output.bytes(table(place, answers).as_bytes())?,
    }
    output.finish()?;
    Ok(Exit::Done)
}

fn table(place: &Place, answers: &[(Code, Answer)]) -> String {
    let mut out = format!("{}\n\n", place.setup.fen());
    let texts = answers
        .iter()
        .filter_map(|(_, answer)| answer.as_ref().ok());
    let widest = texts.map(|encoded| base64(&encoded.bytes).len()).max();
    let width = widest.unwrap_or_default().max(6);
    let head = format!("{:<18}{:>6}{:>8}", "code", "bits", "pieces");
    out.push_str(&format!("{head}  {:<width$}  hexadecimal\n", "base64"));
    for (code, answer) in answers {
        let name = code.name();
        match answer {
            Ok(Encoded {
                bytes,
                bits,
                piece_bits,
            }) => {
                let pieces = piece_bits.map_or("-".to_owned(), |bits| bits.to_string());
                let row = format!("{name:<18}{bits:>6}{pieces:>8}");
                let (text, digits) = (base64(bytes), hex(bytes));
                out.push_str(&format!("{row}  {text:<width$}  {digits}\n"));
            }
            Err(why) => out.push_str(&format!("{name:<18}cannot represent: {why}\n")),
        }
    }
    if let Ok(choice) = Code::combined_choice(&place.setup) {
        out.push_str(&format!("\ncombined takes {}.\n", choice.name()));
    }
    out
}

fn all_json(place: &Place, answers: &[(Code, Answer)]) -> Value {
    let rows = answers
        .iter()
        .map(|(code, answer)| code_json(*code, answer));
    let choice = Code::combined_choice(&place.setup);
    json!({
        "fen": place.setup.fen(),
        "codes": rows.collect::<Vec<Value>>(),
        "combined_takes": choice.ok().map(Code::name),
    })
}

fn code_json(code: Code, answer: &Answer) -> Value {
    match answer {
        Ok(encoded) => json!({
            "code": code.name(),
            "bits": encoded.bits,
            "piece_bits": encoded.piece_bits,
            "hex": hex(&encoded.bytes),
            "base64": base64(&encoded.bytes),
        }),
        Err(why) => json!({ "code": code.name(), "cannot_represent": why.to_string() }),
    }
}
