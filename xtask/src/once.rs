//! What several steps of the tests need and one of them makes.

use std::sync::{Mutex, PoisonError};

/// A value that is made once for each run of this program: by whoever asks first, while others wait.
pub(crate) struct Once<T>(Mutex<Option<T>>);

impl<T: Clone> Once<T> {
    /// Nothing yet.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The value. Where it cannot be made, the next who asks tries again.
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) fn get(&self, make: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*made {
            return Ok(made.clone());
        }
        Ok(made.insert(make()?).clone())
    }
}
