//! The pool of threads, which a child of `os.fork` lacks.

use crate::lock::lock;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process was forked, and it has not been determined what that means.
static IS_FORKED: AtomicBool = AtomicBool::new(false);

/// Whether the pool is that of the parent, whose threads do not exist here.
static IS_LOST: AtomicBool = AtomicBool::new(false);

/// Is called in each child of `os.fork`.
#[pyfunction]
pub(crate) fn after_fork() {
    IS_FORKED.store(true, Ordering::Relaxed);
}

/// Refuses work that needs the pool, and would wait for it for ever.
pub(crate) fn check() -> PyResult<()> {
    if IS_FORKED.load(Ordering::Acquire) {
        determine();
    }
    match IS_LOST.load(Ordering::Relaxed) {
        false => Ok(()),
        true => Err(PyRuntimeError::new_err(
            "pgna was in use when this process was forked, and its threads do not exist here: \
             start processes with the method \"spawn\" of multiprocessing",
        )),
    }
}

/// Determines whether the pool is that of the parent. One that the parent has not started is
/// started here.
fn determine() {
    static ONCE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = lock(&ONCE_AT_A_TIME);
    if IS_FORKED.load(Ordering::Acquire) {
        let started = rayon::ThreadPoolBuilder::new().build_global();
        IS_LOST.store(started.is_err(), Ordering::Relaxed);
        IS_FORKED.store(false, Ordering::Release);
    }
}
