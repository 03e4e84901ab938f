//! The command line: commands, options, and what they accept.

mod connection;
mod more;
mod names;
mod range;
mod stats;
mod tables;
mod upload;
mod world;

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use vitalwire::value::Date;
use vitalwire_sandbox::Fault;

use crate::failure::EXIT_CODES;
use crate::output::Destination;
pub(crate) use connection::{Connection, Format};
pub(crate) use more::{Integrations, Kind, Labs, Nutrition, Source, TimeRange, Token, TokenOptions, Verify, Webhook};
pub(crate) use range::{Bound, InParts};
pub(crate) use stats::{Daily, Filter, Interval, Stats};
use tables::HIDDEN;
pub(crate) use tables::{Columns, MealTable, NightTable};
pub(crate) use upload::{ALL, MealUpload, Patience, ReportUpload};
pub(crate) use world::{Processing, World};

/// Reads from a health data service, walks through it, or serves a synthetic one to develop against.
#[derive(Debug, Parser)]
#[command(name = "vitalwire", version, after_help = EXIT_CODES, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// When to colour the output. `auto` follows NO_COLOR and CLICOLOR, and colours only on a terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    #[command(flatten)]
    pub(crate) connection: Connection,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Service(Service),
    /// Verify webhooks; calls no service
    #[command(subcommand)]
    Webhook(Webhook),
    /// Print the completion script of a shell
    Completions { shell: Shell },
    /// Print the manual page, or write the pages of all commands into a directory
    Man {
        /// An existing directory
        #[arg(long = "dir", value_name = "DIR")]
        directory: Option<PathBuf>,
    },
    /// Print the licences of this program and of all its dependencies
    Licenses,
    /// Start a sandbox and walk the whole service through the client, over real HTTP. All data is synthetic
    Demo,
    /// Run a sandbox until Ctrl-C. All data is synthetic
    Sandbox(Serve),
    /// Pass requests on to a service, and record every exchange. Credentials and ids are replaced; health data and free text are not
    Record(Record),
}

/// Where a recording goes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Record {
    /// An empty or new folder, which gets a file for each exchange
    #[arg(long, value_name = "FOLDER")]
    pub(crate) to: PathBuf,
    /// Address to listen on, of this machine alone
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub(crate) bind: String,
}

/// What to ask a service.
#[derive(Debug, Subcommand)]
pub(crate) enum Service {
    /// Who the user is, and which providers are connected
    User,
    /// The user's properties: birth date, time zone, height and the like
    Properties,
    /// One night: stages, heart rate and the other fields of its record
    Sleep {
        /// The id of the sleep, as `stats daily --types sleep_duration_total --record-ids` prints it. Optional with --sandbox: last night
        id: Option<String>,
        /// The longest sleep of this date, which is the date of its morning in the user's local time. Other sleeps of that date (naps, other
        /// devices) are listed below it. One call finds them, and each is read by a call of its own
        #[arg(long, value_name = "YYYY-MM-DD", value_parser = stats::date, conflicts_with = "id")]
        date: Option<Date>,
        /// Which table of the night csv, parquet and arrow write [default: stages]
        #[arg(long, hide = HIDDEN)]
        table: Option<NightTable>,
    },
    /// Statistics, drawn as small bars
    #[command(subcommand)]
    Stats(Stats),
    /// Meals
    #[command(subcommand)]
    Nutrition(Nutrition),
    /// Laboratory reports
    #[command(subcommand)]
    Labs(Labs),
    /// Providers connected to the user
    #[command(subcommand)]
    Integrations(Integrations),
    /// The benefits of an insurance policy, from the care service
    Benefits { clinic: String, patient: String, policy: String },
    /// Print a bearer token for one user. Keys and signatures are never arguments: other users of this machine could read them
    Token(TokenOptions),
}

impl Service {
    /// Whether it is said which of an answer's tables is wanted.
    fn names_a_table(&self) -> bool {
        match self {
            Self::Sleep { table, .. } => table.is_some(),
            Self::Nutrition(Nutrition::List { table, .. } | Nutrition::Get { table, .. }) => table.is_some(),
            _ => false,
        }
    }

    /// Why options of the command itself cannot be meant together.
    fn contradiction(&self, destination: &Destination) -> Option<&'static str> {
        match self {
            Self::Nutrition(Nutrition::Upload(options)) => options.waiting.contradiction(),
            Self::Labs(Labs::Upload(options)) => options.waiting.contradiction(),
            other => other.in_parts().and_then(|in_parts| in_parts.contradiction(destination)),
        }
    }

    /// How a range is read, if the command reads one.
    fn in_parts(&self) -> Option<&InParts> {
        match self {
            Self::Nutrition(Nutrition::List { range, .. }) | Self::Labs(Labs::List(range)) => Some(&range.in_parts),
            Self::Stats(Stats::Daily(options)) => Some(&options.in_parts),
            Self::Stats(Stats::Interval(options)) => Some(&options.in_parts),
            _ => None,
        }
    }

    /// The same, to be completed.
    pub(crate) fn in_parts_mut(&mut self) -> Option<&mut InParts> {
        match self {
            Self::Nutrition(Nutrition::List { range, .. }) | Self::Labs(Labs::List(range)) => Some(&mut range.in_parts),
            Self::Stats(Stats::Daily(options)) => Some(&mut options.in_parts),
            Self::Stats(Stats::Interval(options)) => Some(&mut options.in_parts),
            _ => None,
        }
    }
}

/// Options of `sandbox`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// Where to listen: a loopback address and a port, 0 for a free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    pub(crate) bind: String,
    /// Send webhooks of all kinds to this URL: plain http, on this machine or a host of --allow-host
    #[arg(long, value_name = "URL")]
    pub(crate) webhook_url: Option<String>,
    /// Allow the sandbox to reach another host, for picture URLs and webhooks. May be repeated
    #[arg(long, value_name = "HOST[:PORT]")]
    pub(crate) allow_host: Vec<String>,
    /// Answer with the exchanges that `vitalwire record` wrote into a folder, by path and query, instead of the sandbox's own data
    #[arg(long, value_name = "FOLDER")]
    pub(crate) replay: Option<PathBuf>,
    /// Print one line of JSON when ready, then serve until stdin closes (or Ctrl-C). For programs that start a sandbox
    #[arg(long)]
    pub(crate) ready_json: bool,
    /// Enable a fault for the next matching request: "status; status=503; times=2; operation=get_user_info". May be repeated. The
    /// sandbox's page lists all faults
    #[arg(long = "fault", value_name = "FAULT")]
    pub(crate) faults: Vec<Fault>,
}

impl Cli {
    /// Reads the command line, and refuses what cannot be meant together.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let cli = Self::try_parse()?;
        let refused = match &cli.command {
            Command::Webhook(_) | Command::Completions { .. } | Command::Man { .. } | Command::Licenses if cli.connection.is_given() => {
                Some("this command calls no service: options that name one cannot go with it")
            }
            Command::Completions { .. } | Command::Man { .. } | Command::Licenses if cli.connection.format.is_some() => {
                Some("this command prints a text of its own: --format cannot go with it")
            }
            Command::Man { directory: Some(_) } if cli.connection.destination.is_given() => {
                Some("--dir says where the pages go: --output cannot go with it")
            }
            Command::Webhook(Webhook::Verify(options)) => options.contradiction().or_else(|| cli.connection.destination.contradiction()),
            Command::Completions { .. } | Command::Man { .. } | Command::Licenses => cli.connection.destination.contradiction(),
            Command::Record(_) if cli.connection.format.is_some() || cli.connection.destination.is_given() => {
                Some("this command records into a folder: --format and --output cannot go with it")
            }
            Command::Record(_) => cli.connection.contradiction(),
            Command::Demo | Command::Sandbox(_) => cli.connection.out_of_place(),
            Command::Service(Service::Sleep { id: None, date: None, .. }) if !cli.connection.sandbox => {
                Some("the id of a sleep is needed, or --date (only --sandbox knows a last night)")
            }
            Command::Service(Service::Token(options)) if !cli.connection.sandbox && !options.is_complete() => {
                Some("the ids of an application and a user, and a signature or key are needed (only --sandbox has its own)")
            }
            Command::Service(service) if service.names_a_table() && !cli.connection.is_for_programs() => {
                Some("--table applies to csv, parquet and arrow: add --format")
            }
            Command::Service(service) => service.contradiction(&cli.connection.destination).or_else(|| cli.connection.contradiction()),
        };
        match refused {
            Some(reason) => Err(Self::command().error(ErrorKind::ArgumentConflict, reason)),
            None => Ok(cli),
        }
    }
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Decides for the whole program.
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
