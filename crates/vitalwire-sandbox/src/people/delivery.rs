//! [`Deliveries`]: people whose data arrives late, never, or only from a day on.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::profile::seeded_id;

/// Allowed numbers of days.
const DAYS: RangeInclusive<i64> = 1..=3_650;

/// When the data of a person arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delivery {
    /// The data of a day arrives this many days later, at midnight in the person's time zone.
    Late(i64),
    /// No data ever arrives.
    Absent,
    /// Number of days with data, up to and including the date on which the sandbox started. Later days have data, too.
    New(i64),
}

impl Delivery {
    /// Returns the first day with data, in a sandbox that started on a date.
    pub(crate) fn first_day(self, started: Date) -> Date {
        match self {
            Self::Late(_) => Date::MIN,
            Self::Absent => Date::MAX,
            Self::New(days) => started.saturating_sub((days - 1).days()),
        }
    }

    /// Returns the days until data arrives.
    pub(crate) fn late_days(self) -> i64 {
        if let Self::Late(days) = self { days } else { 0 }
    }
}

impl FromStr for Delivery {
    type Err = DeliveryError;

    fn from_str(text: &str) -> Result<Self, DeliveryError> {
        let days = |text: &str| text.parse().ok().filter(|days| DAYS.contains(days));
        let found = match text.split_once(':') {
            Some(("late", text)) => days(text).map(Self::Late),
            Some(("new", text)) => days(text).map(Self::New),
            Some(_) => None,
            None => (text == "absent").then_some(Self::Absent),
        };
        found.ok_or(DeliveryError)
    }
}

/// Writes the form that [`FromStr`] parses.
impl fmt::Display for Delivery {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late(days) => write!(formatter, "late:{days}"),
            Self::Absent => formatter.write_str("absent"),
            Self::New(days) => write!(formatter, "new:{days}"),
        }
    }
}

/// Deliveries by user id. The data of all other people is complete and on time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deliveries(BTreeMap<String, Delivery>);

impl Deliveries {
    /// Sets the delivery of a user.
    #[must_use]
    pub fn with(mut self, user_id: impl Into<String>, delivery: Delivery) -> Self {
        self.0.insert(user_id.into(), delivery);
        self
    }

    /// Whether a user is not one of this number of people.
    pub(crate) fn has_other_user(&self, people: usize) -> bool {
        self.0.keys().any(|user_id| (1..=people).all(|number| seeded_id(number) != *user_id))
    }

    /// Returns the delivery of a user.
    pub(crate) fn of(&self, user_id: &str) -> Option<Delivery> {
        self.0.get(user_id).copied()
    }
}

/// Parses a list such as `person-2=late:3,person-3=absent,person-4=new:14`.
impl FromStr for Deliveries {
    type Err = DeliveryError;

    fn from_str(text: &str) -> Result<Self, DeliveryError> {
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).try_fold(Self::default(), |all, item| {
            let (user_id, delivery) = item.rsplit_once('=').filter(|(user_id, _)| !user_id.is_empty()).ok_or(DeliveryError)?;
            Ok(all.with(user_id, delivery.parse()?))
        })
    }
}

/// Writes the form that [`FromStr`] parses.
impl fmt::Display for Deliveries {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.0.iter().map(|(user_id, delivery)| format!("{user_id}={delivery}")).collect();
        formatter.write_str(&items.join(","))
    }
}

/// The text of a delivery is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryError;

impl fmt::Display for DeliveryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (DAYS.start(), DAYS.end());
        write!(formatter, "must be USER=late:DAYS, USER=absent or USER=new:DAYS, separated by commas, with {least} to {most} days")
    }
}

impl std::error::Error for DeliveryError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_parsed_and_written() {
        let text = "a=b=late:3,person-3=absent,person-4=new:3650";
        let parsed =
            Deliveries::default().with("a=b", Delivery::Late(3)).with("person-3", Delivery::Absent).with("person-4", Delivery::New(3_650));
        assert_eq!((text.parse(), parsed.to_string()), (Ok(parsed.clone()), text.to_owned()));
        assert_eq!("".parse(), Ok(Deliveries::default()));
        for wrong in ["person-2", "=absent", "a=late", "a=late:0", "a=late:3651", "a=new:-1", "a=absent:2", "a=gone", "a=late:1.5"] {
            assert_eq!(wrong.parse::<Deliveries>(), Err(DeliveryError), "{wrong}");
        }
    }
}
