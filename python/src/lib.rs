//! The native part of the Python package `pgna`: archives, games and scans as Python classes.
//!
//! | module | contents |
//! |---|---|
//! | `archive` | the class `Archive`, and `open` |
//! | `open_archive` | the open archive that games, searches and scans share |
//! | `source` | Python files as sources of bytes and text |
//! | `urls` | URLs, which fsspec opens |
//! | `game` | the class `Game` |
//! | `conditions` | the arguments of a search |
//! | `find` | searches |
//! | `scan`, `batch`, `stream` | columns through the Arrow C interfaces |
//! | `pack`, `merge`, `unpack` | the functions that write files |
//! | `parts` | what programs that divide the work on an archive ask of it |
//! | `options` | the options of an archive that is written |
//! | `interrupt` | Control-C |
//! | `errors` | errors as exceptions |
//! | `lock` | a lock for calls of Python code |
//! | `pool` | the pool of threads after `os.fork` |
//!
//! All work is done detached from the interpreter, so that other Python threads run meanwhile.

mod archive;
mod batch;
mod conditions;
mod errors;
mod find;
mod game;
mod interrupt;
mod lock;
mod merge;
mod models;
mod open_archive;
mod options;
mod pack;
mod parts;
mod pool;
mod scan;
mod source;
mod stream;
mod unpack;
mod urls;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program `pgna` with these arguments, of which the first is its name; returns its exit
/// status.
#[pyfunction]
fn run(py: Python<'_>, args: Vec<OsString>) -> PyResult<u8> {
    pool::check()?;
    Ok(py.detach(|| pgna::cli::run(args)))
}

#[pymodule]
mod _pgna {
    #[pymodule_export]
    use super::archive::{Archive, open};
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::find::Hits;
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::merge::merge;
    #[pymodule_export]
    use super::models::load_model;
    #[pymodule_export]
    use super::pack::{append, pack};
    #[pymodule_export]
    use super::pool::after_fork;
    #[pymodule_export]
    use super::run;
    #[pymodule_export]
    use super::scan::{Scan, column_names};
    #[pymodule_export]
    use super::stream::Batches;
    #[pymodule_export]
    use super::unpack::unpack;
}
