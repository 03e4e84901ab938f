//! Calls that send a file: what they take for it, and how it gets into their parameters.

use crate::ir::{Operation, Param, Type};

use super::options::CallOption;

/// The parameter that holds a file, the one for its address, and the one for its name, as specifications call them.
const BODY: &str = "body";
const URL: &str = "body_url";
const FILENAME: &str = "filename";

/// What is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
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
    pub(super) fn further(self) -> &'static [CallOption] {
        const WITHOUT_METADATA: CallOption = CallOption {
            name: "without_metadata",
            rust: "bool",
            rust_default: "false",
            python: "bool",
            default: "False",
            about: "Send the picture without what it tells besides: place, time, camera, texts, thumbnails. For JPEG, PNG and WebP; \
                    others are an `InvalidArgumentError`, as what is not understood is never sent unstripped.",
        };
        match self {
            Self::Image => &[WITHOUT_METADATA],
            Self::Document => &[],
        }
    }

    /// What the native method does to put the file into `parameters`, which becomes a future.
    pub(super) fn fill(self) -> &'static str {
        match self {
            Self::Image => {
                "let source = body.as_ref().map(Source::of).transpose()?;
let parameters = async move {
    let content = uploads::image(source, without_metadata, parameters.body_url.is_some()).await?;
    Ok::<_, Failure>(match content {
        Some(Content::Bytes(bytes)) => parameters.body(bytes),
        Some(Content::Url(url)) => parameters.body_url(url),
        None => parameters,
    })
};
"
            }
            Self::Document => {
                "let source = Source::of(&body)?;
let parameters = async move {
    let (bytes, filename) = uploads::document(source, filename).await?;
    parameters.body = bytes.into();
    parameters.filename = filename;
    Ok::<_, Failure>(parameters)
};
"
            }
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
