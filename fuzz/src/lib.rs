//! The fuzz targets as functions, so that findings can be reproduced without the fuzzer.

mod archives;
mod collection;
mod targets;

use arbitrary::{Arbitrary, Unstructured};
pub use archives::{all_columns, forge};
pub use targets::{TARGETS, Target};

/// The target with this name.
///
/// # Panics
/// If there is none.
pub fn target(name: &str) -> Target {
    let target = TARGETS.iter().find(|(other, _)| *other == name);
    let (_, check) = target.unwrap_or_else(|| panic!("no fuzz target is named {name:?}"));
    *check
}

/// Parses the input as structured data.
fn arbitrary<'a, T: Arbitrary<'a>>(input: &'a [u8]) -> Option<T> {
    T::arbitrary_take_rest(Unstructured::new(input)).ok()
}
