//! Test vectors: the bits of a position, and the expected result.

use std::fs;
use std::path::PathBuf;

use pgna::internals::bits::{BitString, BitWriter, BitsError, from_hex};
use pgna::internals::position::{PositionCode, PositionError, SEARCHED_PLIES};
use serde_json::{Value, json};

/// The expected result of decoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The position of this FEN.
    Position(String),
    /// The error of this name.
    Error(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Vector {
    pub code: PositionCode,
    pub name: String,
    pub bytes: Vec<u8>,
    /// The number of bits without padding; all bits of a failing vector.
    pub bits: u64,
    pub expected: Expected,
}

impl Vector {
    pub(crate) fn passing(code: PositionCode, name: &str, fen: &str, encoded: &BitString) -> Self {
        Vector {
            code,
            name: name.to_owned(),
            bytes: encoded.bytes().to_vec(),
            bits: encoded.bit_len(),
            expected: Expected::Position(fen.to_owned()),
        }
    }

    pub(crate) fn failing(code: PositionCode, name: &str, error: &str, bytes: Vec<u8>) -> Self {
        Vector {
            code,
            name: name.to_owned(),
            bits: 8 * bytes.len() as u64,
            bytes,
            expected: Expected::Error(error.to_owned()),
        }
    }

    /// The sort key of the vector.
    pub(crate) fn key(&self) -> (usize, bool, String) {
        let code = PositionCode::ALL.iter().position(|code| *code == self.code);
        let fails = matches!(self.expected, Expected::Error(_));
        (code.expect("a code"), fails, self.name.clone())
    }

    /// Asserts that the bits decode as expected and that the result encodes to the same bits.
    pub(crate) fn check(&self) {
        let title = format!("{}: {}", self.code.name(), self.name);
        match (self.code.decode(&self.bytes), &self.expected) {
            (Ok(setup), Expected::Position(fen)) => {
                assert_eq!(setup.fen(), *fen, "{title}");
                let is_known_game =
                    self.code == PositionCode::Game && self.bytes[0] > SEARCHED_PLIES;
                if !is_known_game {
                    let encoded = self.code.encode(&setup).expect(&title);
                    let bits = (encoded.bytes(), encoded.bit_len());
                    assert_eq!(bits, (self.bytes.as_slice(), self.bits));
                }
            }
            (Err(error), Expected::Error(name)) => {
                assert_eq!(error_name(error), name, "{title}");
            }
            (result, _) => panic!("{title}: {result:?}"),
        }
    }

    fn to_json(&self) -> Value {
        let hex: String = self
            .bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let (kind, text) = match &self.expected {
            Expected::Position(fen) => ("fen", fen),
            Expected::Error(name) => ("error", name),
        };
        json!({ "name": self.name, "bits": self.bits, "hex": hex, kind: text })
    }

    fn from_json(code: PositionCode, json: &Value) -> Self {
        let text = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
        let hex = text("hex").expect("bits");
        let expected = match (text("fen"), text("error")) {
            (Some(fen), None) => Expected::Position(fen),
            (None, Some(error)) => Expected::Error(error),
            both => panic!("{both:?}"),
        };
        Vector {
            code,
            name: text("name").expect("a name"),
            bytes: from_hex(&hex).expect("bytes"),
            bits: json["bits"].as_u64().expect("a number"),
            expected,
        }
    }
}

fn path(code: PositionCode) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/position");
    folder.join(code.name()).with_extension("json")
}

/// All vectors, from one file for each code.
pub(crate) fn stored() -> Vec<Vector> {
    let of = |code| {
        let text = fs::read(path(code)).expect("a file of vectors");
        let all: Vec<Value> = serde_json::from_slice(&text).expect("JSON");
        all.into_iter()
            .map(move |json| Vector::from_json(code, &json))
    };
    PositionCode::ALL.into_iter().flat_map(of).collect()
}

pub(crate) fn write(vectors: &[Vector]) {
    for code in PositionCode::ALL {
        let of_code = vectors.iter().filter(|vector| vector.code == code);
        let all: Vec<Value> = of_code.map(Vector::to_json).collect();
        let text = serde_json::to_string_pretty(&all).expect("JSON");
        fs::create_dir_all(path(code).parent().expect("a folder")).expect("a folder");
        fs::write(path(code), text + "\n").expect("a file");
    }
}

/// Packs bits given as text. Characters other than 0 and 1 are skipped.
pub(crate) fn bits(text: &str) -> Vec<u8> {
    let mut out = BitWriter::new();
    for bit in text.chars().filter(|char| matches!(char, '0' | '1')) {
        out.push_bit(bit == '1');
    }
    out.into_bytes()
}

/// The name of an error in `spec/positions.md`.
fn error_name(error: PositionError) -> &'static str {
    match error {
        PositionError::Bits(BitsError::EndOfInput) => "end-of-input",
        PositionError::Bits(BitsError::Trailing) => "trailing",
        PositionError::Bits(BitsError::Varint) => "varint",
        PositionError::Value { .. } => "value",
        PositionError::Number => "number",
        PositionError::Pawn { .. } => "pawn",
        PositionError::Occupied { .. } => "occupied",
        PositionError::Order { .. } => "order",
        PositionError::Castling { .. } => "castling",
        PositionError::EnPassant { .. } => "en-passant",
        PositionError::Counter => "counter",
        PositionError::Fullmoves => "fullmoves",
        PositionError::NoLegalMove { .. } => "no-legal-move",
    }
}
