//! Options of `cohort`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use vitalwire_cohort::CohortTable;

use super::day::{Day, date_candidates, parse_day};
use super::number_parser::{COUNT, NUMBER, WHOLE, number};

/// Commands of `cohort`.
#[derive(Debug, Subcommand)]
pub(crate) enum CohortCommand {
    /// Export the data of many users to Parquet files
    ///
    /// Files are partitioned by table and month, such as table=daily/month=2025-01/part-00000.parquet. If a user cannot be read, the table
    /// `failures` lists the failure and the export continues with the others. An interrupted or killed export keeps the rows that it has
    /// written; run it again with --resume.
    Export(ExportOptions),
    /// Print the work items, the number of requests and the minimum duration
    ///
    /// Plans a first run without a request. With --out and --resume, plans the next run of a dataset. This asks the service for its clock,
    /// and which users have connected a provider.
    Plan(PlanOptions),
    /// Compare the files of a dataset with its manifest, and list lost rows
    Verify {
        /// Folder of the dataset
        folder: PathBuf,
    },
    /// Show which users have data on which days
    ///
    /// A day has data, has no data at the service, failed, or was not requested. The column `days without data` has the number of
    /// requested days since the last day with data. A day whose request failed counts as a day without data.
    Coverage(CoverageOptions),
    /// List the failures of the last requests of a dataset
    ///
    /// A failure ends when a later request for its days succeeds.
    Failures {
        /// Folder of the dataset
        folder: PathBuf,
    },
    /// Remove all rows of a user from a dataset, for example after they have withdrawn their consent
    ///
    /// Later runs leave the user out. The manifest keeps the SHA-256 digest of the id, but not the id. There is no undo.
    Remove(RemoveOptions),
}

/// Users, tables, days and rate limits.
#[derive(Args, Debug)]
pub(crate) struct CohortOptions {
    /// CSV file of the users. Its header names the columns: `user` and `token`, or `user`, `application_id` and one of `signature`,
    /// `key_env` (environment variable with the application key) and `key_file`. With --sandbox, defaults to the sandbox's users
    #[arg(long, value_name = "FILE")]
    pub(crate) users: Option<PathBuf>,
    /// Tables to read
    #[arg(long, value_name = "TABLE,...", value_delimiter = ',', required = true, value_parser = table_parser())]
    pub(crate) tables: Vec<CohortTable>,
    /// First day: a date such as 2025-11-21, today, yesterday or -30d (30 days ago)
    #[arg(long, value_name = "DATE", value_parser = parse_day, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) from: Day,
    /// Last day, inclusive. Days that are not over at the service are left out. Defaults to yesterday in UTC, by the service's clock
    #[arg(long, value_name = "DATE", value_parser = parse_day, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) to: Option<Day>,
    /// Number of days before the last requested day that a later run requests again, because providers deliver late [default: 7]
    #[arg(long, value_name = "DAYS", value_parser = number(0..=u32::MAX, WHOLE), allow_negative_numbers = true)]
    pub(crate) lookback_days: Option<u32>,
    /// Request all days from this one again
    #[arg(long, value_name = "DATE", value_parser = parse_day, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) refresh_from: Option<Day>,
    /// Replace the ids of users and records with pseudonyms, using the key in this file (at least 16 bytes). Places and free text are left
    /// out
    #[arg(long, value_name = "KEYFILE")]
    pub(crate) pseudonym_key_file: Option<PathBuf>,
    /// With pseudonyms, keep places (latitude, longitude, elevation, altitude) and free text (notes, names of dishes, reasons of failures)
    #[arg(long, requires = "pseudonym_key_file")]
    pub(crate) keep_places_and_text: bool,
    /// Maximum number of requests in any second, including retries. Defaults to no limit
    #[arg(long, value_name = "NUMBER", value_parser = number(f64::MIN..=f64::MAX, NUMBER), allow_negative_numbers = true)]
    pub(crate) per_second: Option<f64>,
    /// Maximum number of requests in flight [default: 16]
    #[arg(long, value_name = "NUMBER", value_parser = number(0..=usize::MAX, WHOLE), allow_negative_numbers = true)]
    pub(crate) in_flight: Option<usize>,
}

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
    /// Forget damaged and missing files of the dataset in --out, and request their days again. Includes --resume
    #[arg(long)]
    pub(crate) repair: bool,
    /// Append a JSON line to this file at the start and at the end of the run: who exported the data of which users, tables and days, and the
    /// numbers of rows
    #[arg(long, value_name = "FILE")]
    pub(crate) audit_log: Option<PathBuf>,
    /// Remove lines of the audit log that are older than DAYS. Defaults to keeping all
    #[arg(long, value_name = "DAYS", requires = "audit_log", value_parser = number(1..=u32::MAX, COUNT), allow_negative_numbers = true)]
    pub(crate) audit_days: Option<u32>,
    /// Check that each token belongs to the user of its line, with one request for each user
    #[arg(long)]
    pub(crate) check_users: bool,
}

/// Options of `sync`.
#[derive(Args, Debug)]
pub(crate) struct SyncOptions {
    /// CSV file of the users, as for `cohort export`. With --sandbox, defaults to the sandbox's users
    #[arg(long, value_name = "FILE")]
    pub(crate) users: Option<PathBuf>,
    /// Kinds of records
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', required_unless_present = "remove_user", value_parser = table_parser())]
    pub(crate) kinds: Vec<CohortTable>,
    /// Folder with the state of each user. The command creates a missing folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) state: PathBuf,
    /// Folder for the changes. Each run that finds changes writes a new file, with a line of JSON for each change, or as Parquet with
    /// --format parquet. Apply the files in the order of their names
    #[arg(long, value_name = "FOLDER", required_unless_present = "remove_user")]
    pub(crate) out: Option<PathBuf>,
    /// First day of the copy: a date such as 2025-11-21 or -90d (90 days ago). For a user with a state, an earlier day adds the days in
    /// between, and a later day has no effect. Defaults to that of the last sync. A first sync begins with the last 365 days
    #[arg(long, value_name = "DATE", value_parser = parse_day, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) from: Option<Day>,
    /// Number of days up to the last requested day that are requested again, because providers deliver late [default: 7]
    #[arg(long, value_name = "DAYS", value_parser = number(0..=u32::MAX, WHOLE), allow_negative_numbers = true)]
    pub(crate) look_back: Option<u32>,
    /// File with the secret of the digests in the states, 16 to 4,096 bytes. Defaults to a random secret in the folder of the states
    #[arg(long, value_name = "KEYFILE")]
    pub(crate) secret_file: Option<PathBuf>,
    /// Maximum number of requests in any second, including retries. Defaults to no limit
    #[arg(long, value_name = "NUMBER", value_parser = number(f64::MIN..=f64::MAX, NUMBER), allow_negative_numbers = true)]
    pub(crate) per_second: Option<f64>,
    /// Maximum number of requests in flight [default: 16]
    #[arg(long, value_name = "NUMBER", value_parser = number(0..=usize::MAX, WHOLE), allow_negative_numbers = true)]
    pub(crate) in_flight: Option<usize>,
    /// Print the days and the number of requests by this machine's clock, and send no request
    #[arg(long)]
    pub(crate) plan: bool,
    /// Remove the state of this user, for example after they have withdrawn their consent, and send no request. Remove the user from the
    /// file of users and from your copy yourself
    #[arg(long, value_name = "ID", conflicts_with_all = ["users", "kinds", "out", "from", "look_back", "per_second", "in_flight", "plan"])]
    pub(crate) remove_user: Option<String>,
}

impl SyncOptions {
    /// Returns the options of a cohort with these users, kinds and limits.
    pub(crate) fn cohort(&self) -> CohortOptions {
        CohortOptions {
            users: self.users.clone(),
            tables: self.kinds.clone(),
            // Not used: the sync takes its days from its own options.
            from: Day::DaysAgo(1),
            to: None,
            lookback_days: None,
            refresh_from: None,
            pseudonym_key_file: None,
            keep_places_and_text: false,
            per_second: self.per_second,
            in_flight: self.in_flight,
        }
    }
}

/// Options of `cohort plan`.
#[derive(Args, Debug)]
pub(crate) struct PlanOptions {
    #[command(flatten)]
    pub(crate) cohort: CohortOptions,
    /// Folder of the dataset whose next run is planned
    #[arg(long, value_name = "FOLDER", requires = "resume")]
    pub(crate) out: Option<PathBuf>,
    /// Plan the run that `cohort export --resume` executes
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
}

/// Options of `cohort coverage`.
#[derive(Args, Debug)]
pub(crate) struct CoverageOptions {
    /// Folder of the dataset
    pub(crate) folder: PathBuf,
    /// Tables to show. Defaults to all
    #[arg(long, value_name = "TABLE,...", value_delimiter = ',', value_parser = table_parser())]
    pub(crate) tables: Vec<CohortTable>,
    /// Exit with code 22 if a table of a user has no data in the last DAYS requested days. Days of failed requests count
    #[arg(long, value_name = "DAYS", value_parser = number(1..=u32::MAX, COUNT), allow_negative_numbers = true)]
    pub(crate) fail_without_data_for: Option<u32>,
}

/// Options of `cohort remove`.
#[derive(Args, Debug)]
pub(crate) struct RemoveOptions {
    /// Folder of the dataset
    pub(crate) folder: PathBuf,
    /// Id of the user. Without --pseudonym-key-file, the id or pseudonym in the column `user`
    #[arg(long, value_name = "ID")]
    pub(crate) user: String,
    /// File with the key of the dataset's pseudonyms
    #[arg(long, value_name = "KEYFILE")]
    pub(crate) pseudonym_key_file: Option<PathBuf>,
}

/// Parses the name of a table. Help and completions list the names.
fn table_parser() -> impl TypedValueParser<Value = CohortTable> {
    let names = CohortTable::ALL.map(CohortTable::as_str);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<CohortTable>())
}

impl CohortCommand {
    /// Whether the command reads the file of users.
    pub(crate) fn reads_users(&self) -> bool {
        matches!(self, Self::Export(_) | Self::Plan(_))
    }
}
