//! Answers that are read as columns first, and as records when these are asked for.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;

use super::{Call, Operation, RawResponse};
use crate::error::Error;
use crate::operation::Provenance;
use crate::table::plan::Source;
use crate::table::{Table, TableSpec, decode};
use crate::transport::DecodeGuard;
use crate::value::decode::{Decoded, SkippedItems};

/// An answer of which the body is kept: its columns are read at the call, which checks it, and its records when they are first asked for.
/// Each is read once. Someone who wants columns alone never pays for records.
pub struct Deferred<T> {
    columns: Option<Arc<Table>>,
    body: RawResponse,
    record: OnceLock<Arc<T>>,
    provenance: Arc<Provenance>,
}

impl<O: Operation> Call<O>
where
    O::Output: DeserializeOwned,
{
    /// Makes the call and reads its answer as columns, with those that it requested by name first. Where they cannot be read, the records'
    /// own error is the call's.
    ///
    /// # Errors
    /// As [`Call::send`]; invalid argument if the operation's answer does not hold the table.
    pub async fn deferred(self, table: &'static TableSpec) -> Result<Deferred<O::Output>, Error> {
        let source = crate::table::source(table, O::META.id).map_err(|error| error.in_operation(O::META))?;
        let (body, guard) = self.guarded().await?;
        Deferred::read(body, guard, table, source)
    }
}

impl<T: DeserializeOwned> Deferred<T> {
    fn read(body: RawResponse, guard: Option<Box<DecodeGuard>>, table: &'static TableSpec, source: &'static Source) -> Result<Self, Error> {
        type Read<T> = (Option<Arc<Table>>, OnceLock<Arc<T>>, SkippedItems);
        let read = || -> Result<Read<T>, Error> {
            match decode::read(table, source, source.basis, &body.body, body.meta.strict_lists) {
                Ok(Decoded { value, skipped }) => Ok((Some(Arc::new(value.with_asked_columns(&body.meta))), OnceLock::new(), skipped)),
                Err(_) => {
                    let record = body.decoded().map_err(|failure| Error::decode(&body.meta, failure.place, failure.reason))?;
                    Ok((None, OnceLock::from(Arc::new(record.value)), record.skipped))
                }
            }
        };
        let (columns, record, skipped) = DecodeGuard::run(guard, &body.meta, read).flatten()?;
        let provenance = Arc::new(Provenance::from(body.meta.clone().skipping(skipped)));
        Ok(Self { columns, body, record, provenance })
    }

    /// The records, decoded when this is first called.
    ///
    /// # Errors
    /// `decode` where the body has columns and no records.
    pub fn record(&self) -> Result<&Arc<T>, Error> {
        if let Some(record) = self.record.get() {
            return Ok(record);
        }
        // Two threads may get here at once; the second's record is dropped.
        let record = Arc::new(self.body.decode()?);
        Ok(self.record.get_or_init(|| record))
    }
}

impl<T> Deferred<T> {
    /// The columns; `None` where the body has records alone.
    #[must_use]
    pub fn columns(&self) -> Option<&Arc<Table>> {
        self.columns.as_ref()
    }

    /// Where it came from.
    #[must_use]
    pub fn provenance(&self) -> &Arc<Provenance> {
        &self.provenance
    }
}

/// Shows sizes, no values.
impl<T> fmt::Debug for Deferred<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deferred").field("columns", &self.columns).field("body", &self.body).finish_non_exhaustive()
    }
}
