//! Files opened in Python.

use std::io::{self, Read};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use vitalwire::upload::Upload;

use super::{ARGUMENT, invalid_body, rename_argument, with_path_name};
use crate::{convert, errors};

/// Number of bytes per read: 1 MiB.
const CHUNK: usize = 1 << 20;

/// Reads a file from its current position. Returns its bytes and its name.
pub(super) fn read(file: &Bound<'_, PyAny>) -> PyResult<Upload> {
    let mut reader = Reader { file, rest: None, failed: None };
    match Upload::reader(&mut reader) {
        Ok(upload) => Ok(with_path_name(upload, name(file)?.as_deref())),
        Err(error) => Err(reader.failed.unwrap_or_else(|| errors::raise(file.py(), rename_argument(error)))),
    }
}

/// Returns the name of a file. Files without a name have no attribute `name`, or a number as its value.
pub(super) fn name(file: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let Some(name) = file.getattr_opt("name")? else { return Ok(None) };
    Ok(name.cast::<PyString>().ok().and_then(|name| name.to_str().ok().map(str::to_owned)))
}

/// Reader that calls the `read` method of a file.
struct Reader<'a, 'py> {
    file: &'a Bound<'py, PyAny>,
    /// Bytes that were read but not consumed.
    rest: Option<(Bound<'py, PyBytes>, usize)>,
    /// Exception that `read` raised.
    failed: Option<PyErr>,
}

impl<'py> Reader<'_, 'py> {
    fn read_chunk(&self) -> PyResult<Bound<'py, PyBytes>> {
        let chunk = self.file.call_method1("read", (CHUNK,))?;
        if chunk.is_instance_of::<PyString>() {
            return Err(invalid_body("must be a file opened in binary mode, not a text file"));
        }
        // This also rejects `None`, which a non-blocking file returns if no data are available.
        convert::as_bytes(ARGUMENT, &chunk).map_err(|_| invalid_body("must be a file whose read method returns bytes"))
    }
}

impl Read for Reader<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let (bytes, at) = match self.rest.take() {
            Some(rest) => rest,
            None => match self.read_chunk() {
                Ok(bytes) => (bytes, 0),
                Err(error) => {
                    self.failed = Some(error);
                    return Err(io::ErrorKind::Other.into());
                }
            },
        };
        let left = &bytes.as_bytes()[at..];
        let taken = left.len().min(into.len());
        into[..taken].copy_from_slice(&left[..taken]);
        if taken < left.len() {
            self.rest = Some((bytes, at + taken));
        }
        Ok(taken)
    }
}
