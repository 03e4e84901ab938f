//! Synthetic people: pure functions of seed, user and day, without storage or clock.

pub(crate) mod bucket;
pub(crate) mod day;
pub(crate) mod device;
pub(crate) mod history;
pub(crate) mod hours;
pub(crate) mod manual_entries;
pub(crate) mod night;
#[cfg(test)]
mod plausibility;
pub(crate) mod profile;
pub(crate) mod records;
pub(crate) mod samples;
pub(crate) mod source;
pub(crate) mod stat;
pub(crate) mod values;
