//! Synthetic people: pure functions of seed, population, user and day, without storage or clock.

pub(crate) mod bucket;
pub(crate) mod day;
pub(crate) mod delivery;
pub(crate) mod device;
pub(crate) mod effects;
mod episodes;
pub(crate) mod history;
pub(crate) mod hours;
pub(crate) mod manual_entries;
pub(crate) mod night;
mod place;
#[cfg(test)]
pub(crate) mod plausibility;
pub(crate) mod population;
pub(crate) mod profile;
pub(crate) mod records;
mod responses;
pub(crate) mod samples;
pub(crate) mod source;
pub(crate) mod stat;
pub(crate) mod values;
