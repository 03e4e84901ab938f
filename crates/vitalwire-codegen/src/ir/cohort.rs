//! Tables of cohorts: the tables of many users that are collected together.
//!
//! The declaration (`x-vitalwire-cohort-tables` at the root of a specification) names a table of responses, and the columns that
//! identify, date and sort its rows.

use serde::{Deserialize, Serialize};

use super::Docs;

/// A table of a cohort.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct CohortTable {
    /// Name in snake case.
    pub name: String,
    /// Documentation.
    pub docs: Docs,
    /// Name of the response table that contains the rows.
    pub table: String,
    /// Column that identifies a record of a user.
    pub key: String,
    /// Whether a record can have several rows.
    pub has_several_rows: bool,
    /// Columns that can contain the day of a row. The first one with a value is used.
    pub days: Vec<String>,
    /// Whether days are local dates of the user. Otherwise they are dates in UTC.
    pub has_local_days: bool,
    /// Columns of times by which the rows of a user are sorted. The first one with a value is used.
    pub sort: Vec<String>,
    /// Whether each sleep needs a request of its own.
    pub requests_sleeps: bool,
    /// Names of the statistics that can be requested, in the order of the columns. Empty for tables without statistics.
    pub statistics: Vec<String>,
}
