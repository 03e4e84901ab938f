//! Values that every process has of its own: a forked child has its parent's memory, but none of its threads.

use std::fmt;
use std::mem;

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

impl<T> fmt::Debug for PerProcess<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PerProcess")
    }
}
