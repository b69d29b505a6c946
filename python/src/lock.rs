//! A lock that its own thread cannot wait for.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

/// A lock for calls of Python code, which may come back to it. A thread that holds it would wait
/// for ever, so it is refused; others wait.
#[derive(Debug)]
pub(crate) struct CallLock<T> {
    value: Mutex<T>,
    /// The thread that holds the lock.
    owner: Mutex<Option<ThreadId>>,
}

impl<T> CallLock<T> {
    pub(crate) fn new(value: T) -> Self {
        CallLock {
            value: Mutex::new(value),
            owner: Mutex::new(None),
        }
    }

    /// Whether this thread holds the lock.
    pub(crate) fn is_mine(&self) -> bool {
        *lock(&self.owner) == Some(std::thread::current().id())
    }

    /// Waits for the lock; `None` if this thread holds it.
    pub(crate) fn lock(&self) -> Option<Held<'_, T>> {
        if self.is_mine() {
            return None;
        }
        let value = lock(&self.value);
        *lock(&self.owner) = Some(std::thread::current().id());
        Some(Held {
            value,
            owner: &self.owner,
        })
    }
}

/// The value of a lock that this thread holds.
pub(crate) struct Held<'a, T> {
    value: MutexGuard<'a, T>,
    owner: &'a Mutex<Option<ThreadId>>,
}

impl<T> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for Held<'_, T> {
    fn drop(&mut self) {
        // Before the lock is released.
        *lock(self.owner) = None;
    }
}

/// Locks a mutex, also one whose holder has panicked.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
