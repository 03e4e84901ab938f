//! A descriptor that becomes readable: one end of a socket pair within the process.

use std::io::{self, Read, Write};

#[cfg(unix)]
use std::os::{fd::AsRawFd, unix::net::UnixStream as Stream};
#[cfg(windows)]
use std::{
    net::{TcpListener, TcpStream as Stream},
    os::windows::io::AsRawSocket,
};

/// A descriptor for `poll` and similar functions. Declared in macros.h.
#[cfg(unix)]
pub type vitalwire_descriptor = std::ffi::c_int;
/// A socket for `WSAPoll` and similar functions. Declared in macros.h.
#[cfg(windows)]
pub type vitalwire_descriptor = usize;

/// A socket pair that carries at most one byte.
pub(super) struct Notifier {
    /// The end that the program polls.
    program: Stream,
    library: Stream,
}

impl Notifier {
    pub(super) fn new() -> io::Result<Self> {
        let (program, library) = pair()?;
        program.set_nonblocking(true)?;
        library.set_nonblocking(true)?;
        Ok(Self { program, library })
    }

    /// Makes the descriptor readable.
    pub(super) fn notify(&self) {
        let _ = (&self.library).write(&[1]);
    }

    /// Makes the descriptor unreadable again, after one notification.
    pub(super) fn reset(&self) {
        let _ = (&self.program).read(&mut [0]);
    }

    #[cfg(unix)]
    pub(super) fn descriptor(&self) -> vitalwire_descriptor {
        self.program.as_raw_fd()
    }

    #[cfg(windows)]
    pub(super) fn descriptor(&self) -> vitalwire_descriptor {
        usize::try_from(self.program.as_raw_socket()).unwrap_or(usize::MAX)
    }
}

#[cfg(unix)]
fn pair() -> io::Result<(Stream, Stream)> {
    Stream::pair()
}

/// Connects two sockets over the loopback interface, because Windows has no socket pairs.
#[cfg(windows)]
fn pair() -> io::Result<(Stream, Stream)> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let library = Stream::connect(listener.local_addr()?)?;
    loop {
        let (program, from) = listener.accept()?;
        // Another process on this machine may have connected first.
        if from == library.local_addr()? {
            library.set_nodelay(true)?;
            return Ok((program, library));
        }
    }
}
