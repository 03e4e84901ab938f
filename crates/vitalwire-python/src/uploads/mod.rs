//! Sources of uploads: paths, bytes, files, Pillow images and URLs of pictures.

mod file;
mod pillow;

use std::error::Error as _;
use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use vitalwire::client::{Operation, ResponseMetadata};
use vitalwire::upload::{Document, Image, Upload};
use vitalwire::{Client as Core, Error};

use crate::caller::{Caller, check_open};
use crate::failure::{Failure, Raise};
use crate::options::Options;
use crate::{arguments, convert, errors};

/// Name of the argument of uploads.
pub(crate) const ARGUMENT: &str = "body";

/// Converts an argument to an upload source. Reads files and encodes images on the calling thread.
pub(crate) fn to_upload(body: &Bound<'_, PyAny>) -> PyResult<Upload> {
    if let Ok(text) = body.cast::<PyString>() {
        let is_url = Upload::text(&text.to_string_lossy()).is_url();
        return if is_url { arguments::extract(body, ARGUMENT).map(|url: String| Upload::url(url)) } else { path(body) };
    }
    if let Ok(bytes) = body.cast::<PyBytes>() {
        return Ok(Upload::bytes(shared_bytes(bytes.clone())));
    }
    if convert::has_bytes(body) {
        let view = PyMemoryView::from(body)?;
        let width: (usize, usize) = (view.getattr("ndim")?.extract()?, view.getattr("itemsize")?.extract()?);
        if width != (1, 1) {
            // An array contains pixels, not the bytes of a file.
            return Err(invalid_body("must be the bytes of a file, not an array; encode it as a picture first"));
        }
        return Ok(Upload::bytes(shared_bytes(convert::as_bytes(ARGUMENT, body)?)));
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
    Err(invalid_body("must be a path, bytes, a binary file or a Pillow image"))
}

/// Creates the error for a wrong type.
pub(crate) fn invalid_body(rule: &str) -> PyErr {
    PyTypeError::new_err(format!("argument '{ARGUMENT}': {rule}"))
}

fn path(body: &Bound<'_, PyAny>) -> PyResult<Upload> {
    arguments::extract(body, ARGUMENT).map(|path: PathBuf| Upload::path(path)).map_err(|raised| {
        match raised.is_instance_of::<PyTypeError>(body.py()) {
            true => invalid_body("must be a path of type str"),
            false => raised,
        }
    })
}

/// Adds the file name of a path, if any, to an upload.
pub(crate) fn with_path_name(upload: Upload, path: Option<&str>) -> Upload {
    match path.map(Upload::path).as_ref().and_then(Upload::filename) {
        Some(name) => upload.with_filename(name),
        None => upload,
    }
}

/// Returns the bytes of a Python object without copying them.
pub(crate) fn shared_bytes(bytes: Bound<'_, PyBytes>) -> Bytes {
    Bytes::from_owner(PyBackedBytes::from(bytes))
}

/// Prepares a picture. `has_url` is true if another argument contains its URL.
pub(crate) async fn prepare_image(upload: Option<Upload>, without_metadata: bool, has_url: bool) -> Result<Option<Image>, Failure> {
    let Some(upload) = upload else { return Ok(None) };
    if upload.is_url() && has_url {
        return Err(Error::invalid_argument(ARGUMENT, "must not be a URL if the other argument is one").into());
    }
    let path = upload.quotable_path();
    upload.without_metadata(without_metadata).into_image().await.map(Some).map_err(|error| to_failure(error, path))
}

/// Prepares a document.
pub(crate) async fn document(upload: Upload, filename: Option<String>) -> Result<Document, Failure> {
    let path = upload.quotable_path();
    let upload = match filename {
        Some(filename) => upload.with_filename(filename),
        None => upload,
    };
    upload.into_document().await.map_err(|error| to_failure(error, path))
}

/// Calls an operation whose parameters are available once a file was read.
pub(crate) fn call<O, F, R>(
    caller: &Caller,
    py: Python<'_>,
    parameters: impl Future<Output = Result<O, Failure>> + Send + 'static,
    options: &Options<'_>,
    finish: F,
) -> PyResult<Py<PyAny>>
where
    O: Operation,
    F: FnOnce(Python<'_>, O::Output, Arc<ResponseMetadata>) -> PyResult<R> + Send + 'static,
    R: Into<Py<PyAny>>,
{
    let caller = caller.with_cancellation(py, options.cancel.clone().unwrap_or_default());
    let options = options.to_call().map_err(|error| errors::raise(py, error))?;
    let work = |core: Core| async move {
        check_open::<O>(&core)?;
        let (parameters, options) = core.prepare::<O, _, _>(parameters, options).await?;
        Ok(core.execute(parameters, &options).await?)
    };
    caller.run(py, work, |py, response| {
        let (value, meta) = response.into_parts();
        finish(py, value, Arc::new(meta))
    })
}

/// Renames the argument in an error of the core to Python's.
pub(crate) fn rename_argument(error: Error) -> Error {
    match (error.argument(), error.reason()) {
        (Some("filename"), _) | (_, None) => error,
        (_, Some(reason)) => Error::invalid_argument(ARGUMENT, reason),
    }
}

/// Converts an error of the operating system to Python's exception, and other errors to the core's.
fn to_failure(error: Error, path: Option<String>) -> Failure {
    let kind = error.source().and_then(|source| source.downcast_ref::<io::Error>()).map(io::Error::kind);
    match (kind, path) {
        (Some(kind), Some(path)) if kind != io::ErrorKind::InvalidInput => Failure::custom(FileError(kind, path)),
        _ => rename_argument(error).into(),
    }
}

/// An error of the operating system about a file, with its shortened path.
struct FileError(io::ErrorKind, String);

impl Raise for FileError {
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr {
        let name = match self.0 {
            io::ErrorKind::NotFound => "ENOENT",
            io::ErrorKind::PermissionDenied => "EACCES",
            io::ErrorKind::IsADirectory => "EISDIR",
            io::ErrorKind::NotADirectory => "ENOTDIR",
            io::ErrorKind::InvalidFilename => "ENAMETOOLONG",
            _ => "EIO",
        };
        // `OSError` selects its subclass, such as `FileNotFoundError`, by the error number.
        let made = || {
            let number = py.import("errno")?.getattr(name)?;
            let text = py.import("os")?.call_method1("strerror", (&number,))?;
            // The file name is a `str` even for a `Path`, as in exceptions of `open`.
            py.get_type::<PyOSError>().call1((number, text, self.1))
        };
        made().map_or_else(|failure: PyErr| failure, PyErr::from_value)
    }
}
