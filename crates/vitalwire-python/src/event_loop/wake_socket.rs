//! A socket pair that wakes an event loop from any thread.

use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

use pyo3::prelude::*;

/// Wakes the loop that watches the other end of the pair.
pub(super) struct WakeSocket {
    sender: UnixStream,
    receiver: UnixStream,
}

impl WakeSocket {
    /// Creates a socket pair. Returns `None` if no file descriptors are left.
    pub(super) fn new() -> Option<Self> {
        let (sender, receiver) = UnixStream::pair().ok()?;
        sender.set_nonblocking(true).ok()?;
        receiver.set_nonblocking(true).ok()?;
        Some(Self { sender, receiver })
    }

    /// Registers the socket with a loop. Not every loop supports this.
    pub(super) fn watch<'py>(&self, event_loop: &Bound<'py, PyAny>, callback: impl IntoPyObject<'py>) -> PyResult<()> {
        event_loop.call_method1("add_reader", (self.receiver.as_raw_fd(), callback)).map(drop)
    }

    /// Wakes the loop. If the socket is full, a wake-up is already pending.
    pub(super) fn wake(&self) {
        let _ = (&self.sender).write(&[1]);
    }

    /// Drains the socket. The callback calls it before it reads the queue.
    pub(super) fn drain(&self) {
        let mut bytes = [0; 64];
        let _ = (&self.receiver).read(&mut bytes);
    }
}
