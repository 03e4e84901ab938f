//! Parquet file with the failures of users.

use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{Date32Builder, StringBuilder, UInt16Builder};
use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::ArrowWriter;

use super::storage;
use crate::cohort::UserFailure;
use crate::cohort::day_set::day_number;
use crate::cohort::error::CohortError;

/// Path relative to the folder of the dataset.
pub(super) const PATH: &str = "table=errors/errors.parquet";

/// Writes one row per failure. The file is also written if there are no failures.
pub(super) fn write(folder: &Path, failures: &[UserFailure]) -> Result<(), CohortError> {
    let path = folder.join(PATH);
    let content = encode(failures).map_err(|error| CohortError::io(&path)(io::Error::other(error)))?;
    storage::write(&path, &content)
}

fn encode(failures: &[UserFailure]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let (mut user, mut name, mut kind, mut message) =
        (StringBuilder::new(), StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
    let (mut from, mut to, mut status) = (Date32Builder::new(), Date32Builder::new(), UInt16Builder::new());
    for failure in failures {
        user.append_value(&failure.user);
        name.append_value(failure.table.as_str());
        from.append_value(day_number(failure.from));
        to.append_value(day_number(failure.to));
        kind.append_value(&failure.kind);
        status.append_option(failure.status);
        message.append_value(&failure.message);
    }
    let columns: [(&str, ArrayRef, bool); 7] = [
        ("user", Arc::new(user.finish()), false),
        ("of_table", Arc::new(name.finish()), false),
        ("from", Arc::new(from.finish()), false),
        ("to", Arc::new(to.finish()), false),
        ("kind", Arc::new(kind.finish()), false),
        ("status", Arc::new(status.finish()), true),
        ("message", Arc::new(message.finish()), false),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns)?;
    let mut content = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut content, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(content)
}
