//! The calendar days of the dates on the command line.

use vitalwire::ErrorKind;
use vitalwire::value::Date;

use super::session::Session;
use crate::cli::Day;
use crate::days::Days;
use crate::failure::{Failure, note};
use crate::progress::with_progress;

/// Returns a clause that names the time zone of a range's days.
pub(super) fn zone_clause(days: Option<&Days>) -> String {
    days.map_or_else(String::new, |days| format!("; days in {days}"))
}

impl Session {
    /// Returns the days in `--time-zone`, or in the time zone of the user's properties. Prints a note if they are in UTC because no time
    /// zone is known.
    pub(super) async fn days(&self) -> Result<Days, Failure> {
        let days = self.known_days().await?;
        Ok(days.unwrap_or_else(|| {
            note("the service does not state the user's time zone: days are in UTC; --time-zone sets another");
            Days::utc()
        }))
    }

    /// Returns the user's current date, or the one in UTC if the service does not know the user's time zone.
    pub(super) async fn today(&self) -> Result<Date, Failure> {
        let days = match self.known_days().await {
            Err(Failure::Call(error)) if error.kind() == ErrorKind::Service => None,
            known => known?,
        };
        Ok(days.unwrap_or_else(Days::utc).date(self.now()))
    }

    /// Returns the date of a day. Requests the user's time zone only for days relative to today.
    pub(super) async fn date(&self, day: Day) -> Result<Date, Failure> {
        let today = if day.is_relative() { self.today().await? } else { Date::default() };
        Ok(day.date(today))
    }

    /// Returns the days in `--time-zone`, if it is given.
    pub(super) fn requested_days(&self) -> Result<Option<Days>, Failure> {
        let unknown =
            || Failure::Usage("no time zone has this name", "--time-zone takes a name such as Europe/Berlin, or an offset such as +02:00");
        self.columns.time_zone.as_deref().map(|name| Days::in_zone(name).ok_or_else(unknown)).transpose()
    }

    async fn known_days(&self) -> Result<Option<Days>, Failure> {
        if let Some(days) = self.requested_days()? {
            return Ok(Some(days));
        }
        match with_progress(self.client.user().properties().cancel_token(&self.cancel_token).send()).await {
            Ok(response) => Ok(response.properties.as_ref().and_then(|properties| Days::in_zone(properties.timezone.as_deref()?))),
            // The service has no properties of this user, or they do not match the interface.
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
