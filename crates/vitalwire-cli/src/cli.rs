//! The command line: commands, options, and what they accept.

use std::fmt;

use clap::{Args, Parser, Subcommand, ValueEnum};
use jiff::civil;

use crate::failure::EXIT_CODES;

/// Walks through a health data service, or serves a synthetic one to develop against.
#[derive(Debug, Parser)]
#[command(name = "vitalwire", version, after_help = EXIT_CODES, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// Whether to colour what is printed. `auto` follows NO_COLOR, CLICOLOR and whether a terminal listens
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start a sandbox and walk the whole service through the client, over real HTTP. All data is synthetic
    Demo(World),
    /// Serve the sandbox until Ctrl-C. All data is synthetic
    Sandbox(Serve),
}

/// Which synthetic people there are, and what day it is for them.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct World {
    /// Decides every number, id, key and token
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop the sandbox's clock at noon UTC of this date (2020-02-01 to 2199-12-31); without it, the machine's clock
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = today)]
    pub(crate) today: Option<civil::Date>,
}

/// Options of `sandbox`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) world: World,
    /// Where to listen: a loopback address and a port, 0 for a free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    pub(crate) bind: String,
    /// Print one line of JSON when ready, then serve until stdin closes (or Ctrl-C). For programs that start a sandbox
    #[arg(long)]
    pub(crate) ready_json: bool,
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

/// The first date for `--today`: the people have data from a month before it.
const FIRST: civil::Date = civil::date(2020, 2, 1);
/// The last one. Any date would do; this one keeps typing errors out.
const LAST: civil::Date = civil::date(2199, 12, 31);

/// Why a date is refused.
#[derive(Debug, PartialEq, Eq)]
enum NotToday {
    NoDate,
    OutOfRange,
}

impl fmt::Display for NotToday {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDate => f.write_str("not a date such as 2025-11-21"),
            Self::OutOfRange => write!(f, "the synthetic people live from {FIRST} to {LAST}"),
        }
    }
}

impl std::error::Error for NotToday {}

/// Reads `--today` with the client's strict date: `YYYY-MM-DD` and nothing else.
fn today(text: &str) -> Result<civil::Date, NotToday> {
    let date = text.parse::<vitalwire::value::Date>().map_err(|_| NotToday::NoDate)?.jiff();
    if (FIRST..=LAST).contains(&date) { Ok(date) } else { Err(NotToday::OutOfRange) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn today_is_a_whole_date_with_data() {
        assert_eq!(today("2025-11-21"), Ok(civil::date(2025, 11, 21)));
        assert_eq!(today("2020-02-01"), Ok(FIRST));
        assert_eq!(today("2020-01-31"), Err(NotToday::OutOfRange));
        assert_eq!(today("2200-01-01"), Err(NotToday::OutOfRange));
        for text in ["", "today", "2025-11-31", "2025-11-21T00:00", "21.11.2025"] {
            assert_eq!(today(text), Err(NotToday::NoDate), "{text}");
        }
    }
}
