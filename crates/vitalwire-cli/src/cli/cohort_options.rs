//! Options of `cohort`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use vitalwire::cohort::CohortTable;

use super::day::{Day, date_candidates, parse_day};

/// Commands of `cohort`.
#[derive(Debug, Subcommand)]
pub(crate) enum CohortCommand {
    /// Write the data of many users to Parquet files
    ///
    /// Files are partitioned by table and month, such as table=daily/month=2025-01/part-00000.parquet. A user who fails is listed in the
    /// table `errors` and stops nobody else. Rows that are written stay, even if the program is killed: run it again with --resume.
    Export(ExportOptions),
    /// Print the work items, the number of requests and the shortest time that the budget allows
    Plan(PlanOptions),
    /// Compare the files of a dataset with its manifest
    Verify {
        /// Folder of the dataset
        folder: PathBuf,
    },
    /// Show who has data on which days, and who has gone quiet
    ///
    /// A day is received, empty (the service has no data), failed or not requested. A missing day is never a zero.
    Coverage(CoverageOptions),
}

/// Users, tables, days and the budget of requests.
#[derive(Args, Debug)]
pub(crate) struct CohortOptions {
    /// CSV file of the users. The first line names the columns: `user` and `token`, or `user`, `application_id` and one of `signature`,
    /// `key_env` and `key_file` (where to find the application key). With --sandbox, defaults to the sandbox's people
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
    /// Maximum number of requests in any second, retries included. Defaults to no limit
    #[arg(long, value_name = "NUMBER")]
    pub(crate) per_second: Option<f64>,
    /// Maximum number of requests at a time [default: 16]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) in_flight: Option<usize>,
}

const TABLES: &str = "Tables: daily, hourly, sleeps, sleep_stages, labs, nutrition";

/// Options of `cohort export`.
#[derive(Args, Debug)]
pub(crate) struct ExportOptions {
    #[command(flatten)]
    pub(crate) cohort: CohortOptions,
    /// Empty or new folder for the dataset
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// Continue the dataset in --out: complete an interrupted run, or add what is new and has changed since the last one
    #[arg(long)]
    pub(crate) resume: bool,
    /// Number of days that each later run requests again, because providers deliver late. Fixed by the first run [default: 7]
    #[arg(long, value_name = "DAYS")]
    pub(crate) late_days: Option<u32>,
    /// Replace user ids with pseudonyms, by the key in this file (at least 16 bytes)
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
    /// Exit with code 22 if a user has no data of a table in the last DAYS requested days
    #[arg(long, value_name = "DAYS")]
    pub(crate) fail_if_quiet: Option<u32>,
}

fn parse_table(text: &str) -> Result<CohortTable, &'static str> {
    text.parse().map_err(|_| "must be daily, hourly, sleeps, sleep_stages, labs or nutrition")
}

impl CohortCommand {
    /// Whether the command needs the users of the cohort.
    pub(crate) fn uses_people(&self) -> bool {
        matches!(self, Self::Export(_) | Self::Plan(_))
    }
}
