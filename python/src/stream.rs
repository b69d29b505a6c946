//! The walk over the batches of a scan: for Python, and for the Arrow C stream interface.

use crate::batch::Batch;
use crate::errors;
use crate::interrupt::SignalCheck;
use crate::lock::{CallLock, lock};
use crate::open_archive::OpenArchive;
use crate::pool;
use crate::scan::OnDamage;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pgna::Loss;
use pgna::arrow::ArrowScan;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

/// The batches of a scan.
pub(crate) struct Walk {
    scan: ArrowScan<OpenArchive>,
    archive: OpenArchive,
    on_damage: OnDamage,
    /// What has interrupted the scan.
    interrupt: Arc<Mutex<Option<PyErr>>>,
    is_over: bool,
}

impl Walk {
    /// A walk that looks for signals if it is in a thread that `may_check` them.
    pub(crate) fn new(
        scan: ArrowScan<OpenArchive>,
        archive: OpenArchive,
        on_damage: OnDamage,
        may_check: impl Fn() -> bool + Send + 'static,
    ) -> Self {
        let interrupt = Arc::new(Mutex::new(None));
        let found = Arc::clone(&interrupt);
        let mut signals = SignalCheck::new();
        let stop = move || {
            let error = may_check().then(|| signals.check().err()).flatten();
            let is_interrupted = error.is_some();
            if is_interrupted {
                *lock(&found) = error;
            }
            is_interrupted
        };
        Walk {
            scan: scan.stop_when(stop),
            archive,
            on_damage,
            interrupt,
            is_over: false,
        }
    }

    /// The next batch. The walk is over after an error.
    fn next(&mut self) -> Option<PyResult<RecordBatch>> {
        if self.is_over {
            return None;
        }
        let allowed = pool::check().and_then(|()| self.archive.check_file());
        let next = match allowed {
            Ok(()) => self.read(),
            Err(error) => Some(Err(error)),
        };
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }

    fn read(&mut self) -> Option<PyResult<RecordBatch>> {
        loop {
            match catch_unwind(AssertUnwindSafe(|| self.scan.next())) {
                Ok(None) => return lock(&self.interrupt).take().map(Err),
                Ok(Some(Ok(batch))) => return Some(Ok(batch)),
                Ok(Some(Err(error))) => {
                    if let Err(error) = self.handle(error) {
                        return Some(Err(error));
                    }
                }
                Err(panic) => {
                    return Some(Err(Python::attach(|py| errors::of_panic(py, &*panic))));
                }
            }
        }
    }

    /// Handles a loss as the caller wants it.
    fn handle(&self, error: ArrowError) -> PyResult<()> {
        let loss = match error {
            ArrowError::ExternalError(error) => error.downcast::<Loss>(),
            error => Err(error.into()),
        };
        let path = self.archive.path();
        Python::attach(|py| match (loss, &self.on_damage) {
            (Ok(loss), OnDamage::Raise) => Err(errors::of_loss(py, &loss, path)),
            (Ok(loss), OnDamage::Call(function)) => {
                let error = errors::of_loss(py, &loss, path);
                match errors::is_damage(py, &error) {
                    true => {
                        let called = function.call1(py, (error,));
                        called.map(drop).map_err(|error| errors::of_call(py, error))
                    }
                    false => Err(error),
                }
            }
            (Err(error), _) => Err(PyValueError::new_err(error.to_string())),
        })
    }
}

/// The batches of a scan.
#[pyclass(frozen, module = "pgna")]
pub(crate) struct Batches {
    walk: CallLock<Walk>,
    archive: OpenArchive,
}

impl Batches {
    pub(crate) fn new(walk: Walk) -> Self {
        Batches {
            archive: walk.archive.clone(),
            walk: CallLock::new(walk),
        }
    }
}

#[pymethods]
impl Batches {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        // Loops in C never look for signals.
        py.check_signals()?;
        self.archive.check_file()?;
        let batch = py.detach(|| match self.walk.lock() {
            Some(mut walk) => walk.next(),
            // A function that the walk calls asks for more of it.
            None => Some(Err(PyValueError::new_err("iterator already executing"))),
        });
        Ok(batch.transpose()?.map(Batch))
    }
}

/// The reader of the Arrow C stream interface. Consumers call it from any thread. That which asked
/// for it may be attached to the interpreter; another must be detached if the archive is in a
/// Python file.
pub(crate) struct BatchReader {
    walk: Walk,
    schema: SchemaRef,
    /// The thread that asked for the stream.
    owner: ThreadId,
}

impl BatchReader {
    /// A reader of a walk that `owner` asked for, and that checks for signals there only.
    pub(crate) fn new(walk: Walk, schema: SchemaRef, owner: ThreadId) -> Self {
        BatchReader {
            walk,
            schema,
            owner,
        }
    }

    fn read(&mut self) -> Option<PyResult<RecordBatch>> {
        if std::thread::current().id() != self.owner {
            return self.walk.next();
        }
        // The owner may be attached, and no other thread could then read a Python file. Another
        // thread may be too, which cannot be determined; to attach it could be to wait for the
        // owner, which may be attached and waiting for it.
        Python::attach(|py| py.detach(|| self.walk.next()))
    }

    /// The interface passes on nothing but a message. An interrupt is therefore requested again,
    /// for when the consumer has returned to the interpreter.
    fn error(&self, error: &PyErr) -> ArrowError {
        let message = Python::attach(|py| {
            let message = error.to_string();
            if error.is_instance_of::<PyKeyboardInterrupt>(py) {
                // The last call of Python here: the next one would be interrupted. Without it the
                // consumer still fails.
                let threads = py.import("_thread");
                let _ = threads.and_then(|threads| threads.call_method0("interrupt_main"));
            }
            message
        });
        ArrowError::ExternalError(message.into())
    }
}

impl Iterator for BatchReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.read()?;
        Some(batch.map_err(|error| self.error(&error)))
    }
}

impl RecordBatchReader for BatchReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
