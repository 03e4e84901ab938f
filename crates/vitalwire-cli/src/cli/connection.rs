//! Options for the service to call and the output format.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::tables::HIDE_TABLE_OPTIONS;
use super::{ColumnOptions, SandboxOptions};
use crate::failure::ErrorStyle;
use crate::output::Destination;
use crate::shell::quote;

/// Help of `--format`.
const FORMATS: &str = if HIDE_TABLE_OPTIONS {
    "Output format. json is the complete response. Defaults to json for a file x.json, else to table"
} else {
    "Output format. json is the complete response. csv, parquet and arrow write one table from it. Defaults to the extension of \
     --output, else to table"
};

/// Options of every command that calls a service.
#[derive(Args, Clone, Debug)]
pub(crate) struct Connection {
    /// Start a sandbox with synthetic data for this command and call it. Needs no settings
    #[arg(long, global = true, help_heading = "Connection")]
    pub(crate) sandbox: bool,
    #[command(flatten)]
    pub(crate) sandbox_options: SandboxOptions,
    /// Base URL of the health service. Overrides VITALWIRE_BASE_URL. Set the token in VITALWIRE_TOKEN. There is no option for it, because
    /// other users of this machine can read command-line arguments
    #[arg(long, global = true, value_name = "URL", help_heading = "Connection")]
    pub(crate) base_url: Option<String>,
    /// Base URL of the care service. Overrides VITALWIRE_CARE_BASE_URL. Its token is VITALWIRE_CARE_TOKEN
    #[arg(long, global = true, value_name = "URL", help_heading = "Connection")]
    pub(crate) care_base_url: Option<String>,
    /// Configuration file. Options override environment variables, and variables override the file. Defaults to VITALWIRE_CONFIG, or
    /// vitalwire/config.toml in the user's configuration folder
    #[arg(long, global = true, value_name = "FILE", help_heading = "Connection")]
    pub(crate) config: Option<PathBuf>,
    /// Profile of the configuration file. Defaults to VITALWIRE_PROFILE, or the file's default_profile
    #[arg(long, global = true, value_name = "NAME", help_heading = "Connection")]
    pub(crate) profile: Option<String>,
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Output", help = FORMATS)]
    pub(crate) format: Option<Format>,
    /// Print errors without the service's messages about rejected fields. Use it for logs,
    /// because a message may contain values from the request
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) no_reasons: bool,
    #[command(flatten)]
    pub(crate) columns: ColumnOptions,
    #[command(flatten)]
    pub(crate) destination: Destination,
}

/// Format of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable tables and charts
    #[default]
    Table,
    /// The response as received, indented
    Json,
    /// The table as CSV (RFC 4180). Missing values are empty. Times are in UTC and durations in milliseconds. List items are joined
    /// with ;
    #[value(hide = HIDE_TABLE_OPTIONS)]
    Csv,
    /// The table as a Parquet file, with types and units
    #[value(hide = HIDE_TABLE_OPTIONS)]
    Parquet,
    /// The table as an Arrow IPC stream, with types and units
    #[value(hide = HIDE_TABLE_OPTIONS)]
    Arrow,
}

impl Format {
    /// Whether the format is binary and must not be written to a terminal.
    pub(crate) fn is_binary(self) -> bool {
        match self {
            Self::Table | Self::Json | Self::Csv => false,
            Self::Parquet | Self::Arrow => true,
        }
    }

    /// Returns the name of the format on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the format that the extension of a file names.
    pub(super) fn of_file(path: &Path) -> Option<Self> {
        Self::from_str(path.extension()?.to_str()?, true).ok().filter(|format| *format != Self::Table)
    }

    /// Whether the extension of a file names a format of data or a compression that this program does not write.
    fn is_unsupported(path: &Path) -> bool {
        const EXTENSIONS: &[&str] = &[
            "avro", "bz2", "db", "feather", "gz", "h5", "html", "ipc", "jsonl", "ndjson", "ods", "orc", "parq", "pq", "sqlite", "tab",
            "tsv", "xls", "xlsx", "xml", "xz", "yaml", "yml", "zip", "zst",
        ];
        let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
    }

    /// Whether only the response's table is written.
    pub(crate) fn exports_table(self) -> bool {
        match self {
            Self::Table | Self::Json => false,
            Self::Csv | Self::Parquet | Self::Arrow => true,
        }
    }
}

impl Connection {
    /// Returns an error text if these options contradict each other for a command that calls a configured service.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        if self.sandbox && self.selects_service() {
            Some("--sandbox starts a service of its own: remove the options that select another one")
        } else if !self.sandbox && self.sandbox_options.is_given() {
            Some(
                "--seed, --people, --missing, --effects, --delivery, --today, --time-scale, --processing and --db describe a sandbox: add --sandbox",
            )
        } else if self.columns.is_given() && !self.exports_table() {
            Some("--all-columns and --time-unit apply to csv, parquet and arrow: add --format")
        } else if (self.columns.escape_formulas || self.columns.units) && self.format != Some(Format::Csv) {
            Some("--escape-formulas and --units apply to csv: add --format csv")
        } else if self.format.is_none() && self.destination.output.as_deref().is_some_and(Format::is_unsupported) {
            Some(
                "--output has the extension of a format that is not supported: add --format, or name a .json, .csv, .parquet or .arrow file",
            )
        } else {
            self.destination.contradiction()
        }
    }

    /// Returns an error text if one of these options does not apply to a command that starts its own sandbox and prints its own text.
    pub(super) fn own_sandbox_contradiction(&self) -> Option<&'static str> {
        if self.selects_service() {
            Some("this command starts a sandbox of its own: remove the options that select a service")
        } else if self.format.is_some() {
            Some("this command has a format of its own: remove --format")
        } else if self.destination.is_given() {
            Some("this command prints to stdout while it runs: remove --output")
        } else {
            None
        }
    }

    /// Returns an error text if options contradict a command for cohorts.
    #[cfg(feature = "tables")]
    pub(super) fn cohort_contradiction(&self) -> Option<&'static str> {
        if self.format.is_some_and(|format| !matches!(format, Format::Table | Format::Json)) {
            Some("this command prints a table or JSON: use --format table or json")
        } else if self.columns.time_zone.is_some() {
            Some("this command has no local times: remove --time-zone")
        } else {
            self.contradiction()
        }
    }

    /// Returns an error text if options contradict a sync, which writes its changes as lines of JSON or Parquet.
    #[cfg(feature = "tables")]
    pub(super) fn sync_contradiction(&self) -> Option<&'static str> {
        let extension = self.destination.output.as_deref().and_then(Format::of_file);
        match self.format {
            Some(Format::Csv | Format::Arrow) => Some("a sync writes lines of JSON or Parquet: use --format table, json or parquet"),
            _ if extension.is_some_and(Format::exports_table) => Some(
                "--output names the report of a sync, not its changes; for changes as Parquet, use --format parquet, and rename --output",
            ),
            Some(Format::Parquet) if self.columns.is_given() || self.columns.time_zone.is_some() => {
                Some("a sync writes all columns, with times in UTC; remove the column and time zone options")
            }
            Some(Format::Parquet) => self.contradiction(),
            _ => self.cohort_contradiction(),
        }
    }

    /// Returns the options with which another command reaches the same service or sandbox. They are quoted for a shell, each after a space.
    pub(crate) fn service_arguments(&self) -> String {
        let text = |text: Option<String>| text.map(OsString::from);
        let path = |path: &Option<PathBuf>| path.clone().map(PathBuf::into_os_string);
        let mut options = String::new();
        if self.sandbox {
            options.push_str(" --sandbox");
        }
        let values = [
            ("--base-url", text(self.base_url.clone())),
            ("--config", path(&self.config)),
            ("--profile", text(self.profile.clone())),
            ("--seed", text(self.sandbox_options.seed.map(|seed| seed.to_string()))),
            ("--people", text(self.sandbox_options.people.map(|people| people.to_string()))),
            ("--missing", text(self.sandbox_options.missing.map(|share| share.to_string()))),
            ("--effects", text(self.sandbox_options.effects.map(|effects| effects.to_string()))),
            ("--delivery", text(self.sandbox_options.delivery.as_ref().map(ToString::to_string))),
            ("--today", text(self.sandbox_options.today.map(|date| date.to_string()))),
            ("--time-scale", text(self.sandbox_options.time_scale.map(|scale| scale.to_string()))),
            ("--processing", text(self.sandbox_options.processing.map(|time| time.to_string()))),
            ("--db", path(&self.sandbox_options.db)),
        ];
        for (name, value) in values.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            options.push_str(&format!(" {name} {}", quote(value)));
        }
        options
    }

    pub(crate) fn error_style(&self) -> ErrorStyle {
        ErrorStyle { json: self.format == Some(Format::Json), no_reasons: self.no_reasons }
    }

    pub(super) fn exports_table(&self) -> bool {
        self.format.is_some_and(Format::exports_table)
    }

    /// Whether an option that selects a service or a sandbox is given.
    pub(super) fn is_given(&self) -> bool {
        self.selects_service() || self.sandbox || self.sandbox_options.is_given()
    }

    fn selects_service(&self) -> bool {
        self.base_url.is_some() || self.care_base_url.is_some() || self.config.is_some() || self.profile.is_some()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::cli::Cli;

    /// With these options, another command reaches the same service or sandbox.
    #[test]
    fn options_that_name_a_service_are_repeated() {
        for (options, service_arguments) in [
            (&[][..], ""),
            (&["--profile", "test"], " --profile test"),
            (&["--config", "/my files/it's.toml", "--profile", "a b"], r" --config '/my files/it'\''s.toml' --profile 'a b'"),
            (&["--base-url", "https://h.example:8/x"], " --base-url https://h.example:8/x"),
            (
                &["--sandbox", "--seed", "7", "--today", "2025-11-21", "--time-scale", "1.5", "--processing", "typical", "--db", "w.db"],
                " --sandbox --seed 7 --today 2025-11-21 --time-scale 1.5 --processing typical --db w.db",
            ),
            (
                &["--sandbox", "--people", "30", "--missing", "0.10", "--effects", "travel,illness=9", "--delivery", "b=absent,a=late:03"],
                " --sandbox --people 30 --missing 0.1 --effects illness=9,travel=6 --delivery a=late:3,b=absent",
            ),
            // Options that select no service are not repeated.
            (&["--format", "json", "--processing", "60", "--sandbox", "--output", "x"], " --sandbox --processing 60"),
        ] {
            let cli = Cli::try_parse_from([&["vitalwire", "user"], options].concat()).expect("options");
            assert_eq!(cli.connection.service_arguments(), service_arguments);
        }
    }
}
