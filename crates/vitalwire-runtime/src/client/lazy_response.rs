//! Responses that are decoded on first use.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Call, Operation, RawResponse};
use crate::error::Error;
use crate::operation::Provenance;
use crate::table::read_plan::TableSource;
use crate::table::{Table, TableSpec, decode};
use crate::transport::DecodeGuard;
use crate::value::decode::{DecodedValue, FromBody, SkippedItems};

/// A response whose body is decoded lazily. The columns are read with the call, which validates the body; the records are decoded on first
/// use. Each is decoded at most once, so users of columns never pay for records.
pub struct LazyResponse<T> {
    columns: Option<Arc<Table>>,
    body: RawResponse,
    record: OnceLock<Arc<T>>,
    provenance: Arc<Provenance>,
}

impl<O: Operation> Call<O>
where
    O::Output: FromBody,
{
    /// Sends the call and reads the response as columns. Columns that were requested by name come first. If the columns cannot be read, the
    /// records are decoded instead, and their error is returned.
    ///
    /// # Errors
    /// * `invalid_argument` if the operation's response does not have the table.
    /// * Errors of [`Call::send`].
    pub async fn lazy_response(self, table: &'static TableSpec) -> Result<LazyResponse<O::Output>, Error> {
        let source = crate::table::find_source(table, O::META.id).map_err(|error| error.with_operation(O::META))?;
        let (body, guard) = self.send_guarded().await?;
        LazyResponse::read(body, guard, table, source)
    }
}

impl<T: FromBody> LazyResponse<T> {
    fn read(
        body: RawResponse,
        guard: Option<Box<DecodeGuard>>,
        table: &'static TableSpec,
        source: &'static TableSource,
    ) -> Result<Self, Error> {
        type Contents<T> = (Option<Arc<Table>>, OnceLock<Arc<T>>, SkippedItems);
        let read = || -> Result<Contents<T>, Error> {
            match decode::read_table(table, source, source.basis, &body.body, body.meta.strict_lists, None) {
                Ok(DecodedValue { value, skipped }) => {
                    Ok((Some(Arc::new(value.with_requested_columns(&body.meta))), OnceLock::new(), skipped))
                }
                Err(_) => {
                    let record = body.decoded().map_err(|failure| body.decode_error(failure))?;
                    Ok((None, OnceLock::from(Arc::new(record.value)), record.skipped))
                }
            }
        };
        let (columns, record, skipped) = DecodeGuard::run(guard, &body.meta, read).flatten()?;
        let provenance = Arc::new(Provenance::from(body.meta.clone().with_skipped(skipped)));
        Ok(Self { columns, body, record, provenance })
    }

    /// Returns the records, decoded on the first call.
    ///
    /// # Errors
    /// `decode` if the records cannot be decoded, although the columns were readable.
    pub fn record(&self) -> Result<&Arc<T>, Error> {
        if let Some(record) = self.record.get() {
            return Ok(record);
        }
        // Two threads may decode at the same time; the second result is dropped.
        let decoded = self.body.decoded().map_err(|failure| self.body.decode_error(failure))?;
        let record = Arc::new(decoded.value);
        Ok(self.record.get_or_init(|| record))
    }
}

impl<T> LazyResponse<T> {
    /// Returns the columns. Returns `None` if only the records could be decoded.
    #[must_use]
    pub fn columns(&self) -> Option<&Arc<Table>> {
        self.columns.as_ref()
    }

    /// Returns the provenance of the response.
    #[must_use]
    pub fn provenance(&self) -> &Arc<Provenance> {
        &self.provenance
    }
}

/// Redacted: shows sizes, no values.
impl<T> fmt::Debug for LazyResponse<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyResponse").field("columns", &self.columns).field("body", &self.body).finish_non_exhaustive()
    }
}
