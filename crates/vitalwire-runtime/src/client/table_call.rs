//! Calls whose answers are read as tables.

use super::{Call, Operation, RawResponse, Response};
use crate::error::Error;
use crate::table::{self, Table, TableSpec};
use crate::transport::DecodeGuard;
use crate::value::decode::{DecodeFailure, Decoded, SkippedItems};

impl<O: Operation> Call<O> {
    /// Makes the call and reads its answer as a table, straight from the body.
    ///
    /// # Errors
    /// Invalid argument, before anything is sent, where the operation's answer does not hold the table, and of an answer that has no
    /// rows because the call did not request them ([`Table::asked_by`]); else as [`Call::send`].
    pub async fn table(self, table: impl Into<&'static TableSpec> + Send) -> Result<Response<Table>, Error> {
        let spec = table.into();
        let source = table::source(spec, O::META.id).map_err(|error| error.in_operation(O::META))?;
        let keep_raw = self.current_options().keep_raw;
        let (response, guard) = self.guarded().await?;
        let table = DecodeGuard::run(guard, &response.meta, || read(spec, source, &response)).flatten();
        let table = table.map_err(|error| error.in_operation(O::META))?;
        Ok(Response::new(table, response, keep_raw))
    }

    /// Makes the call once and reads its answer as several tables, in the order of the request.
    ///
    /// # Errors
    /// As [`Call::table`].
    pub async fn tables(self, specs: &[&'static TableSpec]) -> Result<Response<Vec<Table>>, Error> {
        let sources: Result<Vec<_>, Error> = specs.iter().map(|spec| Ok((*spec, table::source(spec, O::META.id)?))).collect();
        let sources = sources.map_err(|error| error.in_operation(O::META))?;
        let keep_raw = self.current_options().keep_raw;
        let (response, guard) = self.guarded().await?;
        let read = || {
            let (mut value, mut skipped) = (Vec::with_capacity(sources.len()), SkippedItems::default());
            for (spec, source) in sources {
                let table = read(spec, source, &response)?;
                value.push(table.value);
                skipped.merge(table.skipped);
            }
            Ok(Decoded { value, skipped })
        };
        let tables: Result<Decoded<Vec<Table>>, Error> = DecodeGuard::run(guard, &response.meta, read).flatten();
        Ok(Response::new(tables.map_err(|error| error.in_operation(O::META))?, response, keep_raw))
    }
}

fn read(spec: &'static TableSpec, source: &'static table::plan::Source, response: &RawResponse) -> Result<Decoded<Table>, Error> {
    let read = table::decode::read(spec, source, source.basis, &response.body, response.meta.strict_lists);
    let Decoded { value, skipped } = read.map_err(|DecodeFailure { place, reason }| Error::decode(&response.meta, place, reason))?;
    Ok(Decoded { value: value.asked_by(&response.meta, &response.body)?, skipped })
}
