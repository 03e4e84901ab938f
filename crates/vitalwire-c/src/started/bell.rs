//! A descriptor that becomes readable: one end of a connection within the process.

use std::io::{self, Read, Write};

#[cfg(unix)]
use std::os::{fd::AsRawFd, unix::net::UnixStream as Stream};
#[cfg(windows)]
use std::{
    net::{TcpListener, TcpStream as Stream},
    os::windows::io::AsRawSocket,
};

/// What `poll` and its like take; declared in macros.h.
#[cfg(unix)]
pub type vitalwire_descriptor = std::ffi::c_int;
/// What `WSAPoll` and its like take; declared in macros.h.
#[cfg(windows)]
pub type vitalwire_descriptor = usize;

/// Two ends of a connection: at most one byte is on its way.
pub(super) struct Bell {
    /// What the program waits at.
    program: Stream,
    library: Stream,
}

impl Bell {
    pub(super) fn new() -> io::Result<Self> {
        let (program, library) = pair()?;
        program.set_nonblocking(true)?;
        library.set_nonblocking(true)?;
        Ok(Self { program, library })
    }

    /// Makes it readable.
    pub(super) fn ring(&self) {
        let _ = (&self.library).write(&[1]);
    }

    /// Makes it unreadable, where it was rung once.
    pub(super) fn quiet(&self) {
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

/// Windows has no pair of sockets: one is connected to the other over the loopback interface.
#[cfg(windows)]
fn pair() -> io::Result<(Stream, Stream)> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let library = Stream::connect(listener.local_addr()?)?;
    loop {
        let (program, from) = listener.accept()?;
        // Anybody on this machine may have been faster.
        if from == library.local_addr()? {
            library.set_nodelay(true)?;
            return Ok((program, library));
        }
    }
}
