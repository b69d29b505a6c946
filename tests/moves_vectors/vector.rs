//! A vector: the bits of a line in a file, and beside it, as JSON, what they
//! are to be decoded to.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use pgna::chess::{Extras, Ply, Position, Rules, SetupRest, Square, Variant};
use pgna::limits::Limits;
use pgna::moves::{Codec, DecodedLine, Line, MoveCodec, MoveError, Shape, Start, null_plies};
use serde_json::{Value, json};

use super::names::error_name;

/// What a file is to be decoded to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// This start position, as FEN, and these plies.
    Line(String, Vec<String>),
    /// The error of this name.
    Error(String),
}

#[derive(Debug, Clone)]
pub(crate) struct Vector {
    pub name: String,
    pub description: String,
    pub codec: Codec,
    pub rest: SetupRest,
    pub plies: u64,
    pub nulls: Vec<u64>,
    pub bytes: Vec<u8>,
    pub expected: Expected,
}

impl Vector {
    /// A line that is to come back.
    pub(crate) fn passing(
        name: &str,
        description: &str,
        codec: Codec,
        fen: &str,
        plies: &str,
    ) -> Self {
        let rules = position(fen).rules();
        Self::passing_by(rules, name, description, codec, fen, plies)
    }

    /// A line that is to come back, by the rules of a variant.
    pub(crate) fn passing_by(
        rules: Rules,
        name: &str,
        description: &str,
        codec: Codec,
        fen: &str,
        plies: &str,
    ) -> Self {
        let start = Position::from_fen(fen.as_bytes(), rules).expect("a position");
        let texts: Vec<String> = plies.split_whitespace().map(String::from).collect();
        let plies: Vec<Ply> = texts.iter().map(|text| ply(text)).collect();
        let line = Line::new(&start, &plies);
        Vector {
            name: name.to_owned(),
            description: description.to_owned(),
            codec,
            rest: start.rest(),
            plies: plies.len() as u64,
            nulls: null_plies(&plies),
            bytes: codec.encode(line).expect("an encoding"),
            expected: Expected::Line(fen.to_owned(), texts),
        }
    }

    /// Bits that are to fail.
    pub(crate) fn failing(
        error: &str,
        (name, description): (&str, &str),
        codec: Codec,
        plies: u64,
        bytes: Vec<u8>,
    ) -> Self {
        let start = match codec {
            Codec::HuffmanElided | Codec::HuffmanIndexElided => Position::standard(),
            Codec::Huffman | Codec::HuffmanIndex => position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        };
        Vector {
            name: name.to_owned(),
            description: description.to_owned(),
            codec,
            rest: start.rest(),
            plies,
            nulls: Vec::new(),
            bytes,
            expected: Expected::Error(error.to_owned()),
        }
    }

    /// The folder and the name, which are together unlike all others'.
    pub(crate) fn key(&self) -> (&'static str, String) {
        (self.codec.name(), self.name.clone())
    }

    /// Decodes the bits, with what is known of the start position.
    pub(crate) fn decode(&self, start: Start<'_>) -> Result<DecodedLine, MoveError> {
        let shape = Shape {
            start,
            plies: self.plies,
            nulls: &self.nulls,
        };
        self.codec.decode(&self.bytes, &shape, &Limits::default())
    }

    /// Checks that the bits decode as expected, and encode back.
    pub(crate) fn check(&self) {
        let decoded = self.decode(Start::Rest(&self.rest));
        match &self.expected {
            Expected::Error(name) => {
                let error = decoded.expect_err(&self.name);
                assert_eq!(error_name(&error), name, "{}: {error}", self.name);
            }
            Expected::Line(fen, plies) => {
                let line = decoded.expect(&self.name);
                let start = Position::from_fen(fen.as_bytes(), self.rest.rules);
                let start = start.expect("a position");
                let plies: Vec<Ply> = plies.iter().map(|text| ply(text)).collect();
                assert!(line.start.is_same_as(&start), "{}", self.name);
                assert_eq!(line.plies, plies, "{}", self.name);
                assert_eq!(self.decode(Start::Position(&start)), Ok(line));
                let (start, plies) = (&start, plies.as_slice());
                let encoded = self.codec.encode(Line::new(start, plies));
                assert_eq!(encoded.as_ref(), Ok(&self.bytes), "{}", self.name);
            }
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let rooks = Square::ALL.into_iter().filter(|square| {
            let number: u32 = (*square).into();
            self.rest.castling_rooks >> number & 1 == 1
        });
        let mut json = json!({
            "description": self.description,
            "codec": self.codec.name(),
            "selector": self.codec.selector(),
            "plies": self.plies,
            "null_plies": self.nulls,
            "rest_of_start": {
                "castling_rooks": rooks.map(|rook| rook.to_string()).collect::<Vec<_>>(),
                "ep_square": self.rest.ep_square.map(|square| square.to_string()),
                "halfmoves": self.rest.halfmoves,
                "fullmoves": self.rest.fullmoves,
                "chess960": self.rest.rules.chess960,
            },
        });
        if self.rest.rules.variant != Variant::Chess {
            let variant = format!("{:?}", self.rest.rules.variant);
            json["rest_of_start"]["variant"] = json!(variant);
        }
        match &self.expected {
            Expected::Error(name) => json["error"] = json!(name),
            Expected::Line(fen, plies) => json["line"] = json!({"start": fen, "plies": plies}),
        }
        json
    }

    fn from_json(name: &str, json: &Value, bytes: Vec<u8>) -> Self {
        let selector = u8::try_from(number(&json["selector"])).unwrap();
        let codec = Codec::from_selector(selector).expect("a codec");
        assert_eq!(codec.name(), json["codec"], "{name}");
        let expected = match json["error"].as_str() {
            Some(error) => Expected::Error(error.to_owned()),
            None => Expected::Line(text(&json["line"]["start"]), texts(&json["line"]["plies"])),
        };
        Vector {
            name: name.to_owned(),
            description: text(&json["description"]),
            codec,
            rest: rest(&json["rest_of_start"]),
            plies: number(&json["plies"]),
            nulls: list(&json["null_plies"]).iter().map(number).collect(),
            bytes,
            expected,
        }
    }

    pub(crate) fn write(&self) {
        let folder = folder(self.codec.name());
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(&self.name);
        fs::write(path.with_extension("bin"), &self.bytes).unwrap();
        let json = serde_json::to_string_pretty(&self.to_json()).unwrap();
        fs::write(path.with_extension("json"), json + "\n").unwrap();
    }
}

/// Where the vectors of a codec lie.
fn folder(codec: &str) -> PathBuf {
    let vectors = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    vectors.join(codec)
}

/// All vectors, by codec and name.
pub(crate) fn stored() -> Vec<Vector> {
    let names: BTreeSet<&str> = Codec::ALL.iter().map(|codec| codec.name()).collect();
    names.into_iter().flat_map(stored_of).collect()
}

fn stored_of(codec: &str) -> Vec<Vector> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder(codec))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort_by_key(|path| path.file_stem().map(OsString::from));
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let json = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        Vector::from_json(name, &json, fs::read(path.with_extension("bin")).unwrap())
    };
    paths.into_iter().map(read).collect()
}

/// The position of a FEN; rights written as files mean Chess960 castling.
pub(crate) fn position(fen: &str) -> Position {
    let rights = fen.split(' ').nth(2).unwrap();
    let chess960 = rights.chars().any(|c| matches!(c, 'a'..='h' | 'A'..='H'));
    let rules = if chess960 {
        Rules::CHESS960
    } else {
        Rules::CHESS
    };
    Position::from_fen(fen.as_bytes(), rules).expect("a position")
}

/// A ply in the notation of UCI, `--` for a null move.
fn ply(text: &str) -> Ply {
    if text == "--" {
        return Ply::Null;
    }
    let uci: shakmaty::uci::UciMove = text.parse().expect("a move");
    match uci {
        shakmaty::uci::UciMove::Normal {
            from,
            to,
            promotion,
        } => Ply::Move {
            from,
            to,
            promotion,
        },
        _ => panic!("{text} is no ply"),
    }
}

fn rest(json: &Value) -> SetupRest {
    let rooks = texts(&json["castling_rooks"]);
    let square = |name: &str| name.parse::<Square>().expect("a square");
    SetupRest {
        castling_rooks: rooks.iter().fold(0, |rooks, name| {
            let number: u32 = square(name).into();
            rooks | 1 << number
        }),
        ep_square: json["ep_square"].as_str().map(square),
        halfmoves: u32::try_from(number(&json["halfmoves"])).unwrap(),
        fullmoves: u32::try_from(number(&json["fullmoves"]))
            .unwrap()
            .try_into()
            .unwrap(),
        rules: Rules {
            chess960: json["chess960"].as_bool().expect("a bool"),
            ..Rules::named(json["variant"].as_str().unwrap_or_default().as_bytes()).expect("rules")
        },
        extras: Extras::default(),
    }
}

fn number(json: &Value) -> u64 {
    json.as_u64().expect("a number")
}

fn text(json: &Value) -> String {
    json.as_str().expect("a string").to_owned()
}

fn list(json: &Value) -> &Vec<Value> {
    json.as_array().expect("a list")
}

fn texts(json: &Value) -> Vec<String> {
    list(json).iter().map(text).collect()
}
