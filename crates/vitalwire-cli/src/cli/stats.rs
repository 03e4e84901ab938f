//! Options of `stats`.

use clap::{Args, Subcommand};
use vitalwire::open_sets::{DeviceType, ProviderSlug, StatisticName};
use vitalwire::operations::StatisticsIntervalParams;

use super::day::{Day, date_candidates, parse_day};
use super::name_parser::NameParser;
use super::range::{Bound, PartOptions, parse_bound};

/// Commands of `stats`.
#[derive(Debug, Subcommand)]
pub(crate) enum StatsCommand {
    /// Show one value per day
    ///
    /// A day runs from midnight to midnight in the user's local time. The default format shows units beside the names. In every other
    /// format, durations and heart rate variability are in milliseconds, and distances in metres. Energy is in kcal, heart rates in bpm and
    /// temperatures in degrees Celsius.
    Daily(DailyOptions),
    /// Show one value per hour
    ///
    /// Hours are shown in --time-zone if it is given. Otherwise they are in the user's time zone if --from or --to is a date, and in UTC if
    /// not. The default format shows units beside the names. In
    /// every other format, durations and heart rate variability are in milliseconds, and distances in metres. Energy is in kcal, heart
    /// rates in bpm and temperatures in degrees Celsius.
    Interval(IntervalOptions),
}

/// Options that choose statistics.
#[derive(Args, Debug, Default)]
pub(crate) struct StatisticsFilter {
    /// Names of statistics, such as steps,heartrate. Unknown names are sent to the service unchanged. Defaults to all names
    /// listed here
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = NameParser::for_set::<StatisticName>())]
    pub(crate) types: Vec<String>,
    /// Use only data of these providers. Unknown names are sent to the service unchanged. Defaults to all providers
    #[arg(long, value_name = "PROVIDER,...", value_delimiter = ',', value_parser = NameParser::for_set::<ProviderSlug>())]
    pub(crate) providers: Vec<String>,
    /// Use only data of these device types. The only documented type is `unknown`. Other names are sent to the service unchanged. Defaults
    /// to all device types
    #[arg(long, hide_possible_values = true, value_name = "TYPE,...", value_delimiter = ',')]
    #[arg(value_parser = NameParser::for_set::<DeviceType>())]
    pub(crate) device_types: Vec<String>,
    /// Leave out manual entries
    #[arg(long)]
    pub(crate) exclude_manual: bool,
    /// Also show the ids of the records behind each value. Pass the id of a sleep to `vitalwire sleep`
    #[arg(long)]
    pub(crate) record_ids: bool,
}

/// Options of `stats daily`.
#[derive(Args, Debug)]
pub(crate) struct DailyOptions {
    #[command(flatten)]
    pub(crate) filter: StatisticsFilter,
    /// First day: a date such as 2025-11-21, today, yesterday or -14d (14 days ago). Defaults to 13 days before --to
    #[arg(long, value_name = "DATE", value_parser = parse_day, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) from: Option<Day>,
    /// Last day, inclusive: a date such as 2025-11-21, today, yesterday or -1d. Defaults to yesterday in the user's time zone, the last
    /// complete day
    #[arg(long, value_name = "DATE", value_parser = parse_day, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) to: Option<Day>,
    #[command(flatten)]
    pub(crate) part_options: PartOptions,
}

/// Options of `stats interval`.
#[derive(Args, Debug)]
#[command(mut_arg("types", |types| types.value_parser(NameParser::new(StatisticsIntervalParams::KNOWN_TYPES))))]
pub(crate) struct IntervalOptions {
    #[command(flatten)]
    pub(crate) filter: StatisticsFilter,
    /// Start: a time such as 2025-11-20T22:00:00Z, or a date such as 2025-11-20, yesterday or -2d. A date starts at midnight in
    /// --time-zone, or in the user's time zone without that option. Defaults to 24 hours before the end
    #[arg(long, value_name = "DATE|DATE-TIME", value_parser = parse_bound, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) from: Option<Bound>,
    /// End: a time (exclusive) or a date (inclusive), such as 2025-11-20, today or -1d. Dates use the same time zone as --from. Defaults to
    /// the last full hour
    #[arg(long, value_name = "DATE|DATE-TIME", value_parser = parse_bound, allow_hyphen_values = true, add = date_candidates())]
    pub(crate) to: Option<Bound>,
    #[command(flatten)]
    pub(crate) part_options: PartOptions,
}
