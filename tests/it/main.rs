//! All integration tests in one program, because linking each program takes seconds.
//!
//!     cargo test --test it golden::     # runs the tests of one module
#![allow(
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails loudly"
)]

mod annotations;
#[cfg(feature = "answers")]
mod answers;
mod append_merge;
mod archive;
#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "cli")]
mod cli;
mod corpora;
mod data;
#[cfg(feature = "cli")]
mod draw;
#[path = "../../src/testing/examples.rs"]
mod examples;
mod expressions;
mod filters;
mod forged;
mod fuzz_seeds;
mod golden;
mod guard;
mod guide;
mod hostile;
mod index;
mod judge;
mod later;
mod layering;
mod lines;
mod mended;
mod models;
mod moves_vectors;
mod movetexts;
mod own_models;
mod packed;
mod places;
mod position_vectors;
mod query;
mod reads;
mod recover;
mod registry;
#[cfg(all(any(feature = "http", feature = "object-store"), feature = "cli"))]
mod remote;
mod rewrite;
mod sample_data;
mod samples;
mod sizes;
mod spec_example;
mod start_positions;
mod summaries;
mod unpacked;
#[path = "../../src/testing/unprotected.rs"]
mod unprotected;
mod words;
mod xiangqi_vectors;
