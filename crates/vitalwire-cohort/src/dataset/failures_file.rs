//! Parquet file with the failures of users.

use std::io;
use std::sync::Arc;

use arrow_array::builder::{Date32Builder, StringBuilder, UInt16Builder};
use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::ArrowWriter;

use super::manifest::FileManifest;
use crate::error::CohortError;
use crate::failure::Failure;
use crate::storage::{Storage, checksum};
use vitalwire_sync::internal::day_number;

/// Path relative to the folder of the dataset. It is outside of the partitions by table, whose name would hide its column `table`.
pub(super) const NAME: &str = "failures/failures.parquet";

/// Writes one row per failure. The file is also written if there are no failures.
pub(super) fn write(storage: &Storage, failures: &[&Failure]) -> Result<FileManifest, CohortError> {
    let content = encode(failures).map_err(|error| CohortError::io(&storage.path(NAME))(io::Error::other(error)))?;
    storage.write(NAME, &content)?;
    Ok(FileManifest { rows: failures.len() as u64, bytes: content.len() as u64, sha256: checksum(&content) })
}

fn encode(failures: &[&Failure]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let (mut user, mut name, mut kind, mut message) =
        (StringBuilder::new(), StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
    let (mut first, mut last, mut status) = (Date32Builder::new(), Date32Builder::new(), UInt16Builder::new());
    for failure in failures {
        user.append_value(&failure.user);
        name.append_value(failure.table.as_str());
        first.append_value(day_number(failure.first));
        last.append_value(day_number(failure.last));
        kind.append_value(&failure.kind);
        status.append_option(failure.status);
        message.append_value(&failure.message);
    }
    let columns: [(&str, ArrayRef, bool); 7] = [
        ("user", Arc::new(user.finish()), false),
        ("table", Arc::new(name.finish()), false),
        ("first", Arc::new(first.finish()), false),
        ("last", Arc::new(last.finish()), false),
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
