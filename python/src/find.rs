//! Searches. A search is done by a thread of its own, so that its iterator can look for signals
//! while it waits, and the query lives as long as the search.

use crate::errors;
use crate::game::Game;
use crate::interrupt::INTERVAL;
use crate::lock::lock;
use crate::open_archive::OpenArchive;
use crate::pool;
use pgna::{Archive, Error, Hit, Query};
use pyo3::prelude::*;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::task::Poll;

/// How many hits are found ahead.
const AHEAD: usize = 256;

/// The games that a search finds.
#[pyclass(frozen, module = "pgna")]
pub(crate) struct Hits {
    archive: OpenArchive,
    search: Mutex<Search>,
}

struct Search {
    state: State,
    /// The number of games that may still be yielded.
    left: u64,
}

enum State {
    /// Nothing has been asked for yet.
    Waiting(Query),
    Running(Running),
    Over,
}

struct Running {
    found: Receiver<Found>,
    is_cancelled: Arc<AtomicBool>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// What the thread of a search reports.
enum Found {
    Hit(Hit),
    /// An error, and the games that it is about.
    Error(Error, Range<u64>),
    Panic(Box<dyn Any + Send>),
}

impl Hits {
    pub(crate) fn new(archive: OpenArchive, query: Query, limit: Option<u64>) -> Self {
        Hits {
            archive,
            search: Mutex::new(Search {
                state: State::Waiting(query),
                left: limit.unwrap_or(u64::MAX),
            }),
        }
    }

    /// The next report, or `Pending` after a while without one.
    fn wait(&self) -> Poll<Option<Found>> {
        let mut search = lock(&self.search);
        let Search { state, left } = &mut *search;
        if *left == 0 {
            *state = State::Over;
        }
        if let State::Waiting(query) = state {
            *state = State::Running(Running::start(self.archive.clone(), query.clone()));
        }
        let State::Running(running) = state else {
            return Poll::Ready(None);
        };
        match running.found.recv_timeout(INTERVAL) {
            Ok(found) => {
                if matches!(found, Found::Hit(_)) {
                    *left -= 1;
                }
                Poll::Ready(Some(found))
            }
            Err(RecvTimeoutError::Timeout) => Poll::Pending,
            Err(RecvTimeoutError::Disconnected) => {
                *state = State::Over;
                Poll::Ready(None)
            }
        }
    }
}

impl Running {
    fn start(archive: OpenArchive, query: Query) -> Self {
        let (sender, found) = sync_channel(AHEAD);
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_cancelled);
        std::thread::spawn(move || {
            let search = || search(&archive, &query, &sender, &flag);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(search)) {
                // If no one listens, no one can be informed.
                let _ = sender.send(Found::Panic(panic));
            }
        });
        Running {
            found,
            is_cancelled,
        }
    }
}

/// Searches until the end, or until no one listens.
fn search(archive: &Archive, query: &Query, found: &SyncSender<Found>, is_cancelled: &AtomicBool) {
    let mut hits = match archive.query(query) {
        Ok(hits) => hits,
        Err(error) => return drop(found.send(Found::Error(error, 0..0))),
    };
    while !is_cancelled.load(Ordering::Relaxed) {
        let sent = match hits.poll_next() {
            Poll::Pending => continue,
            Poll::Ready(None) => return,
            Poll::Ready(Some(Ok(hit))) => found.send(Found::Hit(hit)),
            Poll::Ready(Some(Err(error))) => found.send(Found::Error(error, hits.missed())),
        };
        if sent.is_err() {
            return;
        }
    }
}

#[pymethods]
impl Hits {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        pool::check()?;
        self.archive.check_file()?;
        loop {
            // Also if each call is short: loops in C never look for signals.
            py.check_signals()?;
            match py.detach(|| self.wait()) {
                Poll::Pending => {}
                Poll::Ready(None) => return Ok(None),
                Poll::Ready(Some(Found::Hit(hit))) => {
                    let archive = self.archive.clone();
                    return Ok(Some(Game::new(archive, hit.number, hit.place)));
                }
                Poll::Ready(Some(Found::Error(error, games))) => {
                    return Err(errors::of_missed(py, &error, self.archive.path(), games));
                }
                Poll::Ready(Some(Found::Panic(panic))) => {
                    return Err(errors::of_panic(py, &*panic));
                }
            }
        }
    }
}
