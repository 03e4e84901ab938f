//! What can be uploaded: a path, bytes, a file, a Pillow image, the address of a picture.

use std::error::Error as _;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use vitalwire::client::{Operation, ResponseMeta};
use vitalwire::upload::Image;
use vitalwire::{Client as Core, Error};

use crate::caller::{Caller, Failure, Raise};
use crate::options::Options;
use crate::{convert, errors, file, given, pillow};

/// The argument that takes what is uploaded.
pub(crate) const ARGUMENT: &str = "body";

/// What is uploaded.
pub(crate) enum Source {
    /// A file, which is read when the call is made.
    Path(PathBuf),
    /// Bytes, and a file name if they have one.
    Bytes(Bytes, Option<String>),
    /// An address.
    Url(String),
}

/// What is sent of a picture.
pub(crate) enum Content {
    /// Its bytes.
    Bytes(Bytes),
    /// Where the service finds it.
    Url(String),
}

impl Source {
    /// Of an argument. Files are read and images encoded here, by the thread that makes the call.
    pub(crate) fn of(body: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = body.cast::<PyString>() {
            let text = text.to_string_lossy();
            let begins = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
            let address = begins("http://") || begins("https://");
            return if address { given::extract(body, ARGUMENT).map(Self::Url) } else { path(body) };
        }
        if let Ok(bytes) = body.cast::<PyBytes>() {
            return Ok(Self::Bytes(shared(bytes.clone()), None));
        }
        if convert::has_bytes(body) {
            let view = PyMemoryView::from(body)?;
            let width: (usize, usize) = (view.getattr("ndim")?.extract()?, view.getattr("itemsize")?.extract()?);
            if width != (1, 1) {
                // Numbers of a picture's points are no file.
                return Err(wrong("bytes of a file are needed, not an array; make a picture of it first"));
            }
            return Ok(Self::Bytes(shared(convert::as_bytes(ARGUMENT, body)?), None));
        }
        if body.hasattr("__fspath__")? {
            return path(body);
        }
        if body.hasattr("read")? {
            return file::read(body);
        }
        if body.hasattr("save")? && body.hasattr("mode")? {
            return pillow::encode(body);
        }
        Err(wrong("a path, bytes, a binary file or a Pillow image is needed"))
    }

    /// A file name, if there is one; of a path its last part.
    fn name(&self) -> Option<String> {
        match self {
            Self::Path(path) => last(path),
            Self::Bytes(_, name) => name.clone(),
            Self::Url(_) => None,
        }
    }
}

/// What a wrong type is refused with.
pub(crate) fn wrong(needed: &str) -> PyErr {
    PyTypeError::new_err(format!("argument '{ARGUMENT}': {needed}"))
}

fn path(body: &Bound<'_, PyAny>) -> PyResult<Source> {
    given::extract(body, ARGUMENT).map(Source::Path).map_err(|raised| match raised.is_instance_of::<PyTypeError>(body.py()) {
        true => wrong("a path is needed that is text"),
        false => raised,
    })
}

/// The last part of a path.
pub(crate) fn last(path: &Path) -> Option<String> {
    path.file_name().and_then(std::ffi::OsStr::to_str).map(str::to_owned)
}

/// Bytes that stay where Python has them.
pub(crate) fn shared(bytes: Bound<'_, PyBytes>) -> Bytes {
    Bytes::from_owner(PyBackedBytes::from(bytes))
}

/// A picture as it is sent; `addressed` if another argument has its address.
pub(crate) async fn image(source: Option<Source>, without_metadata: bool, addressed: bool) -> Result<Option<Content>, Failure> {
    let (image, url) = match source {
        Some(Source::Url(_)) if addressed => return Err(Error::invalid_argument(ARGUMENT, "is an address, and there is another").into()),
        None => return Ok(None),
        Some(Source::Path(path)) => (from_path(path).await?, None),
        Some(Source::Bytes(bytes, _)) => (Image::from_bytes(bytes), None),
        Some(Source::Url(url)) => (Image::from_url(&url).map_err(ours)?, Some(url)),
    };
    let image = if without_metadata { image.without_metadata().map_err(ours)? } else { image };
    Ok(match url {
        Some(url) => Some(Content::Url(url)),
        None => image.bytes().cloned().map(Content::Bytes),
    })
}

/// A document as it is sent, and its name.
pub(crate) async fn document(source: Source, filename: Option<String>) -> Result<(Bytes, String), Failure> {
    let unnamed = || Error::invalid_argument("filename", "is needed where what is uploaded has no name of its own");
    let filename = filename.or_else(|| source.name());
    let bytes = match source {
        Source::Path(path) => from_path(path).await?.bytes().cloned().unwrap_or_default(),
        Source::Bytes(bytes, _) => bytes,
        Source::Url(_) => return Err(Error::invalid_argument(ARGUMENT, "is an address; a document is sent as bytes").into()),
    };
    Ok((bytes, filename.ok_or_else(unnamed)?))
}

/// Carries out an operation whose parameters are there once a file was read.
pub(crate) fn call<O, F, R>(
    caller: &Caller,
    py: Python<'_>,
    parameters: impl Future<Output = Result<O, Failure>> + Send + 'static,
    options: &Options<'_>,
    finish: F,
) -> PyResult<Py<PyAny>>
where
    O: Operation,
    F: FnOnce(Python<'_>, O::Output, Arc<ResponseMeta>) -> PyResult<R> + Send + 'static,
    R: Into<Py<PyAny>>,
{
    let caller = caller.until(py, options.cancel.clone().unwrap_or_default());
    let options = options.to_call().map_err(|error| errors::raise(py, error))?;
    let work = |core: Core| async move { Ok(core.execute(parameters.await?, &options).await?) };
    caller.run(py, work, |py, answer| {
        let (value, meta) = answer.into_parts();
        finish(py, value, Arc::new(meta))
    })
}

/// The core's refusal, under the argument's name in Python.
pub(crate) fn ours(error: Error) -> Error {
    error.reason().map(|reason| Error::invalid_argument(ARGUMENT, reason)).unwrap_or(error)
}

/// Python's own exception where the system has refused a file, and the core's refusal otherwise.
async fn from_path(path: PathBuf) -> Result<Image, Failure> {
    let read = Image::from_path(path.clone()).await;
    read.map_err(|error| {
        let kind = error.source().and_then(|source| source.downcast_ref::<io::Error>()).map(io::Error::kind);
        match kind {
            None | Some(io::ErrorKind::InvalidInput) => ours(error).into(),
            Some(kind) => Failure::own(Unreadable(kind, path)),
        }
    })
}

/// What the system says of a file. Its path is the caller's own, who looks for it among hundreds: Python's own exceptions have it too.
struct Unreadable(io::ErrorKind, PathBuf);

impl Raise for Unreadable {
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr {
        let name = match self.0 {
            io::ErrorKind::NotFound => "ENOENT",
            io::ErrorKind::PermissionDenied => "EACCES",
            io::ErrorKind::IsADirectory => "EISDIR",
            io::ErrorKind::NotADirectory => "ENOTDIR",
            io::ErrorKind::InvalidFilename => "ENAMETOOLONG",
            _ => "EIO",
        };
        // With the number comes the class: FileNotFoundError and so on.
        let made = || {
            let number = py.import("errno")?.getattr(name)?;
            let text = py.import("os")?.call_method1("strerror", (&number,))?;
            // As `open` has it: a text, also where the argument was a `Path`.
            py.get_type::<PyOSError>().call1((number, text, self.1.as_os_str()))
        };
        made().map_or_else(|failure: PyErr| failure, PyErr::from_value)
    }
}
