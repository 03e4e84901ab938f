//! `sleeps.between`, which no operation is: nights are found by daily statistics, and then read.

use super::{Ir, Operation, Param};

/// The resource that has it.
pub const GROUP: &str = "sleeps";

/// Its name there.
pub const METHOD: &str = "between";

/// What it gives.
pub const SUMMARY: &str = "The sleeps of these days, naps among them, with the days that each counts to.";

/// How they are found.
pub const ABOUT: &str = "No operation lists sleeps: daily statistics of `sleep_duration_total` name the records behind each day, \
                         and each is read by `get`. An id that no sleep has is left out and counted; a sleep of several days is \
                         given once.";

/// The bounds, which no operation names so.
pub const BOUNDS: [(&str, &str); 2] = [("first", "First day."), ("last", "Last day; it belongs to the range.")];

/// The parameters that it takes of the operations it is made of.
const TAKEN: [(&str, &[&str]); 2] =
    [("get_sleep", &["include_stages", "include_samples"]), ("daily_statistics", &["providers", "exclude_manual"])];

impl Ir {
    /// What it takes besides its bounds, each with the operation it comes of.
    pub fn night_params(&self) -> Vec<(&Operation, &Param)> {
        let of = |(id, names): &(&str, &'static [&'static str])| {
            let operation = self.operations.iter().find(|operation| operation.id == *id)?;
            let params = names.iter().filter_map(|name| operation.params.iter().find(|param| param.member.wire == *name));
            Some(params.map(move |param| (operation, param)).collect::<Vec<_>>())
        };
        TAKEN.iter().filter_map(of).flatten().collect()
    }
}
