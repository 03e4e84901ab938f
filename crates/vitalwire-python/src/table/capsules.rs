//! Arrow PyCapsule interface. Capsules release their contents if nobody has consumed them.

use std::ffi::CStr;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::Schema;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use vitalwire::Error;

use crate::errors;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

/// Creates a capsule with a stream of one batch.
pub(super) fn stream<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
}

/// Creates a capsule with a schema.
pub(super) fn schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema =
        FFI_ArrowSchema::try_from(schema).map_err(|_| errors::raise(py, Error::internal("a schema cannot be converted to Arrow")))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}
