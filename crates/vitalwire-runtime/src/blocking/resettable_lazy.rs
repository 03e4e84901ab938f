//! Process-wide values that are created on first use, and again after they were removed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::per_process::PerProcessStatic;

/// A lazily created value of each process, until it is removed. The lock is per process, so a forked child does not inherit a locked one.
pub(super) struct ResettableLazy<T>(PerProcessStatic<Mutex<Option<Arc<T>>>>);

impl<T> ResettableLazy<T> {
    /// Creates an empty value.
    pub(super) const fn new() -> Self {
        Self(PerProcessStatic::new(Mutex::new(None)))
    }

    /// Returns the value of this process, and creates it if necessary.
    ///
    /// # Errors
    /// Any error of `create`.
    pub(super) fn get(&self, create: impl FnOnce() -> Result<T, Error>) -> Result<Arc<T>, Error> {
        let mut slot = lock(self.slot());
        if let Some(value) = &*slot {
            return Ok(Arc::clone(value));
        }
        Ok(Arc::clone(slot.insert(Arc::new(create()?))))
    }

    /// Returns the value of this process, if it exists.
    pub(super) fn current(&self) -> Option<Arc<T>> {
        lock(self.slot()).clone()
    }

    /// Removes the value of this process. Existing handles stay valid.
    pub(super) fn take(&self) -> Option<Arc<T>> {
        lock(self.slot()).take()
    }

    fn slot(&self) -> &Mutex<Option<Arc<T>>> {
        self.0.get(|| Mutex::new(None))
    }
}

fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_created_again_after_it_was_taken() {
        let values = ResettableLazy::new();
        assert!(values.current().is_none() && values.take().is_none());
        let first = values.get(|| Ok(1)).expect("created");
        assert_eq!((*first, *values.get(|| Ok(2)).expect("exists")), (1, 1));
        assert!(values.take().is_some_and(|taken| Arc::ptr_eq(&taken, &first)) && values.current().is_none());
        assert!(values.get(|| Err(Error::internal("in a test"))).is_err());
        assert_eq!(*values.get(|| Ok(3)).expect("created again"), 3);
    }
}
