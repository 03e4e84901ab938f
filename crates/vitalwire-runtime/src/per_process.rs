//! Per-process values. A forked child has its parent's memory, but none of its threads.

use std::convert::Infallible;
use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicU32, Ordering};

use once_cell::race::OnceBox;

/// A value that is created separately in each process.
///
/// Never blocks: a lock held by another thread during a fork would stay locked in the child.
pub struct PerProcess<T>(OnceBox<Node<T>>);

/// Value of one process, followed by those of its descendants.
struct Node<T> {
    process: u32,
    value: Option<T>,
    next: PerProcess<T>,
}

impl<T> Default for PerProcess<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> PerProcess<T> {
    /// Creates an empty value.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceBox::new())
    }

    /// Returns the value of this process, and creates it if necessary. If several threads create one at the same time, one of the values
    /// is kept.
    ///
    /// # Errors
    /// Any error of `create`.
    pub fn get<E>(&self, create: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        let process = std::process::id();
        let mut created: Option<T> = None;
        let mut create = Some(create);
        let mut slot = self;
        loop {
            let node = match slot.0.get() {
                Some(node) => node,
                None => {
                    let value = match (created.take(), create.take()) {
                        (Some(value), _) => Some(value),
                        (None, Some(create)) => Some(create()?),
                        (None, None) => None,
                    };
                    match slot.0.set(Box::new(Node { process, value, next: Self::new() })) {
                        Ok(()) => {}
                        // Another thread stored its value first. If the process was forked meanwhile, that value may belong to the
                        // parent process. Keep this value for the next slot.
                        Err(mut lost) => created = lost.value.take(),
                    }
                    continue;
                }
            };
            match &node.value {
                Some(value) if node.process == process => return Ok(value),
                _ => slot = &node.next,
            }
        }
    }

    /// Returns the value of this process, if it exists.
    pub fn existing(&self) -> Option<&T> {
        let process = std::process::id();
        let mut node = self.0.get()?;
        while node.process != process {
            node = node.next.0.get()?;
        }
        node.value.as_ref()
    }
}

impl<T> Drop for Node<T> {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // A value of another process may wait for threads that do not exist here, and shares sockets with that process. Leak it.
            mem::forget(self.value.take());
        }
    }
}

/// Like [`PerProcess`], for a `static` with an initial value. The first process that uses it gets the initial value in place, so no
/// allocation leaks when a library is unloaded.
pub struct PerProcessStatic<T> {
    /// Id of the process that owns the initial value; 0 if none.
    process: AtomicU32,
    first: T,
    others: PerProcess<T>,
}

impl<T> PerProcessStatic<T> {
    /// Creates a value that the first process uses.
    #[must_use]
    pub const fn new(first: T) -> Self {
        Self { process: AtomicU32::new(0), first, others: PerProcess::new() }
    }

    /// Returns the value of this process. Any process other than the first creates its own value when it first needs it.
    pub fn get(&self, create: impl FnOnce() -> T) -> &T {
        let own = std::process::id();
        // Relaxed is sufficient: the value was initialized before the process started.
        match self.process.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
            Err(first) if first != own => {
                let Ok(value) = self.others.get(|| Ok::<_, Infallible>(create()));
                value
            }
            _ => &self.first,
        }
    }
}

impl<T> fmt::Debug for PerProcessStatic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PerProcessStatic")
    }
}

impl<T> fmt::Debug for PerProcess<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PerProcess")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_process_uses_the_initial_value() {
        let value = PerProcessStatic::new(1);
        assert_eq!(*value.get(|| 2), 1);
        assert!(std::ptr::eq(value.get(|| 2), &raw const value.first));
        // Simulates a forked child.
        value.process.store(std::process::id().wrapping_add(1), Ordering::Relaxed);
        assert_eq!((*value.get(|| 2), *value.get(|| 3)), (2, 2));
    }
}
