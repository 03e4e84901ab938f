//! Options of table formats.

use clap::{Args, ValueEnum};
#[cfg(feature = "tables")]
use vitalwire::Error;
use vitalwire::table::TableId;
#[cfg(feature = "tables")]
use vitalwire::table::{CsvOptions, Table, TimeUnit};

use crate::days::Days;

/// Whether options of tables are hidden from the help, because this program was built without the feature `tables`.
pub(super) const HIDE_TABLE_OPTIONS: bool = !cfg!(feature = "tables");

/// Help of `--time-zone`.
const TIME_ZONE: &str = if HIDE_TABLE_OPTIONS {
    "Time zone of days and local times, such as Europe/Berlin. Defaults to the zone of the user's properties"
} else {
    "Time zone of days and local times, such as Europe/Berlin. csv, parquet and arrow also contain columns with local times in this \
     zone. Defaults to the time zone in the user's properties; for those columns, to each record's UTC offset, if any"
};

/// Options of columns.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ColumnOptions {
    /// With csv, parquet and arrow: also write columns that are empty in every row
    #[arg(long, global = true, help_heading = "Output", hide = HIDE_TABLE_OPTIONS)]
    pub(crate) all_columns: bool,
    #[arg(long, global = true, value_name = "ZONE", value_parser = parse_time_zone, help_heading = "Output", help = TIME_ZONE)]
    pub(crate) time_zone: Option<String>,
    /// With parquet and arrow: unit of times. ns keeps all digits but only covers the years 1677 to 2262. Defaults to us
    #[arg(long, global = true, value_name = "UNIT", value_enum, help_heading = "Output", hide = HIDE_TABLE_OPTIONS)]
    pub(crate) time_unit: Option<TimeUnitOption>,
    /// With csv: put ' before text that begins with =, +, -, @, a tab or a line break. Prevents spreadsheets from running it as a formula
    #[arg(long, global = true, help_heading = "Output", hide = HIDE_TABLE_OPTIONS)]
    pub(crate) escape_formulas: bool,
    /// With csv: add units to the names of columns, such as `duration [ms]`
    #[arg(long, global = true, help_heading = "Output", hide = HIDE_TABLE_OPTIONS)]
    pub(crate) units: bool,
}

/// The units of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TimeUnitOption {
    /// Microseconds
    Us,
    /// Nanoseconds
    Ns,
}

#[cfg(feature = "tables")]
impl From<TimeUnitOption> for TimeUnit {
    fn from(unit: TimeUnitOption) -> Self {
        match unit {
            TimeUnitOption::Us => Self::Microsecond,
            TimeUnitOption::Ns => Self::Nanosecond,
        }
    }
}

impl ColumnOptions {
    /// Whether an option of columns is given.
    pub(super) fn is_given(&self) -> bool {
        self.all_columns || self.time_unit.is_some()
    }

    #[cfg(feature = "tables")]
    pub(crate) fn csv_options(&self) -> CsvOptions {
        CsvOptions::new().escape_formulas(self.escape_formulas).units(self.units)
    }

    /// Creates a table with these columns.
    #[cfg(feature = "tables")]
    pub(crate) fn apply(&self, mut table: Table) -> Result<Table, Error> {
        if self.all_columns {
            table = table.with_empty_columns();
        }
        if let Some(zone) = &self.time_zone {
            table = table.with_local_time(zone)?;
        }
        match self.time_unit {
            Some(unit) => table.with_time_unit(unit.into()),
            None => Ok(table),
        }
    }
}

fn parse_time_zone(name: &str) -> Result<String, &'static str> {
    if Days::in_zone(name).is_some() { Ok(name.to_owned()) } else { Err("no time zone has this name") }
}

/// The tables of a night.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum NightTable {
    /// One row per sleep stage
    #[default]
    Stages,
    /// One row per sample
    Samples,
    /// One row per sleep, with its fields and metrics. With --date: all sleeps of the date
    Sleeps,
}

/// The tables of meals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MealTable {
    /// One row per meal
    #[default]
    Records,
    /// One row per ingredient
    Ingredients,
}

impl From<NightTable> for TableId {
    fn from(table: NightTable) -> Self {
        match table {
            NightTable::Stages => Self::SleepStages,
            NightTable::Samples => Self::SleepSamples,
            NightTable::Sleeps => Self::Sleeps,
        }
    }
}

impl From<MealTable> for TableId {
    fn from(table: MealTable) -> Self {
        match table {
            MealTable::Records => Self::NutritionRecords,
            MealTable::Ingredients => Self::NutritionIngredients,
        }
    }
}
