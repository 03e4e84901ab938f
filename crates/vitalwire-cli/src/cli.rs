//! The command line: commands, options and their values.

#[cfg(feature = "tables")]
mod cohort_options;
mod connection;
mod day;
mod error_kind;
mod examples;
mod name_parser;
mod number_parser;
mod range;
mod resource_options;
mod sandbox_options;
mod stats;
mod tables;
mod upload;

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use vitalwire_sandbox::Fault;

use crate::environment;
use crate::failure::exit_codes;
use crate::output::Destination;
#[cfg(feature = "tables")]
pub(crate) use cohort_options::{CohortCommand, CohortOptions, CoverageOptions, ExportOptions, PlanOptions, RemoveOptions, SyncOptions};
pub(crate) use connection::{Connection, Format};
pub(crate) use day::Day;
use day::{date_candidates, parse_day};
pub(crate) use error_kind::ExplainedKind;
use error_kind::parse_kind;
pub(crate) use examples::examples;
pub(crate) use range::{Bound, PartOptions};
pub(crate) use resource_options::{
    IntegrationsCommand, LabsCommand, NutritionCommand, SecretSource, TimeRange, TokenOptions, VerifyOptions, WebhookCommand,
    WebhookKindOption,
};
pub(crate) use sandbox_options::{Processing, SandboxOptions};
pub(crate) use stats::{DailyOptions, IntervalOptions, StatisticsFilter, StatsCommand};
use tables::HIDE_TABLE_OPTIONS;
pub(crate) use tables::{ColumnOptions, MealTable, NightTable};
pub(crate) use upload::{ALL, MealUpload, ReportUpload, WaitOptions};

/// Call a health data service, or run a local sandbox with synthetic data for development.
#[derive(Debug, Parser)]
#[command(name = "vitalwire", version)]
pub(crate) struct Cli {
    /// Use of colour in the output. `auto` uses it on terminals only, unless NO_COLOR, CLICOLOR or CLICOLOR_FORCE decide otherwise
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) connection: Connection,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Service(ServiceCommand),
    /// Export the data of many users to Parquet files
    #[cfg(feature = "tables")]
    #[command(subcommand)]
    Cohort(CohortCommand),
    /// Write the records of many users that were added, changed or removed since the last sync
    ///
    /// Requests new days and the look-back, and compares their records with the states of the last sync. A first sync reads the newest
    /// days first. After an interruption, the next sync may repeat changes, but loses none, so the command can run from cron. A change
    /// has `user`, `kind`, `change` (added, changed, removed or day_removed), `id`, `day`, content keys `before` and `after`, and `rows`.
    /// Insert or replace records by their id. For `day_removed`, remove all records of the user, kind and day; the records that still
    /// exist follow.
    #[cfg(feature = "tables")]
    Sync(SyncOptions),
    /// Verify webhook signatures locally, without a request
    #[command(subcommand)]
    Webhook(WebhookCommand),
    /// Print the completion script for a shell
    ///
    /// The script calls `vitalwire`, which must be on the PATH. For bash: `source <(vitalwire completions bash)`.
    Completions {
        /// Shell that runs the script
        shell: Shell,
    },
    /// Print the manual page, or write one page per command
    Man {
        /// Write the pages to this folder. Creates it if it is missing
        #[arg(long = "dir", value_name = "FOLDER")]
        directory: Option<PathBuf>,
    },
    /// Print the licences of this program and its dependencies
    Licenses,
    /// Explain an error: what it means, and what to do
    ///
    /// The error types of all languages have the number. Messages of this program have it with `--format json`.
    Explain {
        /// Number or name of the error in any language, such as 1201, not_found or NotFoundError. Without it, explains all
        #[arg(value_parser = parse_kind)]
        kind: Option<ExplainedKind>,
    },
    /// Start a sandbox and call every part of the service
    ///
    /// All data is synthetic.
    Demo,
    /// Run a local service with synthetic data
    ///
    /// Prints the addresses, tokens and calls to try, then serves until Ctrl-C.
    Sandbox(ServeOptions),
    /// Forward requests to a service and record every exchange
    ///
    /// In the recording, credentials and ids are replaced with placeholders. It contains health data and free text unchanged.
    Record(RecordOptions),
}

/// Options of `record`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RecordOptions {
    /// Empty or new folder for the recording: one file per exchange
    #[arg(long, value_name = "FOLDER")]
    pub(crate) to: PathBuf,
    /// Loopback address and port to listen on. Port 0 picks a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub(crate) bind: String,
}

/// Commands that call a service.
#[derive(Debug, Subcommand)]
pub(crate) enum ServiceCommand {
    /// Show who the user is and which providers are connected
    User,
    /// Show the user's properties, such as birth date, time zone and height
    ///
    /// Height is in metres, body fat in %, the resting heart rate in bpm. The service states no unit for weight and bone mass.
    Properties,
    /// Show one night: sleep stages, heart rate and other values
    ///
    /// The default format shows durations in hours and minutes; every other format has milliseconds. Heart rates are in bpm, heart rate
    /// variability in milliseconds, temperatures in degrees Celsius.
    Sleep {
        /// Id of the sleep, as printed by `vitalwire stats daily --types sleep_duration_total --record-ids`. Without an id,
        /// shows last night
        id: Option<String>,
        /// Show the longest sleep that ended on this local date. Accepts a date such as 2025-11-21, today, yesterday or -2d (2 days ago).
        /// Other sleeps of that date (naps, other devices) are listed below it. Makes one request to find the sleeps and
        /// one for each sleep
        #[arg(long, value_name = "DATE", value_parser = parse_day, allow_hyphen_values = true, conflicts_with = "id")]
        #[arg(add = date_candidates())]
        date: Option<Day>,
        /// Table to write with csv, parquet and arrow [default: stages]
        #[arg(long, hide = HIDE_TABLE_OPTIONS)]
        table: Option<NightTable>,
    },
    /// Show statistics by day or by hour
    #[command(subcommand)]
    Stats(StatsCommand),
    /// List, upload, change and delete meals
    #[command(subcommand)]
    Nutrition(NutritionCommand),
    /// List, upload and read laboratory reports
    #[command(subcommand)]
    Labs(LabsCommand),
    /// Connect, list and disconnect data providers
    #[command(subcommand)]
    Integrations(IntegrationsCommand),
    /// Show the benefits of an insurance policy, from the care service
    Benefits {
        /// Id of the clinic
        clinic: String,
        /// Id of the patient at this clinic
        patient: String,
        /// Id of the patient's insurance policy
        policy: String,
    },
    /// Print a bearer token for one user
    ///
    /// Keys and signatures are read from environment variables and files. They cannot be passed as arguments, because other users of
    /// this machine can read command-line arguments.
    Token(TokenOptions),
}

impl ServiceCommand {
    /// Whether an option selects one of the response's tables.
    fn selects_table(&self) -> bool {
        match self {
            Self::Sleep { table, .. } => table.is_some(),
            Self::Nutrition(NutritionCommand::List { table, .. } | NutritionCommand::Get { table, .. }) => table.is_some(),
            _ => false,
        }
    }

    /// Returns an error text if options of the command contradict each other.
    fn contradiction(&mut self, destination: &Destination) -> Option<&'static str> {
        match self {
            Self::Nutrition(NutritionCommand::Upload(options)) => options.wait_options.contradiction(),
            Self::Labs(LabsCommand::Upload(options)) => options.wait_options.contradiction(),
            other => other.part_options_mut().and_then(|part_options| part_options.contradiction(destination)),
        }
    }

    /// Returns the options for a range, if the command reads one.
    pub(crate) fn part_options_mut(&mut self) -> Option<&mut PartOptions> {
        match self {
            Self::Nutrition(NutritionCommand::List { range, .. }) | Self::Labs(LabsCommand::List(range)) => Some(&mut range.part_options),
            Self::Stats(StatsCommand::Daily(options)) => Some(&mut options.part_options),
            Self::Stats(StatsCommand::Interval(options)) => Some(&mut options.part_options),
            _ => None,
        }
    }
}

/// Options of `sandbox`.
#[derive(Args, Debug)]
pub(crate) struct ServeOptions {
    /// Loopback address and port to listen on. Port 0 picks a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub(crate) bind: String,
    /// Send webhooks of all kinds to this plain http URL. The host must be this machine or a host of --allow-host
    #[arg(long, value_name = "URL")]
    pub(crate) webhook_url: Option<String>,
    /// Let the sandbox download pictures from this host and send webhooks to it. Can be repeated
    #[arg(long, value_name = "HOST[:PORT]")]
    pub(crate) allow_host: Vec<String>,
    /// Replay a folder written by `vitalwire record` instead of synthetic data. Requests are matched by path and query
    #[arg(long, value_name = "FOLDER")]
    pub(crate) replay: Option<PathBuf>,
    /// Print one line of JSON when ready, then serve until stdin closes or Ctrl-C. For programs that start a sandbox
    #[arg(long)]
    pub(crate) ready_json: bool,
    /// Inject a fault into the next matching requests. Example: "status; status=503; times=2; operation=get_user_info". Can be repeated.
    /// The sandbox's web page lists all faults
    #[arg(long = "fault", value_name = "FAULT")]
    pub(crate) faults: Vec<Fault>,
}

impl Cli {
    /// Applies the choice of colour to the whole program.
    pub(crate) fn apply_color(&self) {
        let choice = match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }

    /// Returns the definition of the command line, with examples in the help of every command.
    pub(crate) fn definition() -> clap::Command {
        examples::add_examples(Self::command(), "", &format!("{}\n\n{}", environment::help(), exit_codes()))
    }

    /// Parses the command line and rejects options that contradict each other.
    pub(crate) fn parse_arguments() -> Result<Self, clap::Error> {
        let mut definition = Self::definition();
        let matches = definition.try_get_matches_from_mut(std::env::args_os())?;
        let mut cli = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))?;
        let format_of_file = cli.connection.destination.output.as_deref().and_then(Format::of_file);
        let format_of_file = match cli.command {
            Command::Service(_) | Command::Explain { .. } => format_of_file,
            #[cfg(feature = "tables")]
            Command::Cohort(_) => format_of_file,
            // Other formats apply to the changes, which are not written to this file.
            #[cfg(feature = "tables")]
            Command::Sync(_) => format_of_file.filter(|format| *format == Format::Json),
            _ => None,
        };
        cli.connection.format = cli.connection.format.or(format_of_file);
        let contradiction = match &mut cli.command {
            Command::Webhook(_) | Command::Completions { .. } | Command::Man { .. } | Command::Licenses | Command::Explain { .. }
                if cli.connection.is_given() =>
            {
                Some("this command calls no service: remove the options that select one")
            }
            Command::Completions { .. } | Command::Man { .. } | Command::Licenses if cli.connection.format.is_some() => {
                Some("this command has a format of its own: remove --format")
            }
            Command::Explain { .. } if cli.connection.exports_table() => {
                Some("this command prints text or JSON: use --format table or json")
            }
            Command::Man { directory: Some(_) } if cli.connection.destination.is_given() => {
                Some("--dir selects the destination: remove --output")
            }
            Command::Webhook(WebhookCommand::Verify(options)) => {
                options.contradiction().or_else(|| cli.connection.destination.contradiction())
            }
            Command::Completions { .. } | Command::Man { .. } | Command::Licenses | Command::Explain { .. } => {
                cli.connection.destination.contradiction()
            }
            #[cfg(feature = "tables")]
            Command::Cohort(command) if !command.reads_users() && cli.connection.is_given() => {
                Some("this command reads a folder: remove the options that select a service")
            }
            #[cfg(feature = "tables")]
            Command::Cohort(_) => cli.connection.cohort_contradiction(),
            #[cfg(feature = "tables")]
            Command::Sync(_) => cli.connection.sync_contradiction(),
            Command::Record(_) if cli.connection.format.is_some() || cli.connection.destination.is_given() => {
                Some("this command records into a folder: remove --format and --output")
            }
            Command::Record(_) => cli.connection.contradiction(),
            Command::Demo | Command::Sandbox(_) => cli.connection.own_sandbox_contradiction(),
            Command::Service(ServiceCommand::Token(options)) if !cli.connection.sandbox && !options.is_complete() => {
                Some("the ids of an application and a user, and a signature or key are required without --sandbox")
            }
            Command::Service(service) if service.selects_table() && !cli.connection.exports_table() => {
                Some("--table applies to csv, parquet and arrow: add --format")
            }
            Command::Service(service) => service.contradiction(&cli.connection.destination).or_else(|| cli.connection.contradiction()),
        };
        match contradiction {
            Some(reason) => Err(contradiction_error(&mut definition, &matches, reason)),
            None => Ok(cli),
        }
    }
}

/// Returns an error with the usage of the command that was used.
fn contradiction_error(definition: &mut clap::Command, matches: &ArgMatches, reason: &str) -> clap::Error {
    if let Some((name, below)) = matches.subcommand()
        && let Some(command) = definition.find_subcommand_mut(name)
    {
        return contradiction_error(command, below, reason);
    }
    definition.error(ErrorKind::ArgumentConflict, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::definition().debug_assert();
    }

    #[test]
    fn every_command_argument_and_option_is_described() {
        fn check(command: &clap::Command, path: &str) {
            assert!(command.get_about().is_some(), "{path}");
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{path} {}", argument.get_id());
            }
            let minimum = usize::from(cfg!(feature = "tables")) + 1;
            assert!(examples(path.trim_start()).count() >= minimum, "{path} has too few examples");
            // A line that wraps on a terminal of 80 columns cannot be copied.
            assert!(examples(path.trim_start()).all(|example| example.len() <= 78), "{path} has a long example");
            for below in command.get_subcommands() {
                check(below, &format!("{path} {}", below.get_name()));
            }
        }
        check(&Cli::definition(), "");
    }
}
