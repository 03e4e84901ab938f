//! Calls whose answers are read as tables.

use super::{Call, Operation, RawResponse, Response};
use crate::error::Error;
use crate::table::{self, Table, TableId};
use crate::value::decode::DecodeFailure;

impl<O: Operation> Call<O> {
    /// Makes the call and reads its answer as a table, straight from the body.
    ///
    /// # Errors
    /// Invalid argument, before anything is sent, where the operation's answer does not hold the table, and of an answer that has no
    /// rows because the call did not ask for them ([`Table::asked_by`]); else as [`Call::send`].
    pub async fn table(self, id: TableId) -> Result<Response<Table>, Error> {
        let source = table::source(id, O::META.id).map_err(|error| error.in_operation(O::META))?;
        let keep_raw = self.current_options().keep_raw;
        let response = self.raw().await?;
        let table = read(id, source, &response).map_err(|error| error.in_operation(O::META))?;
        Ok(Response::new(table, response, keep_raw))
    }

    /// Makes the call once and reads its answer as several tables, in the order asked for.
    ///
    /// # Errors
    /// As [`Call::table`].
    pub async fn tables(self, ids: &[TableId]) -> Result<Response<Vec<Table>>, Error> {
        let sources: Result<Vec<_>, Error> = ids.iter().map(|id| Ok((*id, table::source(*id, O::META.id)?))).collect();
        let sources = sources.map_err(|error| error.in_operation(O::META))?;
        let keep_raw = self.current_options().keep_raw;
        let response = self.raw().await?;
        let tables: Result<Vec<Table>, Error> = sources.into_iter().map(|(id, source)| read(id, source, &response)).collect();
        Ok(Response::new(tables.map_err(|error| error.in_operation(O::META))?, response, keep_raw))
    }
}

fn read(id: TableId, source: &'static table::plan::Source, response: &RawResponse) -> Result<Table, Error> {
    let table = table::decode::read(id, source, &response.body);
    let table = table.map_err(|DecodeFailure { place, reason }| Error::decode(&response.meta, place, reason))?;
    table.asked_by(&response.meta, &response.body)
}
