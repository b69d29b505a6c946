//! The walk over the batches of a scan: for Python, and for the Arrow C stream interface.

use crate::batch::Batch;
use crate::errors;
use crate::interrupt::SignalCheck;
use crate::scan::OnDamage;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pgna::arrow::ArrowScan;
use pgna::{Archive, Loss};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::thread::ThreadId;

/// The batches of a scan.
pub(crate) struct Walk {
    scan: ArrowScan<Arc<Archive>>,
    on_damage: OnDamage,
    is_over: bool,
}

impl Walk {
    pub(crate) fn new(scan: ArrowScan<Arc<Archive>>, on_damage: OnDamage) -> Self {
        Walk {
            scan,
            on_damage,
            is_over: false,
        }
    }

    /// Works for a while. The walk is over after an error.
    fn step(&mut self) -> Poll<Option<PyResult<RecordBatch>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let step = catch_unwind(AssertUnwindSafe(|| self.scan.poll_next()));
        let step = match step {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(None)) => None,
            Ok(Poll::Ready(Some(Ok(batch)))) => Some(Ok(batch)),
            Ok(Poll::Ready(Some(Err(error)))) => match self.handle(error) {
                Ok(()) => return Poll::Pending,
                Err(error) => Some(Err(error)),
            },
            Err(panic) => Some(Err(Python::attach(|py| errors::of_panic(py, &*panic)))),
        };
        self.is_over = !matches!(step, Some(Ok(_)));
        Poll::Ready(step)
    }

    /// Handles a loss as the caller wants it.
    fn handle(&self, error: ArrowError) -> PyResult<()> {
        let loss = match error {
            ArrowError::ExternalError(error) => error.downcast::<Loss>(),
            error => Err(error.into()),
        };
        Python::attach(|py| match (loss, &self.on_damage) {
            (Ok(loss), OnDamage::Raise) => Err(errors::of_loss(py, &loss)),
            (Ok(loss), OnDamage::Call(function)) => {
                let error = errors::of_loss(py, &loss);
                match errors::is_damage(py, &error) {
                    true => function.call1(py, (error,)).map(drop),
                    false => Err(error),
                }
            }
            (Err(error), _) => Err(pyo3::exceptions::PyValueError::new_err(error.to_string())),
        })
    }
}

/// The batches of a scan.
#[pyclass(frozen, module = "pgna")]
pub(crate) struct Batches(Mutex<Walk>);

impl Batches {
    pub(crate) fn new(walk: Walk) -> Self {
        Batches(Mutex::new(walk))
    }

    fn step(&self) -> Poll<Option<PyResult<RecordBatch>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).step()
    }
}

#[pymethods]
impl Batches {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        loop {
            // Also if each call is short: loops in C never look for signals.
            py.check_signals()?;
            match py.detach(|| self.step()) {
                Poll::Pending => {}
                Poll::Ready(batch) => return Ok(batch.transpose()?.map(Batch)),
            }
        }
    }
}

/// The reader of the Arrow C stream interface. Consumers call it from any thread, attached to the
/// interpreter or not.
pub(crate) struct BatchReader {
    walk: Walk,
    schema: SchemaRef,
    /// The thread that asked for the stream.
    owner: ThreadId,
    signals: SignalCheck,
}

impl BatchReader {
    pub(crate) fn new(walk: Walk, schema: SchemaRef) -> Self {
        BatchReader {
            walk,
            schema,
            owner: std::thread::current().id(),
            signals: SignalCheck::new(),
        }
    }

    fn is_with_owner(&self) -> bool {
        std::thread::current().id() == self.owner
    }

    fn step(&mut self) -> Poll<Option<PyResult<RecordBatch>>> {
        if !self.is_with_owner() {
            return self.walk.step();
        }
        if let Err(error) = self.signals.check() {
            return Poll::Ready(Some(Err(error)));
        }
        // The owner may be attached, which is not known, and no other thread could then read a
        // Python file.
        Python::attach(|py| py.detach(|| self.walk.step()))
    }

    /// The interface passes on nothing but a message. An interrupt is therefore requested again,
    /// for when the consumer has returned to the interpreter.
    fn error(&self, error: &PyErr) -> ArrowError {
        let message = Python::attach(|py| {
            if error.is_instance_of::<PyKeyboardInterrupt>(py) {
                // Without it the consumer still fails.
                let _ = py
                    .import("_thread")
                    .and_then(|module| module.call_method0("interrupt_main"));
            }
            error.to_string()
        });
        ArrowError::ExternalError(message.into())
    }
}

impl Iterator for BatchReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Poll::Ready(batch) = self.step() {
                return batch.map(|batch| batch.map_err(|error| self.error(&error)));
            }
        }
    }
}

impl RecordBatchReader for BatchReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
