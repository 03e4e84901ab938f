//! Serialization of dates as text, for `#[serde(with)]`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};
use vitalwire::value::Date;

pub(crate) fn serialize<S: Serializer>(date: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(date)
}

/// Serialization of optional dates.
pub(crate) mod option {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use vitalwire::value::Date;

    #[derive(Serialize, Deserialize)]
    struct Text(#[serde(with = "super")] Date);

    pub(crate) fn serialize<S: Serializer>(date: &Option<Date>, serializer: S) -> Result<S::Ok, S::Error> {
        date.map(Text).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
        Ok(Option::<Text>::deserialize(deserializer)?.map(|Text(date)| date))
    }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(|_| D::Error::custom("must be a date, such as 2025-01-31"))
}
