//! Values that are read when they are first needed.

use crate::parallel::lock;
use std::sync::{Mutex, OnceLock};

/// A value that one thread reads, once. A failed read is tried again by the next caller.
#[derive(Debug)]
pub(super) struct ReadOnce<T> {
    value: OnceLock<T>,
    reading: Mutex<()>,
}

impl<T> Default for ReadOnce<T> {
    fn default() -> Self {
        ReadOnce {
            value: OnceLock::new(),
            reading: Mutex::new(()),
        }
    }
}

impl<T> ReadOnce<T> {
    /// The value; `read` returns it the first time.
    pub(super) fn get_or_read<E>(&self, read: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let _reading = lock(&self.reading);
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = read()?;
        Ok(self.value.get_or_init(|| value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_tried_again_and_values_stay() {
        let once = ReadOnce::default();
        assert_eq!(once.get_or_read(|| Err("no")), Err("no"));
        assert_eq!(once.get_or_read(|| Ok::<_, &str>(1)), Ok(&1));
        assert_eq!(once.get_or_read(|| Err("no")), Ok(&1));
    }
}
