//! Options of `cohort`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use vitalwire::cohort::CohortTable;

use super::day::{Day, date_candidates, parse_day};

/// Commands of `cohort`.
#[derive(Debug, Subcommand)]
pub(crate) enum CohortCommand {
    /// Export the data of many users to Parquet files
    ///
    /// Files are partitioned by table and month, such as table=daily/month=2025-01/part-00000.parquet. If a user cannot be read, the table
    /// `errors` lists the failure and the export continues with the others. An interrupted or killed export keeps the rows that it has
    /// written; run it again with --resume.
    Export(ExportOptions),
    /// Print the work items, the number of requests and the minimum duration
    Plan(PlanOptions),
    /// Compare the files of a dataset with its manifest
    Verify {
        /// Folder of the dataset
        folder: PathBuf,
    },
    /// Show which users have data on which days
    ///
    /// A day is received, empty (the service has no data), failed or not requested. The column `quiet` has the number of requested days
    /// since the last day with data.
    Coverage(CoverageOptions),
}

/// Users, tables, days and the request budget.
#[derive(Args, Debug)]
pub(crate) struct CohortOptions {
    /// CSV file of the users. Its header names the columns: `user` and `token`, or `user`, `application_id` and one of `signature`,
    /// `key_env` (environment variable with the application key) and `key_file`. With --sandbox, defaults to the sandbox's users
    #[arg(long, value_name = "FILE")]
    pub(crate) users: Option<PathBuf>,
    /// Tables to read
    #[arg(long, value_name = "TABLE,...", value_delimiter = ',', required = true)]
    #[arg(value_parser = parse_table, help = TABLES)]
    pub(crate) tables: Vec<CohortTable>,
    /// First day: a date such as 2025-11-21, today, yesterday or -30d (30 days ago)
    #[arg(long, value_name = "DATE", value_parser = parse_day, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) from: Day,
    /// Last day, inclusive. Defaults to yesterday in UTC
    #[arg(long, value_name = "DATE", value_parser = parse_day, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) to: Option<Day>,
    /// Maximum number of requests in any second, including retries. Defaults to no limit
    #[arg(long, value_name = "NUMBER")]
    pub(crate) per_second: Option<f64>,
    /// Maximum number of requests in flight [default: 16]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) in_flight: Option<usize>,
}

const TABLES: &str = "Tables: daily, hourly, sleeps, sleep_stages, labs, nutrition";

/// Options of `cohort export`.
#[derive(Args, Debug)]
pub(crate) struct ExportOptions {
    #[command(flatten)]
    pub(crate) cohort: CohortOptions,
    /// Folder for the dataset. Without --resume, it must be empty or new
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// Continue the dataset in --out: complete an interrupted run, or add new and changed rows to a complete one
    #[arg(long)]
    pub(crate) resume: bool,
    /// Number of days that each later run requests again, because providers deliver late. Only the first run can set it [default: 7]
    #[arg(long, value_name = "DAYS")]
    pub(crate) late_days: Option<u32>,
    /// Replace user ids with pseudonyms, using the key in this file (at least 16 bytes)
    #[arg(long, value_name = "KEYFILE")]
    pub(crate) pseudonymise: Option<PathBuf>,
}

/// Options of `cohort plan`.
#[derive(Args, Debug)]
pub(crate) struct PlanOptions {
    #[command(flatten)]
    pub(crate) cohort: CohortOptions,
}

/// Options of `cohort coverage`.
#[derive(Args, Debug)]
pub(crate) struct CoverageOptions {
    /// Folder of the dataset
    pub(crate) folder: PathBuf,
    /// Exit with code 22 if a table of a user has no data in the last DAYS requested days
    #[arg(long, value_name = "DAYS")]
    pub(crate) fail_if_quiet: Option<u32>,
}

fn parse_table(text: &str) -> Result<CohortTable, &'static str> {
    text.parse().map_err(|_| "must be daily, hourly, sleeps, sleep_stages, labs or nutrition")
}

impl CohortCommand {
    /// Whether the command reads the file of users.
    pub(crate) fn uses_people(&self) -> bool {
        matches!(self, Self::Export(_) | Self::Plan(_))
    }
}
