//! Values that are made when they are first needed, if that can fail.

use super::{alone, lock};
use std::sync::{Mutex, OnceLock};

/// A value that one thread makes, once. After a failure the next caller tries again.
#[derive(Debug)]
pub(crate) struct TryOnce<T> {
    value: OnceLock<T>,
    making: Mutex<()>,
}

impl<T> Default for TryOnce<T> {
    fn default() -> Self {
        TryOnce {
            value: OnceLock::new(),
            making: Mutex::new(()),
        }
    }
}

impl<T> TryOnce<T> {
    /// The value, if it was made.
    #[cfg(feature = "answers")]
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Whether it was made.
    pub(crate) fn is_made(&self) -> bool {
        self.value.get().is_some()
    }

    /// The value; `make` returns it the first time, on this thread alone. It must not wait for a thread that
    /// may wait here.
    pub(crate) fn get_or_try_init<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let _making = lock(&self.making);
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = alone(make)?;
        Ok(self.value.get_or_init(|| value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "threads")]
    use crate::parallel;

    #[test]
    fn failures_are_tried_again_and_values_stay() {
        let once = TryOnce::default();
        assert_eq!(once.get_or_try_init(|| Err("no")), Err("no"));
        assert_eq!(once.get_or_try_init(|| Ok::<_, &str>(1)), Ok(&1));
        assert_eq!(once.get_or_try_init(|| Err("no")), Ok(&1));
    }

    /// A thread that makes a value does no other tasks meanwhile, which may need the value.
    #[cfg(feature = "threads")]
    #[test]
    fn values_are_made_without_other_tasks() {
        for _ in 0..20 {
            let once = TryOnce::default();
            let make = || Ok::<_, ()>(parallel::map(0..50, |it| it).len());
            parallel::with_threads(4, || {
                let made = parallel::map(0..200, |_| *once.get_or_try_init(make).unwrap());
                assert_eq!(made, [50; 200]);
            })
            .unwrap();
        }
    }
}
