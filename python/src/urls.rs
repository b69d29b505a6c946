//! URLs, which fsspec opens.

use pyo3::prelude::*;
use pyo3::types::PyString;

/// The URL that an argument is, if it is one: a string with a scheme, of two characters or more so
/// that the drives of Windows are none. Schemes of fsspec may follow each other, as in
/// `simplecache::s3://`.
pub(crate) fn url(argument: &Bound<'_, PyAny>) -> Option<String> {
    let text: String = argument.cast::<PyString>().ok()?.extract().ok()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.:".contains(c));
    is_scheme.then_some(text)
}

/// Opens the file at a URL.
pub(crate) fn open<'py>(
    py: Python<'py>,
    url: &str,
    storage_options: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let open = py.import("pgna._urls")?.getattr("open_url")?;
    open.call1((url, storage_options))
}
