//! Test vectors: a file with the bits of a line, and a JSON file with the expected result.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use pgna::internals::chess::{
    ChessPosition, Color, Extras, Outcome, PlyKind, Rules, SetupRest, Square, Variant,
};
use pgna::internals::moves::{
    DecodedLine, Line, LineInfo, LineStart, MoveCodec, MoveError, Ratings, SegmentModel, SideInfo,
    null_plies,
};
use pgna::{BuiltinModel, Codec, Limits, MoveModel};
use serde_json::{Value, json};

use super::names::error_name;

/// A start position: a FEN and the rules to read it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setup {
    pub fen: String,
    pub rules: Rules,
}

/// A codec, and the level of the model that `model` is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coding {
    pub codec: Codec,
    pub level: Option<BuiltinModel>,
}

impl From<Codec> for Coding {
    fn from(codec: Codec) -> Self {
        Coding { codec, level: None }
    }
}

impl Coding {
    /// `model` with the model of a level.
    pub(crate) fn model(level: BuiltinModel) -> Self {
        Coding {
            codec: Codec::Model,
            level: Some(level),
        }
    }

    fn segment_model(self) -> SegmentModel {
        let level = self.level.map(|level| MoveModel::from(level).into());
        level.unwrap_or_default()
    }

    fn encode(self, line: Line<'_>) -> Vec<u8> {
        let model = self.segment_model();
        let side_info = SideInfo::from(&model);
        let encoded = self.codec.encode(Line { side_info, ..line });
        encoded.expect("an encoding")
    }
}

/// The expected result of decoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// This start position, as FEN, and these plies.
    Line(String, Vec<String>),
    /// As `Line`, with the result of the game.
    Game(String, Vec<String>, Outcome),
    /// The error of this name.
    Error(String),
}

#[derive(Debug, Clone)]
pub(crate) struct Vector {
    pub name: String,
    pub description: String,
    pub coding: Coding,
    pub rest: SetupRest,
    /// The start position, if the decoder is given all of it.
    pub start: Option<Setup>,
    pub plies: u64,
    pub nulls: Vec<u64>,
    /// Ratings of the players, an input of the model.
    pub ratings: Ratings,
    pub result: Option<Outcome>,
    pub bytes: Vec<u8>,
    pub expected: Expected,
}

impl Vector {
    /// A vector of a line that round-trips.
    pub(crate) fn passing(
        name: &str,
        description: &str,
        coding: impl Into<Coding>,
        fen: &str,
        plies: &str,
    ) -> Self {
        let rules = position(fen).rules();
        Self::passing_by(rules, name, description, coding, fen, plies)
    }

    /// A vector of a line that round-trips, by the rules of a variant.
    pub(crate) fn passing_by(
        rules: Rules,
        name: &str,
        description: &str,
        coding: impl Into<Coding>,
        fen: &str,
        plies: &str,
    ) -> Self {
        let start = ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position");
        let texts: Vec<String> = plies.split_whitespace().map(String::from).collect();
        let plies: Vec<PlyKind> = texts.iter().map(|text| ply(text)).collect();
        let line = Line::new(&start, &plies);
        let coding = coding.into();
        Vector {
            name: name.to_owned(),
            description: description.to_owned(),
            coding,
            rest: start.setup_rest(),
            start: None,
            plies: plies.len() as u64,
            nulls: null_plies(&plies),
            ratings: Ratings::default(),
            result: None,
            bytes: coding.encode(line),
            expected: Expected::Line(fen.to_owned(), texts),
        }
    }

    /// A vector of a line that round-trips by a codec that is given the start position, with the
    /// result if the game has ended.
    pub(crate) fn given(
        (name, description): (&str, &str),
        coding: impl Into<Coding>,
        (fen, variant): (&str, &str),
        plies: &str,
        result: Option<Outcome>,
    ) -> Self {
        let rules = Rules::by_name(variant.as_bytes()).expect("rules");
        let fen = fen.to_owned();
        let setup = Setup { fen, rules };
        let start = setup.position();
        let texts: Vec<String> = plies.split_whitespace().map(String::from).collect();
        let plies: Vec<PlyKind> = texts.iter().map(|text| ply(text)).collect();
        let line = Line {
            result,
            ..Line::new(&start, &plies)
        };
        let coding = coding.into();
        Vector {
            name: name.to_owned(),
            description: description.to_owned(),
            coding,
            rest: start.setup_rest(),
            plies: plies.len() as u64,
            nulls: null_plies(&plies),
            ratings: Ratings::default(),
            result: None,
            bytes: coding.encode(line),
            expected: match result {
                None => Expected::Line(setup.fen.clone(), texts),
                Some(result) => Expected::Game(setup.fen.clone(), texts, result),
            },
            start: Some(setup),
        }
    }

    /// The vector with a change that makes decoding fail with `error`.
    pub(crate) fn broken(mut self, error: &str, change: impl FnOnce(&mut Vector)) -> Self {
        self.expected = Expected::Error(error.to_owned());
        change(&mut self);
        self
    }

    /// A vector of bits that decode to `error`.
    pub(crate) fn failing(
        error: &str,
        (name, description): (&str, &str),
        coding: impl Into<Coding>,
        plies: u64,
        bytes: Vec<u8>,
    ) -> Self {
        let coding = coding.into();
        let start = match coding.codec {
            Codec::HuffmanElided | Codec::HuffmanIndexElided => ChessPosition::standard(),
            _ => position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        };
        Vector {
            name: name.to_owned(),
            description: description.to_owned(),
            coding,
            rest: start.setup_rest(),
            start: None,
            plies,
            nulls: Vec::new(),
            ratings: Ratings::default(),
            result: None,
            bytes,
            expected: Expected::Error(error.to_owned()),
        }
    }

    /// Encodes the line again, with the current result and ratings.
    pub(crate) fn encode(&mut self) {
        let Expected::Line(fen, plies) = &self.expected else {
            panic!("{} has no line", self.name);
        };
        let start = position(fen);
        let plies: Vec<PlyKind> = plies.iter().map(|text| ply(text)).collect();
        let line = Line {
            result: self.result,
            ratings: self.ratings,
            ..Line::new(&start, &plies)
        };
        self.bytes = self.coding.encode(line);
    }

    /// The folder and the name, which together are unique.
    pub(crate) fn key(&self) -> (&'static str, String) {
        (self.coding.codec.name(), self.name.clone())
    }

    /// Decodes the bits, given `start`.
    pub(crate) fn decode(&self, start: LineStart<'_>) -> Result<DecodedLine, MoveError> {
        let model = self.coding.segment_model();
        let shape = LineInfo {
            result: self.result,
            ratings: self.ratings,
            side_info: SideInfo::from(&model),
            ..LineInfo::new(start, self.plies, &self.nulls)
        };
        self.coding
            .codec
            .decode(&self.bytes, &shape, &Limits::default())
    }

    /// Asserts that the bits decode as expected and that the result encodes to the same bits.
    pub(crate) fn check(&self) {
        let given = self.start.as_ref().map(Setup::position);
        let decoded = match &given {
            Some(start) => self.decode(LineStart::Position(start)),
            None => self.decode(LineStart::WithoutPieces(&self.rest)),
        };
        match &self.expected {
            Expected::Error(name) => {
                let error = decoded.expect_err(&self.name);
                assert_eq!(error_name(&error), name, "{}: {error}", self.name);
            }
            Expected::Line(fen, plies) => self.check_line(decoded, fen, plies, None),
            Expected::Game(fen, plies, result) => {
                self.check_line(decoded, fen, plies, Some(*result));
            }
        }
    }

    fn check_line(
        &self,
        decoded: Result<DecodedLine, MoveError>,
        fen: &str,
        plies: &[String],
        result: Option<Outcome>,
    ) {
        let line = decoded.expect(&self.name);
        let start = match &self.start {
            Some(setup) => setup.position(),
            None => ChessPosition::from_fen(fen.as_bytes(), self.rest.rules).expect("a position"),
        };
        let plies: Vec<PlyKind> = plies.iter().map(|text| ply(text)).collect();
        assert!(line.start.is_same_as(&start), "{}", self.name);
        assert_eq!(line.plies, plies, "{}", self.name);
        assert_eq!(line.result, result, "{}", self.name);
        assert_eq!(self.decode(LineStart::Position(&start)), Ok(line));
        let line = Line {
            result: result.or(self.result),
            ratings: self.ratings,
            ..Line::new(&start, &plies)
        };
        assert_eq!(self.coding.encode(line), self.bytes, "{}", self.name);
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut json = json!({
            "description": self.description,
            "codec": self.coding.codec.name(),
            "selector": self.coding.codec.selector(),
            "plies": self.plies,
            "null_plies": self.nulls,
        });
        if let Some(level) = self.coding.level {
            json["level"] = json!(level.level());
        }
        if self.ratings != Ratings::default() {
            json["ratings"] = json!([self.ratings.white, self.ratings.black]);
        }
        if let Some(result) = self.result {
            json["result"] = json!(result.to_string());
        }
        match &self.start {
            Some(setup) => json["start"] = setup.to_json(),
            None => json["rest_of_start"] = rest_to_json(&self.rest),
        }
        match &self.expected {
            Expected::Error(name) => json["error"] = json!(name),
            Expected::Line(fen, plies) => json["line"] = json!({"start": fen, "plies": plies}),
            Expected::Game(fen, plies, result) => {
                let result = result.to_string();
                json["line"] = json!({"start": fen, "plies": plies, "result": result});
            }
        }
        json
    }

    fn from_json(name: &str, json: &Value, bytes: Vec<u8>) -> Self {
        let selector = u8::try_from(number(&json["selector"])).unwrap();
        let codec = Codec::from_selector(selector).expect("a codec");
        assert_eq!(codec.name(), json["codec"], "{name}");
        let mut levels = BuiltinModel::ALL.into_iter();
        let level = levels.find(|level| json["level"].as_str() == Some(level.level()));
        let line = &json["line"];
        let fen = || text(&line["start"]);
        let expected = match (json["error"].as_str(), line["result"].as_str()) {
            (Some(error), _) => Expected::Error(error.to_owned()),
            (None, None) => Expected::Line(fen(), texts(&line["plies"])),
            (None, Some(result)) => Expected::Game(fen(), texts(&line["plies"]), outcome(result)),
        };
        let start = json.get("start").map(Setup::from_json);
        Vector {
            name: name.to_owned(),
            description: text(&json["description"]),
            coding: Coding { codec, level },
            rest: match &start {
                Some(setup) => setup.position().setup_rest(),
                None => rest(&json["rest_of_start"]),
            },
            start,
            plies: number(&json["plies"]),
            nulls: list(&json["null_plies"]).iter().map(number).collect(),
            ratings: Ratings {
                white: rating(&json["ratings"][0]),
                black: rating(&json["ratings"][1]),
            },
            result: json["result"].as_str().map(outcome),
            bytes,
            expected,
        }
    }

    pub(crate) fn write(&self) {
        let folder = folder().join(self.coding.codec.name());
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(&self.name);
        fs::write(path.with_extension("bin"), &self.bytes).unwrap();
        let json = serde_json::to_string_pretty(&self.to_json()).unwrap();
        fs::write(path.with_extension("json"), json + "\n").unwrap();
    }
}

impl Setup {
    pub(crate) fn position(&self) -> ChessPosition {
        ChessPosition::from_fen(self.fen.as_bytes(), self.rules).expect("a position")
    }

    fn to_json(&self) -> Value {
        json!({
            "fen": self.fen,
            "variant": self.rules.variant.uci(),
            "chess960": self.rules.chess960,
        })
    }

    fn from_json(json: &Value) -> Self {
        let named = Rules::by_name(text(&json["variant"]).as_bytes()).expect("rules");
        Setup {
            fen: text(&json["fen"]),
            rules: Rules {
                chess960: json["chess960"].as_bool().expect("a bool"),
                ..named
            },
        }
    }
}

/// The folder of the vectors, with one subfolder for each codec.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// All vectors, by codec and name.
pub(crate) fn stored() -> Vec<Vector> {
    let names: BTreeSet<&str> = Codec::ALL.iter().map(|codec| codec.name()).collect();
    names.into_iter().flat_map(stored_of).collect()
}

/// All vectors of the named codec, by name.
fn stored_of(codec: &str) -> Vec<Vector> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder().join(codec))
        .into_iter()
        .flatten()
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
    let vectors: Vec<Vector> = paths.into_iter().map(read).collect();
    assert!(
        vectors
            .iter()
            .all(|vector| vector.coding.codec.name() == codec)
    );
    vectors
}

/// The position of a FEN. Castling rights written as files imply Chess960.
pub(crate) fn position(fen: &str) -> ChessPosition {
    let rights = fen.split(' ').nth(2).unwrap();
    let chess960 = rights.chars().any(|c| matches!(c, 'a'..='h' | 'A'..='H'));
    let rules = if chess960 {
        Rules::CHESS960
    } else {
        Rules::CHESS
    };
    ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position")
}

/// A ply in the notation of UCI, `--` for a null move.
fn ply(text: &str) -> PlyKind {
    if text == "--" {
        return PlyKind::Null;
    }
    let uci: shakmaty::uci::UciMove = text.parse().expect("a move");
    match uci {
        shakmaty::uci::UciMove::Normal {
            from,
            to,
            promotion,
        } => PlyKind::Move {
            from,
            to,
            promotion,
        },
        shakmaty::uci::UciMove::Put { role, to } => PlyKind::Drop { role, to },
        shakmaty::uci::UciMove::Null => panic!("{text} is no ply"),
    }
}

/// A result as PGN writes it.
fn outcome(text: &str) -> Outcome {
    let decisive = |winner| Outcome::Decisive { winner };
    match text {
        "1-0" => decisive(Color::White),
        "0-1" => decisive(Color::Black),
        "1/2-1/2" => Outcome::Draw,
        _ => panic!("{text} is no result"),
    }
}

fn rest_to_json(rest: &SetupRest) -> Value {
    let rooks = Square::ALL.into_iter().filter(|square| {
        let number: u32 = (*square).into();
        rest.castling_rooks >> number & 1 == 1
    });
    let mut json = json!({
        "castling_rooks": rooks.map(|rook| rook.to_string()).collect::<Vec<_>>(),
        "ep_square": rest.ep_square.map(|square| square.to_string()),
        "halfmoves": rest.halfmoves,
        "fullmoves": rest.fullmoves,
        "chess960": rest.rules.chess960,
    });
    if rest.rules.variant != Variant::Chess {
        json["variant"] = json!(rest.rules.variant.uci());
    }
    json
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
            ..Rules::by_name(json["variant"].as_str().unwrap_or_default().as_bytes())
                .expect("rules")
        },
        extras: Extras::default(),
    }
}

fn number(json: &Value) -> u64 {
    json.as_u64().expect("a number")
}

fn rating(json: &Value) -> Option<u16> {
    json.as_u64().map(|rating| u16::try_from(rating).unwrap())
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
