//! Options and docstrings of calls that upload a file.

pub(super) use crate::ir::Upload;

use super::options::{Keyword, WITHOUT_METADATA};

/// Returns options in addition to the operation's parameters and the call options.
pub(super) fn options(upload: Upload) -> &'static [Keyword] {
    match upload {
        Upload::Image => std::slice::from_ref(&WITHOUT_METADATA),
        Upload::Document => &[],
    }
}

/// Returns the docstring of the file, which follows the text of the specification.
pub(super) fn about(upload: Upload) -> String {
    let last = match upload {
        Upload::Image => "a Pillow image, or an `https://` URL from which the service fetches the picture",
        Upload::Document => "or a Pillow image",
    };
    format!(
        "A path, a bytes-like object, a file opened in binary mode (read from its current position), {last}. A text is a path: never pass \
         a text from somebody else, such as a field of a web form, because it may name any file of this machine. An unreadable file \
         raises Python's `OSError`, such as `FileNotFoundError`. An `AsyncClient` reads paths in the background; open files are read and \
         images encoded on the calling thread."
    )
}
