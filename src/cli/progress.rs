//! Progress bars: on stderr, where it is a terminal, unless `--quiet`.

use super::args::Common;
use super::errors::say;
use super::figures::size;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;

const BAR: &str = "{prefix} {bar:30} {percent:>3} % {speed}, {left} left";
const SPINNER: &str = "{prefix} {spinner} {done}, {speed}";

/// How far a job is, in bytes of text. It goes from the screen when dropped.
#[derive(Debug, Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    is_verbose: bool,
}

impl Progress {
    /// A job of this many bytes; of an unknown number where there is none.
    pub(crate) fn new(what: &'static str, total: Option<u64>, common: &Common) -> Self {
        let target = if common.quiet {
            ProgressDrawTarget::hidden()
        } else {
            // Hides itself where it is no terminal.
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

    /// How many bytes the job has, if that is known.
    pub(crate) fn total(&self) -> Option<u64> {
        self.bar.length()
    }

    /// So many bytes more are done.
    pub(crate) fn add(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// So many bytes are done in all.
    pub(crate) fn set(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Says what is being done, with `--verbose`.
    pub(crate) fn verbose(&self, message: &str) {
        if self.is_verbose {
            self.bar.suspend(|| say(message));
        }
    }

    /// Takes the bar from the screen.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Bytes a second since the job began. The library's own guess is far too low in
/// a job's first seconds.
fn speed(state: &ProgressState) -> u64 {
    let milliseconds = u64::try_from(state.elapsed().as_millis()).unwrap_or(u64::MAX);
    state.pos().saturating_mul(1000) / milliseconds.max(1)
}

fn seconds_left(state: &ProgressState) -> u64 {
    let left = state.len().unwrap_or(0).saturating_sub(state.pos());
    left / speed(state).max(1)
}
