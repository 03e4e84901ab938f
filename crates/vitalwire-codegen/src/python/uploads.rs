//! Calls that send a file: what they take for it, and how it gets into their parameters.

use crate::ir::Operation;
pub(super) use crate::ir::Upload;

use super::options::{Keyword, WITHOUT_METADATA};

/// What an operation sends, if it sends a file.
pub(super) fn of(operation: &Operation) -> Option<Upload> {
    Upload::of(operation)
}

/// What Python says of it.
pub(super) trait UploadOptions {
    /// Arguments besides the operation's own and the options of every call.
    fn options(self) -> &'static [Keyword];

    /// What the stub says of the file, after what the specification says.
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
                "A path, `bytes` or the like, a file opened in binary mode (read from where it stands), a Pillow image, or the address \
                 of a picture (`https://`), from which the service fetches it. A file that cannot be read raises Python's own \
                 `FileNotFoundError` and the like. An `AsyncClient` reads paths in the background, but opened files are read and images \
                 are encoded by the thread that makes the call."
            }
            Self::Document => {
                "A path, `bytes` or the like, a file opened in binary mode (read from where it stands), or a Pillow image. A file that \
                 cannot be read raises Python's own `FileNotFoundError` and the like. An `AsyncClient` reads paths in the background, but \
                 opened files are read and images are encoded by the thread that makes the call."
            }
        }
    }
}
