//! A pair of sockets: one end is rung by any thread, the other is watched by an event loop.

use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

use pyo3::prelude::*;

/// Rings, and is heard by the loop that watches its other end.
pub(super) struct Bell {
    ring: UnixStream,
    hear: UnixStream,
}

impl Bell {
    /// A bell that is not watched yet. `None` where there are no descriptors left.
    pub(super) fn new() -> Option<Self> {
        let (ring, hear) = UnixStream::pair().ok()?;
        ring.set_nonblocking(true).ok()?;
        hear.set_nonblocking(true).ok()?;
        Some(Self { ring, hear })
    }

    /// Has a loop watch it. Not every loop can.
    pub(super) fn watch<'py>(&self, event_loop: &Bound<'py, PyAny>, heard: impl IntoPyObject<'py>) -> PyResult<()> {
        event_loop.call_method1("add_reader", (self.hear.as_raw_fd(), heard)).map(drop)
    }

    /// Wakes the loop. A full socket has woken it already.
    pub(super) fn ring(&self) {
        let _ = (&self.ring).write(&[1]);
    }

    /// To be called by what the loop runs, before it looks for what has come.
    pub(super) fn hush(&self) {
        let mut heard = [0; 64];
        let _ = (&self.hear).read(&mut heard);
    }
}
