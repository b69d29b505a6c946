//! Values that are made when they are first needed, if that can fail.

use super::lock;
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

    /// The value; `make` returns it the first time. It must not wait for a thread that may wait
    /// here.
    pub(crate) fn get_or_try_init<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let _making = lock(&self.making);
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = make()?;
        Ok(self.value.get_or_init(|| value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_tried_again_and_values_stay() {
        let once = TryOnce::default();
        assert_eq!(once.get_or_try_init(|| Err("no")), Err("no"));
        assert_eq!(once.get_or_try_init(|| Ok::<_, &str>(1)), Ok(&1));
        assert_eq!(once.get_or_try_init(|| Err("no")), Ok(&1));
    }
}
