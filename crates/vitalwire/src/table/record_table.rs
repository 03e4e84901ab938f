//! Tables of records that are already decoded.

use serde::Serialize;
use vitalwire_runtime::operation::Provenance;

use super::{Table, TableId};
use crate::error::{Error, ErrorKind};
use crate::value::{Model, NumberBasis};

/// A table of a record type, and the operation that returns such records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordTable {
    /// Id of the table.
    pub table: TableId,
    /// Id of the operation.
    pub operation: &'static str,
    /// Whether the operation returns a list of records.
    pub list: bool,
    /// Basis of the numbers in the operation's response, if stated.
    pub basis: Option<NumberBasis>,
}

impl RecordTable {
    /// Finds the table with this name. Returns the first table if `name` is `None`.
    ///
    /// # Errors
    /// `invalid_argument` naming `table` if no table has this name.
    pub fn choose(tables: &[Self], name: Option<&str>) -> Result<TableId, Error> {
        let known = |id: TableId| tables.iter().any(|entry| entry.table == id);
        let chosen = match name {
            None => tables.first().map(|entry| entry.table),
            Some(name) => name.parse().ok().filter(|id| known(*id)),
        };
        chosen.ok_or_else(|| Error::invalid_argument("table", "the response has no table with this name"))
    }

    /// Makes the table of one record. `from` is the provenance of the record, if known; it selects the operation and the basis of the
    /// numbers.
    ///
    /// # Errors
    /// `invalid_argument` if the records do not have the table, or if the call did not request its rows.
    pub fn from_record(tables: &[Self], id: TableId, record: &impl Model, from: Option<&Provenance>) -> Result<Table, Error> {
        let (operation, basis) = (from.and_then(Provenance::operation), record.basis());
        let candidates = || tables.iter().filter(|entry| entry.table == id);
        let source = candidates().find(|entry| Some(entry.operation) == operation);
        let source =
            source.or_else(|| candidates().find(|entry| entry.basis == basis)).or_else(|| candidates().next()).ok_or_else(unknown_table)?;
        let body = if source.list { to_json(&[record])? } else { to_json(record)? };
        let table = match basis {
            // Without a known operation, the basis that the record states takes precedence over the operation's.
            Some(basis) if operation.is_none() => Table::read_as(id, source.operation, basis, &body)?,
            _ => Table::read(id, source.operation, &body)?,
        };
        let Some(from) = from else { return Ok(table) };
        // The position of this record in the list is unknown, so skipped items cannot be attributed to it.
        let table = if source.list { table } else { count_skipped(table, source, from) };
        table.require_requested_rows(from, &body).map(|table| table.with_requested_columns(from))
    }

    /// Makes the table of several records, each serialized as JSON. Pass `from` only if all records come from one response.
    ///
    /// # Errors
    /// `invalid_argument` if lists of the records do not have the table.
    pub fn from_list(tables: &[Self], id: TableId, records: &[Vec<u8>], from: Option<&Provenance>) -> Result<Table, Error> {
        let source = tables.iter().find(|entry| entry.table == id && entry.list).ok_or_else(unknown_table)?;
        let body = [b"[".as_slice(), &records.join(b",".as_slice()), b"]"].concat();
        let table = Table::read(id, source.operation, &body)?;
        Ok(match from {
            Some(from) => count_skipped(table, source, from),
            None => table,
        })
    }
}

/// Counts the items that were skipped when the response was decoded.
fn count_skipped(table: Table, source: &RecordTable, from: &Provenance) -> Table {
    match from.response() {
        Some(response) => table.counting_skipped(source.operation, response.skipped_items()),
        None => table,
    }
}

fn to_json(record: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(record).map_err(|_| Error::with_reason(ErrorKind::Internal, "a record cannot be serialized"))
}

fn unknown_table() -> Error {
    Error::invalid_argument("table", "the response has no table with this name")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::NutritionRecord;
    use crate::table::ColumnData;

    #[test]
    fn a_record_without_provenance_keeps_its_own_basis() {
        let json =
            br#"{"record_id": "n-1", "status": "completed", "uploaded_at": "2025-03-01T12:00:00Z", "modified_at": "2025-03-01T12:00:00Z",
            "nutritional_fields": {"energy_kcal": 640}}"#;
        let mut record = NutritionRecord::from_json(json).expect("it is a record");
        let id = TableId::NutritionRecords;
        let source = RecordTable { table: id, operation: "get_nutrition_record", list: false, basis: Some(NumberBasis::PerServing) };
        for basis in [NumberBasis::Unknown, NumberBasis::Per100] {
            record.set_basis(basis);
            let table = RecordTable::from_record(&[source], id, &record, None).expect("it has the table");
            let column = table.column("basis").expect("the table has it");
            let ColumnData::Text(texts) = column.data() else { panic!("it is a text") };
            assert_eq!(texts.get(0), basis.as_str());
        }
    }
}
