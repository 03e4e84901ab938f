//! Users, days, budget and client of a command, from its options or a sandbox.

use vitalwire::client::ClientBuilder;
use vitalwire::cohort::{Budget, Credential, People};
use vitalwire::range::DateRange;
use vitalwire_sandbox::Sandbox;
use zeroize::Zeroizing;

use super::super::local_sandbox::{self, ANY_PORT};
use super::failure;
use crate::cli::{CohortOptions, Connection, Day};
use crate::config::Settings;
use crate::days::Days;
use crate::failure::Failure;

/// The inputs of a command.
pub(super) struct Setup {
    pub(super) people: People,
    pub(super) days: DateRange,
    pub(super) budget: Budget,
    /// Sandbox of this command, for `--sandbox`.
    pub(super) sandbox: Option<Sandbox>,
}

impl Setup {
    pub(super) async fn new(connection: &Connection, options: &CohortOptions) -> Result<Self, Failure> {
        let sandbox =
            if connection.sandbox { Some(local_sandbox::start(connection.sandbox_options.clone(), ANY_PORT).await?) } else { None };
        let people = match (&options.users, &sandbox) {
            (Some(path), _) => People::from_file(path).map_err(failure)?,
            (None, Some(sandbox)) => {
                let people =
                    sandbox.people().iter().map(|person| (&*person.user_id, Credential::Token(Zeroizing::new(person.token.clone()))));
                People::new(people)?
            }
            (None, None) => return Err(Failure::Usage("a cohort must have users", "name the file of users with --users")),
        };
        let now = sandbox.as_ref().map_or_else(jiff::Timestamp::now, |sandbox| sandbox.app().now());
        let today = Days::utc().date(now.into());
        let to = options.to.unwrap_or(Day::DaysAgo(1)).date(today);
        let days = DateRange::new(options.from.date(today), to)?;
        let mut budget = Budget::new();
        if let Some(rate) = options.per_second {
            budget = budget.per_second(rate)?;
        }
        if let Some(requests) = options.in_flight {
            budget = budget.in_flight(requests)?;
        }
        Ok(Self { people, days, budget, sandbox })
    }

    /// Returns the client's settings, without a token.
    pub(super) fn client_builder(&self, connection: &Connection) -> Result<ClientBuilder, Failure> {
        match &self.sandbox {
            Some(sandbox) => Ok(local_sandbox::client_builder(sandbox)),
            None => Settings::load(connection)?.builder(),
        }
    }
}
