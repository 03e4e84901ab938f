//! `sleeps.between`, a call that is not an operation. It finds nights in daily statistics and then reads them.

use super::{Ir, Operation, Param};

/// Resource that has the call.
pub const GROUP: &str = "sleeps";

/// Name of the method.
pub const METHOD: &str = "between";

/// First sentence of its documentation.
pub const SUMMARY: &str = "Finds the sleeps and naps of a range of days, each with the days to which it counts.";

/// Further documentation: how the sleeps are found.
pub const DETAILS: &str = "No operation lists sleeps. Daily statistics of `sleep_duration_total` have the ids of the records behind \
                         each day, and `get` reads each record. Ids without a record are left out and counted. A sleep of \
                         several days is returned once.";

/// Bounds of the range, with their documentation. No operation has parameters of these names.
pub const BOUNDS: [(&str, &str); 2] = [("first", "First day."), ("last", "Last day, inclusive.")];

/// Parameters of the operations that the call consists of.
const PARAMETERS: [(&str, &[&str]); 2] =
    [("get_sleep", &["include_stages", "include_samples"]), ("daily_statistics", &["providers", "exclude_manual"])];

impl Ir {
    /// Returns the parameters besides the bounds, each with the operation that it belongs to.
    pub fn night_params(&self) -> Vec<(&Operation, &Param)> {
        let parameters = |(id, names): &(&str, &'static [&'static str])| {
            let operation = self.operation(id)?;
            let params = names.iter().filter_map(|name| operation.params.iter().find(|param| param.member.wire == *name));
            Some(params.map(move |param| (operation, param)).collect::<Vec<_>>())
        };
        PARAMETERS.iter().filter_map(parameters).flatten().collect()
    }
}
