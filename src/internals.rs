//! The modules of the crate. With the feature `internals` they are public, for the fuzz
//! targets, unit vectors, benchmarks and the trainer. The verbs of the program that show codecs
//! at work use them too. They may change in any release.
//!
//! The modules form layers; each imports only modules above it in this list:
//!
//! | module | contents |
//! |---|---|
//! | [`limits`] | bounds on what a reader spends on untrusted input |
//! | `parallel` | the thread pool; only it and `cli`, which sets the number of threads, name rayon |
//! | [`bits`] | bit and byte input and output |
//! | [`codec`] | Huffman trees, range coder, dictionaries, integer columns |
//! | [`text`] | the encoding of text, and its comparison without regard to case and accents |
//! | [`chess`] | positions, moves, SAN, piece IDs; the only module that names shakmaty |
//! | [`pgn`] | PGN cut into records, layouts, rendering, patches |
//! | [`model`] | the move model: features, network, distributions of moves |
//! | `train` | training of move models (feature `cli`) |
//! | [`moves`] | one file for each move codec, and the choice among them |
//! | [`annotation`] | comments, NAGs and the values in them |
//! | [`position`] | one file for each position code |
//! | [`columns`] | predictive column coding, and its plans |
//! | [`xiangqi`] | Chinese chess: positions, moves, position codes, share links |
//! | [`container`] | the file: sections, segments, blocks, footer, parity |
//! | `remote` | files on web servers and in object stores (features `http` and `object-store`); the only module that names ureq and object_store |
//! | [`index`] | position indexes of a segment |
//! | [`archive`] | the writer and the reader |
//! | [`query`] | queries for games by tags, positions and material |
//! | [`data`] | games as data: columns of tags, moves and comments |
//! | `arrow` | games as Arrow record batches (feature `arrow`); the only module that names arrow-array and arrow-schema |
//! | `draw` | boards, games and statistics as text, SVG and HTML (features `answers` and `cli`) |
//! | `answers` | what an archive answers to requests, as JSON (feature `answers`) |
//! | `serve` | archives over HTTP (feature `serve`); the only module that names axum |
//! | `cli` | the program (feature `cli`) |

#[path = "annotation/mod.rs"]
pub mod annotation;
#[cfg(feature = "answers")]
#[path = "answers/mod.rs"]
pub(crate) mod answers;
#[path = "archive/mod.rs"]
pub mod archive;
#[cfg(feature = "arrow")]
#[path = "arrow/mod.rs"]
pub mod arrow;
#[path = "bits/mod.rs"]
pub mod bits;
#[path = "chess/mod.rs"]
pub mod chess;
#[path = "codec/mod.rs"]
pub mod codec;
#[path = "columns/mod.rs"]
pub mod columns;
#[path = "container/mod.rs"]
pub mod container;
#[path = "data/mod.rs"]
pub mod data;
#[cfg(any(feature = "answers", feature = "cli"))]
#[path = "draw/mod.rs"]
pub mod draw;
#[path = "index/mod.rs"]
pub mod index;
#[path = "limits.rs"]
pub mod limits;
#[path = "model/mod.rs"]
pub mod model;
#[path = "moves/mod.rs"]
pub mod moves;
#[path = "parallel/mod.rs"]
pub(crate) mod parallel;
#[path = "pgn/mod.rs"]
pub mod pgn;
#[path = "position/mod.rs"]
pub mod position;
#[path = "query/mod.rs"]
pub mod query;
#[cfg(any(feature = "http", feature = "object-store"))]
#[path = "remote/mod.rs"]
pub(crate) mod remote;
#[cfg(feature = "serve")]
#[path = "serve/mod.rs"]
pub(crate) mod serve;
#[cfg(test)]
#[path = "testing/mod.rs"]
pub(crate) mod testing;
#[path = "text/mod.rs"]
pub mod text;
#[cfg(feature = "cli")]
#[path = "train/mod.rs"]
pub mod train;
#[path = "xiangqi/mod.rs"]
pub mod xiangqi;
