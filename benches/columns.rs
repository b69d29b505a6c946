//! The time to read all games as columns, against pgn-reader on the PGN that was packed.
//!
//!     cargo bench --bench columns -- FILE.pgn[.zst] [MEGABYTES]
//!
//! Packs the first megabytes of the file (24 by default) with the codec radix and the models fast
//! and default, and reads the columns of all games on one thread: four tags, the opening among
//! them; four tags and the moves; clocks and evaluations; and nearly all columns. The codec alone
//! decodes the same main lines without an archive, and without variations and comments. pgn-reader
//! collects the same tags from the text, and plays the moves. Each time is the minimum of some
//! rounds.

use anyhow::{Context, Result};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use pgna::internals::chess::{ChessPosition, PlyKind};
use pgna::internals::moves::{Line, LineInfo, LineStart, MoveCodec, SegmentModel, SideInfo};
use pgna::{
    Archive, BuiltinModel, Codec, ColumnData, GameBatch, GameColumn, Limits, MoveModel,
    PackOptions, TagKind, Writer,
};
use shakmaty::{Chess, Position};
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::time::Instant;

/// The number of repetitions, of which the minimum counts.
const ROUNDS: usize = 3;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let path = args.next().context("name a PGN file")?;
    let megabytes = args.next().map_or(Ok(24), |text| text.parse())?;
    let text = read(&path, megabytes)?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()?;
    println!("{path}: {} MB of text, one thread", text.len() / 1_000_000);
    println!("{:<22}{:>10}  games/s", "archive", "bytes");
    let (fast, default) = (BuiltinModel::Fast, BuiltinModel::Default);
    for (name, codecs, codec, model) in [
        ("radix", vec![Codec::Radix], Codec::Radix, default),
        ("fast", Codec::ALL.to_vec(), Codec::Model, fast),
        ("default", Codec::ALL.to_vec(), Codec::Model, default),
    ] {
        let bytes = pack(&text, codecs, model)?;
        println!("{name:<22}{:>10}", bytes.len());
        let archive = Archive::new(bytes)?;
        for (what, columns) in projections() {
            // The first of the rounds opens the segments.
            let rate = rate(archive.games(), || scan(&archive, &columns))?;
            println!("  {what:<30}  {rate:>9.0}");
        }
        let model = SegmentModel::from(MoveModel::from(model));
        let lines = encode_lines(&archive, codec, &model)?;
        let rate = rate(archive.games(), || decode_lines(&lines, codec, &model))?;
        println!("  {:<30}  {rate:>9.0}", "moves, the codec alone");
    }
    println!("{:<22}{:>10}", "pgn-reader", text.len());
    let games = read_games(&text, TagsOnly::default())?.games;
    let tags = rate(games, || read_games(&text, TagsOnly::default()).map(drop))?;
    println!("  {:<30}  {tags:>9.0}", "four tags");
    let moves = rate(games, || read_games(&text, Played::default()).map(drop))?;
    println!("  {:<30}  {moves:>9.0}", "four tags, moves played");
    Ok(())
}

/// The start of a file, up to its last complete game.
fn read(path: &str, megabytes: u64) -> Result<Vec<u8>> {
    let file = File::open(path).with_context(|| path.to_owned())?;
    let mut text = Vec::new();
    let most = megabytes * 1_000_000;
    match path.ends_with(".zst") {
        true => zstd::Decoder::new(file)?
            .take(most)
            .read_to_end(&mut text)?,
        false => file.take(most).read_to_end(&mut text)?,
    };
    if text.len() as u64 == most {
        let next_game = memchr::memmem::rfind(&text, b"\n[Event ");
        text.truncate(next_game.context("no second game in the text")? + 1);
    }
    Ok(text)
}

fn pack(text: &[u8], codecs: Vec<Codec>, model: BuiltinModel) -> Result<Vec<u8>> {
    let options = PackOptions {
        codecs,
        model: model.into(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options)?;
    writer.add_source("games.pgn", text)?;
    Ok(writer.finish()?.0)
}

/// The sets of columns that are read.
fn projections() -> Vec<(&'static str, Vec<GameColumn>)> {
    let tags = ["White", "Black", "Result", "Opening"].map(GameColumn::tag);
    let with = |more: &[GameColumn]| [&tags[..], more].concat();
    vec![
        ("four tags", tags.to_vec()),
        ("four tags, moves", with(&[GameColumn::Moves])),
        ("four tags, moves as SAN", with(&[GameColumn::San])),
        (
            "clocks, evaluations",
            vec![GameColumn::Clocks, GameColumn::Evals],
        ),
        (
            "nearly everything",
            with(&[
                GameColumn::Number,
                GameColumn::tag("Event"),
                GameColumn::tag("Site"),
                GameColumn::tag_as("Date", TagKind::Date),
                GameColumn::tag_as("WhiteElo", TagKind::Integer),
                GameColumn::tag_as("BlackElo", TagKind::Integer),
                GameColumn::PlyCount,
                GameColumn::Start,
                GameColumn::Moves,
                GameColumn::San,
                GameColumn::Clocks,
                GameColumn::Evals,
                GameColumn::Comments,
                GameColumn::Nags,
                GameColumn::Variations,
            ]),
        ),
    ]
}

fn scan(archive: &Archive, columns: &[GameColumn]) -> Result<()> {
    let mut games = 0;
    for batch in archive.scan(columns.iter().cloned()) {
        let batch: GameBatch = batch.map_err(|loss| loss.error)?;
        games += batch.games.len();
    }
    anyhow::ensure!(games as u64 == archive.games(), "games are missing");
    Ok(())
}

/// A main line from the standard start position, encoded by a codec without its archive.
struct EncodedLine {
    bytes: Vec<u8>,
    plies: u64,
}

fn encode_lines(archive: &Archive, codec: Codec, model: &SegmentModel) -> Result<Vec<EncodedLine>> {
    let mut lines = Vec::new();
    for batch in archive.scan([GameColumn::Moves]) {
        let batch = batch.map_err(|loss| loss.error)?;
        let [ColumnData::Plies(moves)] = &batch.columns[..] else {
            anyhow::bail!("other columns than asked for");
        };
        for moves in moves.iter() {
            let plies = moves.iter().map(|bits| PlyKind::from_bits(*bits));
            let plies: Vec<PlyKind> = plies.collect::<Option<_>>().context("no ply")?;
            let start = ChessPosition::standard();
            // A game from another position has none that this codec can represent.
            let line = Line {
                side_info: SideInfo::from(model),
                ..Line::new(&start, &plies)
            };
            if let Ok(bytes) = codec.encode(line) {
                let plies = plies.len() as u64;
                lines.push(EncodedLine { bytes, plies });
            }
        }
    }
    Ok(lines)
}

fn decode_lines(lines: &[EncodedLine], codec: Codec, model: &SegmentModel) -> Result<()> {
    let start = ChessPosition::standard();
    for line in lines {
        let info = LineInfo {
            side_info: SideInfo::from(model),
            ..LineInfo::new(LineStart::Position(&start), line.plies, &[])
        };
        codec.decode(&line.bytes, &info, &Limits::default())?;
    }
    Ok(())
}

/// Games a second.
fn rate(games: u64, run: impl Fn() -> Result<()>) -> Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        run()?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(games as f64 / least)
}

fn read_games<V: Visitor<Output = ()>>(text: &[u8], mut visitor: V) -> Result<V> {
    let mut reader = Reader::new(text);
    while reader.read_game(&mut visitor)?.is_some() {}
    Ok(visitor)
}

fn is_wanted(name: &[u8]) -> bool {
    matches!(name, b"White" | b"Black" | b"Result" | b"Opening")
}

/// Collects four tags of each game.
#[derive(Default)]
struct TagsOnly {
    games: u64,
    values: Vec<Vec<u8>>,
}

impl Visitor for TagsOnly {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.games += 1;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if is_wanted(name) {
            self.values.push(value.as_bytes().to_vec());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Break(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Collects four tags and the legal moves of each main line.
#[derive(Default)]
struct Played {
    tags: TagsOnly,
    moves: Vec<u16>,
}

impl Visitor for Played {
    type Tags = ();
    type Movetext = Option<Chess>;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.tags.begin_tags()
    }

    fn tag(&mut self, tags: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.tags.tag(tags, name, value)
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Option<Chess>> {
        ControlFlow::Continue(Some(Chess::default()))
    }

    fn begin_variation(&mut self, _: &mut Option<Chess>) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Option<Chess>, san: SanPlus) -> ControlFlow<()> {
        let Some(chess) = position else {
            return ControlFlow::Continue(());
        };
        match san.san.to_move(chess) {
            Ok(legal) => {
                let from = legal.from().map_or(0, u16::from);
                self.moves.push(from | u16::from(legal.to()) << 6);
                chess.play_unchecked(legal);
            }
            Err(_) => *position = None,
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Option<Chess>) {}
}
