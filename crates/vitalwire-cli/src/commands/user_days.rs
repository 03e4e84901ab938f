//! The days that a command's dates mean.

use vitalwire::ErrorKind;
use vitalwire::value::Date;

use super::session::Session;
use crate::cli::Day;
use crate::days::Days;
use crate::failure::{Failure, note};
use crate::progress::asked;

/// The zone of the days of a range, behind a sentence about it.
pub(super) fn zone_of(days: Option<&Days>) -> String {
    days.map_or_else(String::new, |days| format!("; days in {days}"))
}

impl Session {
    /// The days that dates of the command line mean: in `--time-zone`, or in the zone of the user's properties. Says if they are in UTC
    /// because no zone is known.
    pub(super) async fn days(&self) -> Result<Days, Failure> {
        let days = self.known_days().await?;
        Ok(days.unwrap_or_else(|| {
            note("the service does not state the user's time zone: days are in UTC; --time-zone sets another");
            Days::utc()
        }))
    }

    /// The present day of the user, or that in UTC if the service cannot tell the user's zone.
    pub(super) async fn today(&self) -> Result<Date, Failure> {
        let days = match self.known_days().await {
            Err(Failure::Call(error)) if error.kind() == ErrorKind::Service => None,
            known => known?,
        };
        Ok(days.unwrap_or_else(Days::utc).date(self.now()))
    }

    /// The date of a day. The user's zone is requested only for days that count from today.
    pub(super) async fn date(&self, day: Day) -> Result<Date, Failure> {
        let today = if day.is_relative() { self.today().await? } else { Date::default() };
        Ok(day.date(today))
    }

    /// The days of `--time-zone`, if it is given.
    pub(super) fn stated_days(&self) -> Result<Option<Days>, Failure> {
        let unknown =
            || Failure::Usage("no time zone has this name", "--time-zone takes a name such as Europe/Berlin, or an offset such as +02:00");
        self.columns.time_zone.as_deref().map(|name| Days::of_zone(name).ok_or_else(unknown)).transpose()
    }

    async fn known_days(&self) -> Result<Option<Days>, Failure> {
        if let Some(days) = self.stated_days()? {
            return Ok(Some(days));
        }
        match asked(self.client.user().properties().cancel_token(&self.stop).send()).await {
            Ok(answer) => Ok(answer.properties.as_ref().and_then(|properties| Days::of_zone(properties.timezone.as_deref()?))),
            // The service has no properties of this user, or others than the interface describes.
            Err(error) => match error.kind() {
                ErrorKind::NotFound
                | ErrorKind::Permission
                | ErrorKind::InvalidRequest
                | ErrorKind::UnexpectedStatus
                | ErrorKind::Decode => Ok(None),
                _ => Err(error.into()),
            },
        }
    }
}
