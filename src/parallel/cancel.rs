//! Work that ends when no one waits for it any more.
//!
//! The functions of the library that take long do so in parallel tasks. Each task looks at the token
//! of the work that it belongs to and, if that is cancelled, unwinds the stack up to [`cancellable`],
//! as `resume_unwind` does without the message of a panic. So no function on the way needs an argument
//! or a result for it.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels work.
#[derive(Debug, Clone, Default)]
pub(crate) struct CancelToken(Arc<AtomicBool>);

/// The work was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cancelled;

thread_local! {
    /// The token of the work that this thread does now.
    static CURRENT: RefCell<Option<CancelToken>> = const { RefCell::new(None) };
}

impl CancelToken {
    /// Ends the work soon.
    pub(crate) fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Sets the token of this thread back when it is dropped.
struct Previous(Option<CancelToken>);

impl Previous {
    fn replace(token: Option<CancelToken>) -> Previous {
        Previous(CURRENT.replace(token))
    }
}

impl Drop for Previous {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// Does work that the token cancels.
///
/// # Errors
/// It was cancelled before its end.
pub(crate) fn cancellable<T>(
    token: &CancelToken,
    work: impl FnOnce() -> T,
) -> Result<T, Cancelled> {
    let _previous = Previous::replace(Some(token.clone()));
    // No holder of a lock leaves its data half changed.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<Cancelled>() {
        Ok(cancelled) => *cancelled,
        Err(panic) => resume_unwind(panic),
    })
}

/// Does work that ends even if the work that it is a part of is cancelled.
pub(crate) fn uncancelled<T>(work: impl FnOnce() -> T) -> T {
    let _previous = Previous::replace(None);
    work()
}

/// The tasks of the current work: each first looks whether that is cancelled.
pub(super) fn checked(task: impl Fn(usize) + Sync) -> impl Fn(usize) + Sync {
    let token = CURRENT.with_borrow(Clone::clone);
    move |at| {
        if token.as_ref().is_some_and(CancelToken::is_cancelled) {
            resume_unwind(Box::new(Cancelled));
        }
        // A thread that waits for its own tasks may do one of other work meanwhile.
        let _previous = Previous::replace(token.clone());
        task(at);
    }
}

#[cfg(test)]
mod tests {
    use super::super::map;
    use super::*;

    #[test]
    fn cancelled_work_ends_with_its_tasks() {
        let token = CancelToken::default();
        let sum = cancellable(&token, || map(0..10, |at| at).into_iter().sum());
        assert_eq!(sum, Ok(45));
        let nested = cancellable(&token, || {
            map(0..10, |outer| {
                map(0..10, |inner| {
                    if (outer, inner) == (3, 3) {
                        token.cancel();
                    }
                })
                .len()
            })
        });
        assert_eq!(nested, Err(Cancelled));
        let whole = cancellable(&token, || uncancelled(|| map(0..10, |at| at).len()));
        assert_eq!(whole, Ok(10));
        // Other work goes on.
        assert_eq!(map(0..3, |at| at).len(), 3);
        let other = cancellable(&CancelToken::default(), || map(0..3, |at| at).len());
        assert_eq!(other, Ok(3));
    }

    #[test]
    #[should_panic(expected = "of its own")]
    fn other_panics_pass() {
        let _ = cancellable(&CancelToken::default(), || panic!("of its own"));
    }
}
