//! The fuzz targets, as functions, so that what was found can be tried again without
//! the fuzzer.

mod archives;
mod collection;
mod targets;

use arbitrary::{Arbitrary, Unstructured};
pub use archives::forge;
pub use targets::{TARGETS, Target};

/// Runs a target on an input.
///
/// # Panics
/// What the target looks for is found, or no target has this name.
pub fn run(name: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|(other, _)| *other == name);
    let (_, check) = target.expect("a target in the table");
    check(input);
}

/// The input as something with structure.
fn arbitrary<'a, T: Arbitrary<'a>>(input: &'a [u8]) -> Option<T> {
    T::arbitrary_take_rest(Unstructured::new(input)).ok()
}
