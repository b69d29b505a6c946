//! **pgna**, the PGN archive: one file that holds a chess collection in a
//! fraction of the space, gives back every byte, and opens any single game at
//! once.
//!
//! The modules stand in layers; each imports only what stands above it:
//!
//! | module | holds |
//! |---|---|
//! | [`limits`] | what a reader is willing to spend on input it does not trust |
//! | `parallel` | work that is spread over threads; the only place that names rayon |
//! | [`bits`] | bit and byte input and output |
//! | [`codec`] | Huffman trees, a range coder, dictionaries and columns |
//! | [`chess`] | positions, moves, SAN, piece IDs; the only place that names shakmaty |
//! | [`pgn`] | cutting PGN into records, layout, rendering, patches |
//! | [`model`] | what a trained model sees of a position |
//! | [`moves`] | one file a move codec, and the selector |
//! | [`annotation`] | what stands between the plies: comments as templates and fields |
//! | [`position`] | one file a code for single positions |
//! | [`tags`] | columns whose values are foreseen, and their plans |
//! | [`xiangqi`] | Chinese chess: positions, moves, position codes, share links |
//! | [`container`] | the shape of the file: sections, segments, blocks, footer |
//! | [`index`] | indexes of a segment, by which positions are found |
//! | [`archive`] | the writer and the reader |
//! | [`query`] | finding games by tags, positions, material |
//! | `cli` | the program (feature `cli`) |

pub mod annotation;
pub mod archive;
pub mod bits;
pub mod chess;
#[cfg(feature = "cli")]
pub mod cli;
pub mod codec;
pub mod container;
pub mod index;
pub mod limits;
pub mod model;
pub mod moves;
mod parallel;
pub mod pgn;
pub mod position;
pub mod query;
pub mod tags;
#[cfg(test)]
mod testing;
pub mod xiangqi;
