//! Tables: answers as columns, read straight from the JSON.
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
//! Which rows and columns a table has, their units and what may be missing comes from the specification ([`TableId::spec`]). A
//! missing value is missing, never 0.
//!
//! Other programs read tables as Arrow record batches (feature `arrow`), Arrow streams and files (`arrow-ipc`) and CSV (`csv`). The crate
//! `parquet` writes record batches as Parquet files; `Table::to_record_batch` has an example.

mod held;

pub use held::HeldTable;
pub use vitalwire_runtime::table::*;

pub use crate::generated::tables::TableId;

impl TableId {
    /// The tables that the response of an operation holds, the most telling first.
    pub fn of_operation(operation: &str) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |id| id.spec().operations().any(|holds| holds == operation))
    }
}
