//! Serialization of dates as text, for `#[serde(with)]`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

use crate::value::Date;

pub(super) fn serialize<S: Serializer>(date: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(date)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(|_| D::Error::custom("must be a date, such as 2025-01-31"))
}
