//! Calls that return tables.

use super::{Call, Operation, RawResponse, Response};
use crate::error::Error;
use crate::table::{self, ColumnSelection, Table, TableSpec};
use crate::transport::DecodeGuard;
use crate::value::decode::{DecodeFailure, DecodedValue, SkippedItems};

impl<O: Operation> Call<O> {
    /// Sends the call and reads the response as a table, directly from the body.
    ///
    /// # Errors
    /// * `invalid_argument`, before anything is sent, if the operation's response does not have the table.
    /// * `invalid_argument` if the response has no rows because the call did not request them; see [`Table::require_requested_rows`].
    /// * Errors of [`Call::send`].
    pub async fn table(self, table: impl Into<&'static TableSpec> + Send) -> Result<Response<Table>, Error> {
        self.partial_table(table.into(), None).await
    }

    /// Sends the call and reads some columns of a table, in this order. The values of other columns are skipped; see
    /// [`Table::read_columns`].
    ///
    /// # Errors
    /// * `invalid_argument` if a name is neither that of a column of the table nor of a number in the response.
    /// * Errors of [`Call::table`].
    pub async fn table_columns(self, table: impl Into<&'static TableSpec> + Send, columns: &[&str]) -> Result<Response<Table>, Error> {
        send_and_read(self, table.into(), Some(columns), |table| table.only_columns(columns)).await
    }

    /// Sends the call and reads the response as a table. If `columns` is set, reads only these and leaves the others empty.
    pub(crate) async fn partial_table(self, spec: &'static TableSpec, columns: Option<&[&str]>) -> Result<Response<Table>, Error> {
        send_and_read(self, spec, columns, Ok).await
    }

    /// Sends the call once and reads the response as several tables, in the order of `specs`.
    ///
    /// # Errors
    /// Same as [`Call::table`].
    pub async fn tables(self, specs: &[&'static TableSpec]) -> Result<Response<Vec<Table>>, Error> {
        let sources: Result<Vec<_>, Error> = specs.iter().map(|spec| Ok((*spec, table::find_source(spec, O::META.id)?))).collect();
        let sources = sources.map_err(|error| error.with_operation(O::META))?;
        let keep_body = self.current_options().keep_body;
        let (response, guard) = self.send_guarded().await?;
        let read = || {
            let (mut value, mut skipped) = (Vec::with_capacity(sources.len()), SkippedItems::default());
            for (spec, source) in sources {
                let table = read(spec, source, &response, None)?;
                value.push(table.value);
                skipped.merge(table.skipped);
            }
            Ok(DecodedValue { value, skipped })
        };
        let tables: Result<DecodedValue<Vec<Table>>, Error> = DecodeGuard::run(guard, &response.meta, read).flatten();
        let tables = tables.map_err(|error| response.add_context(error, O::META, keep_body).with_operation(O::META))?;
        Ok(Response::new(tables, response, keep_body))
    }
}

/// Sends a call, reads the response as a table and applies `change`. If reading or `change` fails, the error has the id of a created record.
async fn send_and_read<O: Operation>(
    call: Call<O>,
    spec: &'static TableSpec,
    columns: Option<&[&str]>,
    change: impl FnOnce(Table) -> Result<Table, Error> + Send,
) -> Result<Response<Table>, Error> {
    let source = table::find_source(spec, O::META.id).map_err(|error| error.with_operation(O::META))?;
    let keep_body = call.current_options().keep_body;
    let (response, guard) = call.send_guarded().await?;
    let selection = columns.map(|columns| ColumnSelection::new(spec, source, columns));
    let read = || {
        let DecodedValue { value, skipped } = read(spec, source, &response, selection.as_ref())?;
        Ok(DecodedValue { value: change(value)?, skipped })
    };
    let table = DecodeGuard::run(guard, &response.meta, read).flatten();
    let table = table.map_err(|error| response.add_context(error, O::META, keep_body).with_operation(O::META))?;
    Ok(Response::new(table, response, keep_body))
}

fn read(
    spec: &'static TableSpec,
    source: &'static table::read_plan::TableSource,
    response: &RawResponse,
    selection: Option<&ColumnSelection<'_>>,
) -> Result<DecodedValue<Table>, Error> {
    let read = table::decode::read_table(spec, source, source.basis, &response.body, response.meta.strict_lists, selection);
    let DecodedValue { value, skipped } =
        read.map_err(|DecodeFailure { json_path, reason }| Error::decode(&response.meta, json_path, reason))?;
    Ok(DecodedValue { value: value.require_requested_rows(&response.meta, &response.body)?, skipped })
}
