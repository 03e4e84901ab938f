//! Operating system errors.

use std::io;

use super::{Error, ErrorKind};

/// Reason of an error when no file descriptors are left.
pub(crate) const OUT_OF_DESCRIPTORS: &str = "no file descriptors are left: raise the limit of open files, or lower max_connections";

/// Whether the process or the machine has no file descriptors left: EMFILE or ENFILE; WSAEMFILE on Windows.
pub(crate) fn is_out_of_descriptors(error: &io::Error) -> bool {
    const NUMBERS: &[i32] = if cfg!(windows) { &[10024] } else { &[23, 24] };
    error.raw_os_error().is_some_and(|number| NUMBERS.contains(&number))
}

impl Error {
    /// Creates the error of a file or another resource that the system rejected: `transport` if no file descriptors are left, otherwise
    /// `otherwise`.
    #[doc(hidden)]
    #[must_use]
    pub fn from_os_error(error: &io::Error, otherwise: Self) -> Self {
        match error.raw_os_error() {
            Some(number) if is_out_of_descriptors(error) => {
                Self::with_reason(ErrorKind::Transport, OUT_OF_DESCRIPTORS).with_source(io::Error::from_raw_os_error(number))
            }
            _ => otherwise,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn no_descriptors_left_is_a_transport_error() {
        // ENFILE, EMFILE and EACCES.
        for (number, kind) in [(23, ErrorKind::Transport), (24, ErrorKind::Transport), (13, ErrorKind::Configuration)] {
            let error =
                Error::from_os_error(&io::Error::from_raw_os_error(number), Error::invalid_setting("ca_file", "the file cannot be read"));
            assert_eq!(error.kind(), kind);
            assert_eq!(error.to_string().contains("no file descriptors are left"), kind == ErrorKind::Transport);
            assert_eq!(error.argument().is_some(), kind == ErrorKind::Configuration);
        }
    }
}
