//! Sizes of tests: small in `cargo test`, which takes minutes, and larger if `PGNA_LONG` is set, as
//! in `.ci/long`.

use pgna::Codec;

/// Returns the first value in `cargo test`, the second in the long gate.
pub(crate) fn sized<T>(quick: T, long: T) -> T {
    match std::env::var_os("PGNA_LONG") {
        None => quick,
        Some(_) => long,
    }
}

/// Move codecs for tests that are not about moves. Without optimisation the move model takes most
/// of the time of packing.
pub(crate) fn codecs() -> Vec<Codec> {
    sized(vec![Codec::Radix], Codec::ALL.to_vec())
}
