//! **pgna**, the PGN archive: one file that holds a chess collection in a fraction of the
//! space, gives back every byte, and opens any single game in microseconds.
//!
//! # Pack and read
//!
//! ```
//! use pgna::{Archive, PackOptions, Writer};
//!
//! let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
//! writer.add_source("1858.pgn", &b"[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 d6 1-0\n"[..])?;
//! let (bytes, report) = writer.finish()?;
//! assert_eq!(report.games, 1);
//!
//! let archive = Archive::new(bytes)?;
//! assert_eq!(archive.text(1)?, b"[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 d6 1-0\n");
//! # Ok::<(), pgna::Error>(())
//! ```
//!
//! # Read one game
//!
//! [`Archive::map`] opens a file without reading it. [`Archive::game`] decodes one game: tags,
//! moves, comments and variations.
//!
//! ```
//! # use pgna::{Archive, PackOptions, Writer};
//! # let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
//! # writer.add_source("a.pgn", &b"[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 d6 1-0\n"[..])?;
//! # let archive = Archive::new(writer.finish()?.0)?;
//! let game = archive.game(1)?;
//! assert_eq!(game.tag(b"White"), Some(&b"Morphy"[..]));
//! assert_eq!(game.main_line().collect::<Vec<_>>(), ["e4", "e5", "Nf3", "d6"]);
//! let position = game.position(3).expect("three plies");
//! assert_eq!(position.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
//! # Ok::<(), pgna::Error>(())
//! ```
//!
//! # Walk all games
//!
//! ```no_run
//! use pgna::{Archive, Limits};
//!
//! let archive = Archive::map("games.pgna".as_ref(), Limits::default())?;
//! let mut plies = 0;
//! for text in archive.texts() {
//!     plies += pgna::Game::parse(&text?).main_line().count();
//! }
//! # Ok::<(), pgna::Error>(())
//! ```
//!
//! # Games as data
//!
//! [`Archive::scan`] reads columns of many games without rendering and parsing their text. Only the
//! columns that are asked for are decoded: a scan of players and ratings touches no move.
//!
//! ```no_run
//! use pgna::{Archive, ColumnData, GameColumn, Limits, TagKind};
//!
//! let archive = Archive::map("games.pgna".as_ref(), Limits::default())?;
//! let elo = GameColumn::tag_as("WhiteElo", TagKind::Integer);
//! for batch in archive.scan([elo, GameColumn::Moves]) {
//!     let batch = batch.map_err(|loss| loss.error)?;
//!     if let [ColumnData::Integers(elo), ColumnData::Plies(moves)] = &batch.columns[..] {
//!         for (elo, moves) in elo.iter().zip(moves.iter()) {
//!             println!("{elo:?}: {} plies", moves.len());
//!         }
//!     }
//! }
//! # Ok::<(), pgna::Error>(())
//! ```
//!
//! # Query
//!
//! ```no_run
//! use pgna::{Archive, Limits, PositionTest, Query};
//!
//! let archive = Archive::map("games.pgna".as_ref(), Limits::default())?;
//! let query = Query {
//!     filter: Some("White ~ carlsen and Date >= 2019".parse()?),
//!     positions: vec![PositionTest::exact("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")?],
//!     ..Query::default()
//! };
//! for hit in archive.query(&query)? {
//!     println!("game {}", hit?.number);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Write games to another file
//!
//! [`Archive::parts`] reads the games that a closure selects, [`Spool`] gives them in any other
//! order, [`SplitParts`] divides them among files, and [`JoinedReader`] joins them into a text,
//! which is written to a PGN file or, as here, packed into an archive.
//!
//! ```
//! # use pgna::{Archive, PackOptions, Writer};
//! use pgna::JoinedReader;
//!
//! # let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
//! # writer.add_source("a.pgn", &b"1. e4 e5 1-0\n\n1. d4 d5 0-1\n"[..])?;
//! # let archive = Archive::new(writer.finish()?.0)?;
//! let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
//! writer.add_source("selected.pgn", JoinedReader::new(archive.parts(|game| game == 2)))?;
//! assert_eq!(Archive::new(writer.finish()?.0)?.text(1)?, b"1. d4 d5 0-1\n");
//! # Ok::<(), pgna::Error>(())
//! ```
//!
//! # Append
//!
//! ```no_run
//! use pgna::{Appender, Limits, PackOptions};
//! use std::fs::File;
//!
//! let path = "games.pgna".as_ref();
//! let mut appender = Appender::open(path, PackOptions::default(), Limits::default())?;
//! appender.add_source("week.pgn", File::open("week.pgn")?)?;
//! appender.finish()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `cli` (default) | the program, and all features that it needs: `write`, `mmap`, `threads`, `model-default` |
//! | `write` | [`Writer`], [`FileWriter`], [`Appender`], [`Merger`], [`Recovery`]; needs a C compiler |
//! | `mmap` | [`Archive::map`] |
//! | `threads` | work on all cores, on a thread pool of rayon: the one in which a call is made, or the global one |
//! | `models` (default) | `model-fast`, `model-default` and `model-max`: the move models |
//! | `arrow` | `pgna::arrow`: columns of games as Arrow record batches, in the types of arrow-array 60 |
//! | `http` | `Archive::open_url`: archives on web servers, read by ranges of bytes; needs a C compiler |
//! | `object-store` | `Archive::open_url`: archives in object stores, `s3://`, `gs://` and `az://`; needs a C compiler |
//! | `answers` | `ArchiveAnswers`: what `pgna serve` answers about an archive, as JSON |
//! | `export` | the verb `export` of the program: Parquet, Arrow files, CSV, JSON and EPD |
//! | `serve` | the verb `serve` of the program: archives over HTTP, with a page for the browser |
//! | `full` | the program as it is released: `cli`, `models`, `export`, `http`, `object-store` and `serve` |
//! | `scoutfish` | `Query::from_scoutfish`: queries in the JSON of Scoutfish |
//! | `shakmaty` | conversions of [`Position`] to and from shakmaty 0.30, and of [`Ply`] to it |
//! | `internals` | the modules, which may change in any release |
//!
//! Without features the library reads archives on one thread and needs no C compiler. Archives
//! that were packed with the default options need the model `default`.

#![cfg_attr(
    not(all(feature = "internals", feature = "write")),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        reason = "these lints are of use where everything is built and public"
    )
)]

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(not(feature = "internals"))]
mod internals;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;

#[cfg(feature = "answers")]
use internals::answers;
#[cfg(any(feature = "answers", feature = "cli"))]
use internals::draw;
#[cfg(any(feature = "http", feature = "object-store"))]
use internals::remote;
#[cfg(feature = "serve")]
use internals::serve;
#[cfg(test)]
use internals::testing;
use internals::{
    annotation, archive, bits, chess, codec, columns, container, data, index, limits, model, moves,
    parallel, pgn, position, query, text,
};

#[cfg(feature = "answers")]
pub use answers::{ApiAnswer, ArchiveAnswers};
#[cfg(feature = "write")]
pub use archive::{
    Appender, ArchiveLock, ClosedFile, Compaction, FileWriter, JoinStats, JoinedReader, LossReason,
    LostRange, Merger, NewFile, PackOptions, PackReport, RecoveredSource, Recovery, RecoveryNote,
    RecoveryReport, ShareSize, SourceConflict, SourceFolder, SplitParts, Spool, Writer,
};
pub use archive::{
    Archive, Error, ErrorClass, FORMAT_VERSION, FailedSource, GameHead, GamePart, GameParts,
    Indexes, Loss, ModelId, ReadAt, SIGNATURE, Source, StoredGame, Totals, Unpack, Warning,
    safe_name, unsafe_name,
};
pub use chess::{IllegalPly, InvalidFen};
pub use container::{Bytes, PagedSource};
pub use data::{
    Annotations, ColumnData, GameBatch, GameColumn, Lists, Scan, TagKind, TextColumn, TextLists,
    Variations,
};
#[cfg(feature = "arrow")]
#[doc(inline)]
pub use internals::arrow;
pub use limits::Limits;
pub use moves::{BuiltinModel, Codec, InvalidModel, InvalidWeights, MoveModel};
pub use pgn::{Game, InvalidLine, Ply, Position, Token, VerbatimReason};
#[cfg(feature = "scoutfish")]
pub use query::ScoutfishError;
pub use query::{
    Branch, Duplicate, DuplicateCriteria, Field, FieldError, FieldValue, FieldValues, Filter, Hit,
    Hits, LineScope, MalformedDates, Material, Pattern, Place, Player, PositionTest,
    PositionTestError, Query, Score, SortKey, SortKeyError, Stats, SyntaxError, Tree, TreeCount,
};
pub use text::{Aliases, TextEncoding, UnknownEncoding, without_secrets};
