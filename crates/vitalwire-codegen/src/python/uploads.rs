//! Options and docstrings of calls that upload a file.

use crate::ir::Operation;
pub(super) use crate::ir::Upload;

use super::options::{Keyword, WITHOUT_METADATA};

pub(super) fn upload(operation: &Operation) -> Option<Upload> {
    Upload::from_operation(operation)
}

/// Python's options and docstrings of uploads.
pub(super) trait UploadOptions {
    /// Returns options in addition to the operation's parameters and the call options.
    fn options(self) -> &'static [Keyword];

    /// Returns the docstring of the file, which follows the text of the specification.
    fn about(self) -> &'static str;
}

impl UploadOptions for Upload {
    fn options(self) -> &'static [Keyword] {
        match self {
            Self::Image => std::slice::from_ref(&WITHOUT_METADATA),
            Self::Document => &[],
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Image => {
                "A path, a bytes-like object, a file opened in binary mode (read from its current position), a Pillow image, or an \
                 `https://` URL from which the service fetches the picture. A text is a path: never pass a text from somebody else, \
                 such as a field of a web form, because it may name any file of this machine. An unreadable file raises Python's \
                 `OSError`, such as `FileNotFoundError`. An `AsyncClient` reads paths in the background; open files are read and \
                 images encoded on the calling thread."
            }
            Self::Document => {
                "A path, a bytes-like object, a file opened in binary mode (read from its current position), or a Pillow image. A text \
                 is a path: never pass a text from somebody else, such as a field of a web form, because it may name any file of this \
                 machine. An unreadable file raises Python's `OSError`, such as `FileNotFoundError`. An `AsyncClient` reads paths in \
                 the background; open files are read and images encoded on the calling thread."
            }
        }
    }
}
