//! Tables of records in hand.

use serde::Serialize;
use vitalwire_runtime::operation::Provenance;

use super::{Table, TableId};
use crate::error::{Error, ErrorKind};
use crate::value::{Model, NumberBasis};

/// A table that is in a kind of record, and the operation that returns such records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldTable {
    /// The table.
    pub table: TableId,
    /// The operation's id.
    pub operation: &'static str,
    /// Whether its response is a list of the records.
    pub list: bool,
    /// What it says that numbers refer to.
    pub basis: Option<NumberBasis>,
}

impl HeldTable {
    /// The table of this name among those of a kind of record, the first one without a name.
    ///
    /// # Errors
    /// `invalid_argument` naming `table` if the records do not have it.
    pub fn choose(tables: &[Self], name: Option<&str>) -> Result<TableId, Error> {
        let known = |id: TableId| tables.iter().any(|held| held.table == id);
        let chosen = match name {
            None => tables.first().map(|held| held.table),
            Some(name) => name.parse().ok().filter(|id| known(*id)),
        };
        chosen.ok_or_else(|| Error::invalid_argument("table", "is no table of this answer"))
    }

    /// The table of one record. Which operation returned it counts where that is known, and then what its numbers refer to.
    ///
    /// # Errors
    /// `invalid_argument` if the records do not have the table, and if the call did not request its rows.
    pub fn of_record(tables: &[Self], id: TableId, record: &impl Model, from: Option<&Provenance>) -> Result<Table, Error> {
        let (operation, basis) = (from.and_then(Provenance::operation), record.basis());
        let fitting = || tables.iter().filter(|held| held.table == id);
        let held = fitting().find(|held| Some(held.operation) == operation);
        let held = held.or_else(|| fitting().find(|held| held.basis == basis)).or_else(|| fitting().next()).ok_or_else(none)?;
        let body = if held.list { written(&[record])? } else { written(record)? };
        let table = match basis {
            // What returned it is not known: its numbers refer to what it says, whatever they refer to where such records come from.
            Some(basis) if operation.is_none() => Table::read_as(id, held.operation, basis, &body)?,
            _ => Table::read(id, held.operation, &body)?,
        };
        let Some(from) = from else { return Ok(table) };
        // Of a list it is not known which of its records this is.
        let table = if held.list { table } else { counting(table, held, from) };
        table.asked_by(from, &body).map(|table| table.with_asked_columns(from))
    }

    /// The table of several records, each written as JSON; `from` is known of the records of one response.
    ///
    /// # Errors
    /// `invalid_argument` if lists of the records do not have the table.
    pub fn of_list(tables: &[Self], id: TableId, records: &[Vec<u8>], from: Option<&Provenance>) -> Result<Table, Error> {
        let held = tables.iter().find(|held| held.table == id && held.list).ok_or_else(none)?;
        let body = [b"[".as_slice(), &records.join(b",".as_slice()), b"]"].concat();
        let table = Table::read(id, held.operation, &body)?;
        Ok(match from {
            Some(from) => counting(table, held, from),
            None => table,
        })
    }
}

/// Counts what decoding the response left out of its records.
fn counting(table: Table, held: &HeldTable, from: &Provenance) -> Table {
    match from.response() {
        Some(response) => table.counting_skipped(held.operation, response.skipped_items()),
        None => table,
    }
}

fn written(record: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(record).map_err(|_| Error::with_reason(ErrorKind::Internal, "a record cannot be written"))
}

fn none() -> Error {
    Error::invalid_argument("table", "is no table of this answer")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::NutritionRecord;
    use crate::table::ColumnData;

    #[test]
    fn a_record_of_which_nothing_is_known_claims_nothing() {
        let json =
            br#"{"record_id": "n-1", "status": "completed", "uploaded_at": "2025-03-01T12:00:00Z", "modified_at": "2025-03-01T12:00:00Z",
            "nutritional_fields": {"energy_kcal": 640}}"#;
        let mut record = NutritionRecord::from_json(json).expect("it is a record");
        let id = TableId::NutritionRecords;
        let held = HeldTable { table: id, operation: "get_nutrition_record", list: false, basis: Some(NumberBasis::PerServing) };
        for basis in [NumberBasis::Unknown, NumberBasis::Per100] {
            record.set_basis(basis);
            let table = HeldTable::of_record(&[held], id, &record, None).expect("it has the table");
            let column = table.column("basis").expect("the table has it");
            let ColumnData::Text(texts) = column.data() else { panic!("it is a text") };
            assert_eq!(texts.get(0), basis.as_str());
        }
    }
}
