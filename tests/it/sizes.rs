//! How much each test does: little in `cargo test`, which takes minutes, and more where
//! `PGNA_LONG` is set, as `.ci/long` does.

use pgna::{BuiltinModel, Codec};

/// The first in `cargo test`, the second in the long gate.
pub(crate) fn sized<T>(quick: T, long: T) -> T {
    match std::env::var_os("PGNA_LONG") {
        None => quick,
        Some(_) => long,
    }
}

/// Move codecs for tests that are not about moves: the move model takes most of the time of
/// packing in a build without optimisation.
pub(crate) fn codecs() -> Vec<Codec> {
    sized(vec![Codec::Radix], Codec::auto(BuiltinModel::Fast))
}
