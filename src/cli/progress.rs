//! Progress bars on stderr, if it is a terminal and without `--quiet`.

use super::common::Common;
use super::errors::print_message;
use super::figures::size;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;

const BAR: &str = "{prefix} {bar:30} {percent:>3} % {speed}, {left} left";
const SPINNER: &str = "{prefix} {spinner} {done}, {speed}";

/// The progress of a job, in bytes of text. The bar is removed when dropped.
#[derive(Debug, Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    is_verbose: bool,
}

impl Progress {
    /// A job of `total` bytes, if the number is known.
    pub(crate) fn new(what: &'static str, total: Option<u64>, common: &Common) -> Self {
        let target = if common.quiet {
            ProgressDrawTarget::hidden()
        } else {
            // Hides itself if stderr is not a terminal.
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(total, target).with_prefix(what);
        let template = if total.is_some() { BAR } else { SPINNER };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(
                style
                    .with_key("done", |state: &ProgressState, out: &mut dyn Write| {
                        let _ = out.write_str(&size(state.pos()));
                    })
                    .with_key("speed", |state: &ProgressState, out: &mut dyn Write| {
                        let _ = write!(out, "{}/s", size(speed(state)));
                    })
                    .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
                        let _ = write!(out, "{} s", seconds_left(state));
                    }),
            );
        }
        Progress {
            bar,
            is_verbose: common.verbose,
        }
    }

    /// A job that shows nothing.
    pub(crate) fn hidden() -> Self {
        Progress {
            bar: ProgressBar::hidden(),
            is_verbose: false,
        }
    }

    /// The number of bytes of the job, if known.
    pub(crate) fn total(&self) -> Option<u64> {
        self.bar.length()
    }

    /// Adds bytes to those that are done.
    pub(crate) fn add(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// Sets the number of bytes that are done.
    pub(crate) fn set(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Prints a message with `--verbose`.
    pub(crate) fn verbose(&self, message: &str) {
        if self.is_verbose {
            self.bar.suspend(|| print_message(message));
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Bytes a second since the job began. The estimate of indicatif is far too low
/// in the first seconds of a job.
fn speed(state: &ProgressState) -> u64 {
    let milliseconds = u64::try_from(state.elapsed().as_millis()).unwrap_or(u64::MAX);
    state.pos().saturating_mul(1000) / milliseconds.max(1)
}

fn seconds_left(state: &ProgressState) -> u64 {
    let left = state.len().unwrap_or(0).saturating_sub(state.pos());
    left / speed(state).max(1)
}
