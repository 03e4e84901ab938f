//! Files that Python has opened.

use std::io::{self, Read};
use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use vitalwire::upload::Image;

use crate::uploads::{self, ARGUMENT, Source};
use crate::{convert, errors};

/// How much is read from a file at once: 1 MiB.
const CHUNK: usize = 1 << 20;

/// The bytes of a file from where it stands, and its name.
pub(crate) fn read(file: &Bound<'_, PyAny>) -> PyResult<Source> {
    let mut reader = Reader { file, rest: None, failed: None };
    match Image::from_reader(&mut reader) {
        Ok(image) => Ok(Source::Bytes(image.bytes().cloned().unwrap_or_default(), name(file)?)),
        Err(error) => Err(reader.failed.unwrap_or_else(|| errors::raise(file.py(), uploads::ours(error)))),
    }
}

/// A file's own name; files without one have none, or a number.
pub(crate) fn name(file: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let Some(name) = file.getattr_opt("name")? else { return Ok(None) };
    Ok(name.cast::<PyString>().ok().and_then(|name| uploads::last(Path::new(name.to_str().ok()?))))
}

/// Reads by the file's `read`.
struct Reader<'a, 'py> {
    file: &'a Bound<'py, PyAny>,
    /// What was read and not taken yet.
    rest: Option<(Bound<'py, PyBytes>, usize)>,
    /// What Python raised.
    failed: Option<PyErr>,
}

impl<'py> Reader<'_, 'py> {
    fn more(&self) -> PyResult<Bound<'py, PyBytes>> {
        let more = self.file.call_method1("read", (CHUNK,))?;
        if more.is_instance_of::<PyString>() {
            return Err(uploads::wrong("a file opened in binary mode is needed, not a text file"));
        }
        // A file that does not block gives None when there is nothing yet.
        convert::as_bytes(ARGUMENT, &more).map_err(|_| uploads::wrong("a file is needed whose read gives bytes"))
    }
}

impl Read for Reader<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let (bytes, at) = match self.rest.take() {
            Some(rest) => rest,
            None => match self.more() {
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
