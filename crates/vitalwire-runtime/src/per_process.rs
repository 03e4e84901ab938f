//! Values that every process has of its own: a forked child has its parent's memory, but none of its threads.

use std::convert::Infallible;
use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicU32, Ordering};

use once_cell::race::OnceBox;

/// A value that is made anew in each process that needs it.
///
/// Nothing waits here: a lock that another thread holds while a child is forked would stay locked in the child.
pub struct PerProcess<T>(OnceBox<Node<T>>);

/// The value of one process, and those of its descendants.
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
    /// Of no process yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceBox::new())
    }

    /// This process's value, made when it is first asked for. Where several threads make one at once, one of them is kept.
    ///
    /// # Errors
    /// Those of making it.
    pub fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        let process = std::process::id();
        let mut made: Option<T> = None;
        let mut make = Some(make);
        let mut place = self;
        loop {
            let node = match place.0.get() {
                Some(node) => node,
                None => {
                    let value = match (made.take(), make.take()) {
                        (Some(value), _) => Some(value),
                        (None, Some(make)) => Some(make()?),
                        (None, None) => None,
                    };
                    match place.0.set(Box::new(Node { process, value, next: Self::new() })) {
                        Ok(()) => {}
                        // Another thread was first: its value is this process's too, or one of an ancestor that was slow.
                        Err(mut lost) => made = lost.value.take(),
                    }
                    continue;
                }
            };
            match &node.value {
                Some(value) if node.process == process => return Ok(value),
                _ => place = &node.next,
            }
        }
    }

    /// This process's value, if it has one.
    pub fn here(&self) -> Option<&T> {
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
            // What is of another process waits for threads that are not here, and shares sockets with it.
            mem::forget(self.value.take());
        }
    }
}

/// The same for a `static` whose value is there from the beginning: the first process that uses it has it in place, without memory of its own
/// that a library would lose when it is unloaded.
pub struct PerProcessStatic<T> {
    /// The process that has the first value; 0 is none's.
    process: AtomicU32,
    first: T,
    others: PerProcess<T>,
}

impl<T> PerProcessStatic<T> {
    /// The first process's value.
    #[must_use]
    pub const fn new(first: T) -> Self {
        Self { process: AtomicU32::new(0), first, others: PerProcess::new() }
    }

    /// This process's value; one that is not the first makes it when it is first asked for.
    pub fn get(&self, make: impl FnOnce() -> T) -> &T {
        let own = std::process::id();
        // The value was there before the process: there is nothing to be ordered.
        match self.process.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
            Err(first) if first != own => {
                let Ok(value) = self.others.get(|| Ok::<_, Infallible>(make()));
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
    fn a_static_is_in_place_for_the_first_process_alone() {
        let value = PerProcessStatic::new(1);
        assert_eq!(*value.get(|| 2), 1);
        assert!(std::ptr::eq(value.get(|| 2), &raw const value.first));
        // As a child sees it that was forked.
        value.process.store(std::process::id().wrapping_add(1), Ordering::Relaxed);
        assert_eq!((*value.get(|| 2), *value.get(|| 3)), (2, 2));
    }
}
