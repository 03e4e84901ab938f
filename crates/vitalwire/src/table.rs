//! Tables: responses as columns, read directly from the JSON.
//!
//! ```
//! use vitalwire::table::{Table, TableId};
//!
//! let body = br#"{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[{"date":"2025-01-01","values":{"steps":1200}}]}"#;
//! let table = Table::read(TableId::DailyStatistics, "daily_statistics", body)?;
//! assert_eq!(table.len(), 1);
//! # Ok::<(), vitalwire::Error>(())
//! ```
//!
//! The specification defines a table's rows, columns, units and optional values; [`TableId::spec`] returns them. A missing value stays
//! missing; it never becomes 0.
//!
//! Export tables as Arrow record batches (feature `arrow`), Arrow streams and files (`arrow-ipc`) or CSV (`csv`). To write Parquet files,
//! pass record batches to the crate `parquet`; `Table::to_record_batch` has an example.

mod record_table;

pub use record_table::RecordTable;
pub use vitalwire_runtime::table::*;

pub use crate::generated::tables::TableId;

impl TableId {
    /// Returns the tables of an operation's response, the most detailed first.
    pub fn of_operation(operation: &str) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |id| id.spec().operations().any(|holds| holds == operation))
    }
}
