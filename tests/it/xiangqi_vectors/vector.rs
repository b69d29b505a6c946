//! Test vectors: a file with the bits of a position or the text of a link, and a JSON file with the
//! expected result.

use std::fs;
use std::path::PathBuf;

use pgna::internals::bits::BitsError;
use pgna::internals::xiangqi::{
    CodeError, Fen, Link, LinkError, XiangqiCode, XiangqiMove, XiangqiPosition,
};
use serde_json::{Value, json};

/// The code or link format of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scheme {
    Code(XiangqiCode),
    Link,
}

impl Scheme {
    pub(crate) fn all() -> Vec<Scheme> {
        let codes = XiangqiCode::ALL.map(Scheme::Code);
        codes.into_iter().chain([Scheme::Link]).collect()
    }

    /// The name, which is also the name of the folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scheme::Code(code) => code.name(),
            Scheme::Link => "xq-link",
        }
    }
}

/// The expected result of decoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The position of this FEN.
    Position(String),
    /// The position of this FEN, and these moves.
    Game(String, Vec<String>),
    /// The error of this name.
    Error(String),
}

#[derive(Debug, Clone)]
pub(crate) struct Vector {
    pub name: String,
    pub description: String,
    pub scheme: Scheme,
    pub bytes: Vec<u8>,
    pub expected: Expected,
}

impl Vector {
    /// A vector of a position that round-trips.
    pub(crate) fn position(name: &str, description: &str, code: XiangqiCode, fen: &str) -> Self {
        let bits = code.encode(&position(fen)).expect("bits");
        Vector {
            name: name.to_owned(),
            description: description.to_owned(),
            scheme: Scheme::Code(code),
            bytes: bits.bytes().to_vec(),
            expected: Expected::Position(fen.to_owned()),
        }
    }

    /// A vector of a link that round-trips.
    pub(crate) fn link(name: &str, description: &str, fen: &str, moves: &[String]) -> Self {
        let link = game(fen, moves);
        Vector {
            name: name.to_owned(),
            description: description.to_owned(),
            scheme: Scheme::Link,
            bytes: link.encode().expect("a link").into_bytes(),
            expected: Expected::Game(fen.to_owned(), moves.to_vec()),
        }
    }

    /// A vector of bits or a text that decode to `error`.
    pub(crate) fn failing(
        error: &str,
        (name, description): (&str, &str),
        scheme: Scheme,
        bytes: Vec<u8>,
    ) -> Self {
        Vector {
            name: name.to_owned(),
            description: description.to_owned(),
            scheme,
            bytes,
            expected: Expected::Error(error.to_owned()),
        }
    }

    /// The scheme and the name, which together are unique.
    pub(crate) fn key(&self) -> (Scheme, String) {
        (self.scheme, self.name.clone())
    }

    /// Asserts that the bits decode as expected and that the result encodes to the same bits.
    pub(crate) fn check(&self) {
        match self.scheme {
            Scheme::Code(code) => self.check_code(code),
            Scheme::Link => self.check_link(),
        }
    }

    fn check_code(&self, code: XiangqiCode) {
        let decoded = code.decode(&self.bytes);
        match &self.expected {
            Expected::Error(name) => {
                let error = decoded.expect_err(&self.name);
                assert_eq!(code_error(&error), name, "{}: {error}", self.name);
            }
            Expected::Position(fen) => {
                let decoded = decoded.expect(&self.name);
                assert_eq!(decoded, position(fen), "{}", self.name);
                let again = code.encode(&decoded).expect("bits");
                assert_eq!(again.bytes(), self.bytes, "{}", self.name);
            }
            Expected::Game(..) => panic!("{}: a code has no moves", self.name),
        }
    }

    fn check_link(&self) {
        let text = std::str::from_utf8(&self.bytes).expect("text");
        let decoded = Link::decode(text);
        match &self.expected {
            Expected::Error(name) => {
                let error = decoded.expect_err(&self.name);
                assert_eq!(link_error(&error), name, "{}: {error}", self.name);
            }
            Expected::Game(fen, moves) => {
                let decoded = decoded.expect(&self.name);
                assert_eq!(decoded, game(fen, moves), "{}", self.name);
                assert_eq!(decoded.encode().expect("a link"), text, "{}", self.name);
            }
            Expected::Position(_) => panic!("{}: a link has moves", self.name),
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut json = json!({
            "description": self.description,
            "code": self.scheme.name(),
        });
        match &self.expected {
            Expected::Position(fen) => json["fen"] = json!(fen),
            Expected::Game(fen, moves) => {
                json["fen"] = json!(fen);
                json["moves"] = json!(moves);
            }
            Expected::Error(name) => json["error"] = json!(name),
        }
        json
    }

    fn from_json(name: &str, scheme: Scheme, json: &Value, bytes: Vec<u8>) -> Self {
        assert_eq!(json["code"], scheme.name(), "{name}");
        let text = |json: &Value| json.as_str().expect("a string").to_owned();
        let moves = json["moves"].as_array();
        Vector {
            name: name.to_owned(),
            description: text(&json["description"]),
            scheme,
            bytes,
            expected: match (json["error"].as_str(), moves) {
                (Some(error), _) => Expected::Error(error.to_owned()),
                (None, None) => Expected::Position(text(&json["fen"])),
                (None, Some(moves)) => {
                    Expected::Game(text(&json["fen"]), moves.iter().map(text).collect())
                }
            },
        }
    }

    pub(crate) fn write(&self) {
        let folder = folder().join(self.scheme.name());
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(&self.name);
        fs::write(path.with_extension("bin"), &self.bytes).unwrap();
        let json = serde_json::to_string_pretty(&self.to_json()).unwrap();
        fs::write(path.with_extension("json"), json + "\n").unwrap();
    }
}

/// The position of a FEN.
pub(crate) fn position(fen: &str) -> XiangqiPosition {
    fen.parse::<Fen>().expect("a FEN").position
}

/// The game from the position of a FEN.
fn game(fen: &str, moves: &[String]) -> Link {
    let mut game = Link::new(position(fen));
    for text in moves {
        let played: XiangqiMove = text.parse().expect("a move");
        game.play(played).expect("a legal move");
    }
    game
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// All vectors, by scheme and name.
pub(crate) fn stored() -> Vec<Vector> {
    let mut stored: Vec<Vector> = Scheme::all().into_iter().flat_map(stored_of).collect();
    stored.sort_by_key(Vector::key);
    stored
}

fn stored_of(scheme: Scheme) -> impl Iterator<Item = Vector> {
    let entries = fs::read_dir(folder().join(scheme.name()))
        .into_iter()
        .flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_json = |path: &PathBuf| path.extension().is_some_and(|end| end == "json");
    paths.filter(is_json).map(move |path| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let json = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let bytes = fs::read(path.with_extension("bin")).unwrap();
        Vector::from_json(name, scheme, &json, bytes)
    })
}

/// The name of an error in `docs/xiangqi.md`.
fn code_error(error: &CodeError) -> &'static str {
    match error {
        CodeError::NotAPoint { .. } => "not-a-point",
        CodeError::TooManyPieces { .. } => "too-many-pieces",
        CodeError::Order => "order",
        CodeError::TwoOnPoint { .. } => "two-on-point",
        CodeError::Remainder => "remainder",
        CodeError::NotCanonical => "not-canonical",
        CodeError::Bits(BitsError::EndOfInput) => "cut-short",
        CodeError::Bits(BitsError::Trailing) => "trailing",
        CodeError::Bits(BitsError::Varint) => panic!("no varint is read"),
    }
}

fn link_error(error: &LinkError) -> &'static str {
    match error {
        LinkError::NotBase64 => "not-base64",
        LinkError::Code(error) => code_error(error),
        LinkError::NoPlies => "no-plies",
        LinkError::NoLegalMove { .. } => "no-legal-move",
        LinkError::Padding => "padding",
    }
}
