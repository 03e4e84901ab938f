//! Calls that send a file: what they take for it, and how it gets into their parameters.

use serde::Serialize;

use crate::ir::{Operation, Param, Type};

use super::options::{Keyword, WITHOUT_METADATA};

/// The parameter that holds a file, the one for its address, and the one for its name, as specifications call them.
const BODY: &str = "body";
const URL: &str = "body_url";
const FILENAME: &str = "filename";

/// What is sent.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Upload {
    /// A picture, by its bytes or its address.
    Image,
    /// A document and its name.
    Document,
}

/// What an operation sends, if it sends a file.
pub(super) fn of(operation: &Operation) -> Option<Upload> {
    let has =
        |name: &str, required: bool| operation.params.iter().any(|param| param.member.name == name && param.member.required == required);
    let body = operation.params.iter().find(|param| param.member.name == BODY && param.member.ty == Type::Bytes)?;
    match body.member.required {
        false if has(URL, false) => Some(Upload::Image),
        true if has(FILENAME, true) => Some(Upload::Document),
        _ => None,
    }
}

impl Upload {
    /// Whether a parameter is the file.
    pub(super) fn is_file(self, param: &Param) -> bool {
        param.member.name == BODY
    }

    /// Whether a parameter may be left out, because the file can say it.
    pub(super) fn may_say(self, param: &Param) -> bool {
        self == Self::Document && param.member.name == FILENAME
    }

    /// Arguments besides the operation's own and the options of every call.
    pub(super) fn options(self) -> &'static [Keyword] {
        match self {
            Self::Image => std::slice::from_ref(&WITHOUT_METADATA),
            Self::Document => &[],
        }
    }

    /// What the stub says of the file, after what the specification says.
    pub(super) fn about(self) -> &'static str {
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
