//! Checks of the worked examples in `spec/columns.md`.

use crate::testing::examples::assert_shown;

/// Checks that the specification contains `bytes` as the example `name`.
pub(crate) fn assert_in_spec(name: &str, bytes: &[u8]) {
    assert_shown(include_str!("../../spec/columns.md"), name, bytes);
}

/// Checks that a table of the specification has a row that begins with this
/// number and name.
pub(crate) fn assert_row_in_spec(number: u8, name: &str) {
    let spec = include_str!("../../spec/columns.md");
    let row = format!("| {number} | {} | ", name.to_lowercase());
    assert!(
        spec.lines().any(|shown| shown.starts_with(&row)),
        "spec lacks {row}"
    );
}
