//! The progress of long work on stderr, without `--quiet`: a bar if it is a terminal, otherwise
//! a line every some seconds.

use super::common::Common;
use super::errors::print_message;
use super::figures::size;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const BAR: &str = "{prefix} {bar:30} {percent:>3} % {speed}, {left} left";
const SPINNER: &str = "{prefix} {spinner} {done}, {speed}";

/// When the first line is printed, and how much later each other one, in seconds.
const FIRST_LINE_SECONDS: u64 = 10;
const LINE_SECONDS: u64 = 30;

/// The progress of a job, in bytes of text. The bar is removed when dropped.
#[derive(Debug, Clone)]
pub(crate) struct Progress {
    what: &'static str,
    /// Counts the bytes, even if it is not shown.
    bar: ProgressBar,
    /// If lines are printed in place of a bar, when the next one is due.
    lines: Option<Arc<LineTimer>>,
    is_verbose: bool,
}

/// When a line of progress is due.
#[derive(Debug)]
struct LineTimer {
    /// Seconds from the beginning of the job.
    next: AtomicU64,
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
                        let speed = bytes_per_second(state.pos(), state.elapsed());
                        let _ = write!(out, "{}/s", size(speed));
                    })
                    .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
                        let done = state.pos();
                        let speed = bytes_per_second(done, state.elapsed());
                        let left = seconds_left(done, state.len().unwrap_or(0), speed);
                        let _ = write!(out, "{left} s");
                    }),
            );
        }
        let prints_lines = !common.quiet && !io::stderr().is_terminal();
        Progress {
            what,
            bar,
            lines: prints_lines.then(Arc::default),
            is_verbose: common.verbose,
        }
    }

    /// A job that shows nothing.
    pub(crate) fn hidden() -> Self {
        Progress {
            what: "",
            bar: ProgressBar::hidden(),
            lines: None,
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
        self.print_line();
    }

    /// Sets the number of bytes that are done.
    pub(crate) fn set(&self, bytes: u64) {
        self.bar.set_position(bytes);
        self.print_line();
    }

    /// Prints a line if one is due.
    fn print_line(&self) {
        let elapsed = self.bar.elapsed();
        if self
            .lines
            .as_ref()
            .is_some_and(|timer| timer.is_due(elapsed))
        {
            let line = line(self.what, self.bar.position(), self.bar.length(), elapsed);
            print_message(&line);
        }
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

impl Default for LineTimer {
    fn default() -> Self {
        LineTimer {
            next: AtomicU64::new(FIRST_LINE_SECONDS),
        }
    }
}

impl LineTimer {
    /// Whether a line is due. Of several threads that ask at once, one prints it.
    fn is_due(&self, elapsed: Duration) -> bool {
        let next = self.next.load(Ordering::Relaxed);
        let seconds = elapsed.as_secs();
        let later = seconds.saturating_add(LINE_SECONDS);
        let order = Ordering::Relaxed;
        seconds >= next
            && self
                .next
                .compare_exchange(next, later, order, order)
                .is_ok()
    }
}

/// A line on a job of which `done` bytes are done.
fn line(what: &str, done: u64, total: Option<u64>, elapsed: Duration) -> String {
    let speed = bytes_per_second(done, elapsed);
    let Some(total) = total else {
        return format!("{what}: {}, {}/s", size(done), size(speed));
    };
    let percent = u128::from(done) * 100 / u128::from(total.max(1));
    let mut line = format!("{what}: {percent} %, {} of {}", size(done), size(total));
    // Earlier, the speed of the job is not known.
    if percent > 0 {
        let left = seconds_left(done, total, speed);
        line.push_str(&format!(", about {left} s left"));
    }
    line
}

/// Bytes a second since the job began. The estimate of indicatif is far too low
/// in the first seconds of a job.
fn bytes_per_second(done: u64, elapsed: Duration) -> u64 {
    let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    done.saturating_mul(1000) / milliseconds.max(1)
}

fn seconds_left(done: u64, total: u64, speed: u64) -> u64 {
    total.saturating_sub(done) / speed.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_due_from_time_to_time() {
        let timer = LineTimer::default();
        let due: Vec<u64> = (0..100)
            .filter(|second| timer.is_due(Duration::from_secs(*second)))
            .collect();
        assert_eq!(due, [10, 40, 70]);
        assert!(timer.is_due(Duration::from_secs(1000)));
        assert!(!timer.is_due(Duration::from_secs(1029)));
    }

    #[test]
    fn lines_have_percentage_bytes_and_time() {
        let ten = Duration::from_secs(10);
        assert_eq!(
            line("packing", 25_000_000, Some(100_000_000), ten),
            "packing: 25 %, 25.0 MB of 100.0 MB, about 30 s left"
        );
        assert_eq!(
            line("packing", 0, Some(2000), ten),
            "packing: 0 %, 0 B of 2.0 kB"
        );
        assert_eq!(
            line("packing", 19, Some(2000), ten),
            "packing: 0 %, 19 B of 2.0 kB"
        );
        assert_eq!(line("packing", 5000, None, ten), "packing: 5.0 kB, 500 B/s");
        assert_eq!(line("x", 0, Some(0), ten), "x: 0 %, 0 B of 0 B");
    }
}
