//! A value that several test steps share.

use std::sync::{Mutex, PoisonError};

/// A value that is created once per process. The first caller creates it, while others wait.
pub(crate) struct Once<T>(Mutex<Option<T>>);

impl<T: Clone> Once<T> {
    /// Creates an empty slot.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Returns the value. If it cannot be created, the next caller tries again.
    ///
    /// # Errors
    /// If `make` fails.
    pub(crate) fn get(&self, make: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*made {
            return Ok(made.clone());
        }
        Ok(made.insert(make()?).clone())
    }
}
