//! Planning of the next run of a dataset.

use std::path::Path;

use vitalwire::value::Timestamp;

use super::LastRun;
use crate::credentials::UserCredentials;
use crate::error::CohortError;
use crate::plan::{Plan, Selection};
use crate::reader::CohortReader;
use crate::states::SyncStates;

/// Plan of the next run of a dataset.
#[derive(Clone, Debug)]
pub struct NextRun {
    /// The items that are due.
    pub plan: Plan,
    /// The service's time for which the plan was made.
    pub service_time: Timestamp,
    /// Users whose rows were removed from the dataset on their request. The plan leaves them out.
    pub removed_users: Vec<String>,
    /// Users whose information is requested, to find newly connected providers.
    known_users: Vec<String>,
}

impl NextRun {
    /// Plans the next run of a dataset, or the first run if the folder has none.
    ///
    /// Asks the service for its time. With `find_new_providers`, also asks which users of the dataset have connected a provider since the
    /// last run; all days of these users are then due.
    ///
    /// # Errors
    /// * [`CohortError::Client`] if the service cannot be reached.
    /// * [`CohortError::Dataset`] if the dataset belongs to another service or key.
    pub async fn plan(
        reader: &CohortReader,
        folder: impl AsRef<Path>,
        selection: Selection,
        find_new_providers: bool,
    ) -> Result<Self, CohortError> {
        let folder = folder.as_ref();
        let mut last_run = LastRun::load(folder)?;
        let service_time = reader.service_time().await?;
        last_run.check(reader, folder)?;
        let mut states = last_run.states(reader, service_time);
        let (removed_users, users): (Vec<String>, Vec<String>) =
            selection.users().iter().cloned().partition(|user| last_run.has_removed(&reader.shown_id(user)));
        let since = |user: &str| selection.tables().iter().filter_map(|table| states.get(user, *table)?.providers_as_of()).min();
        let known_users: Vec<String> = users.iter().filter(|user| find_new_providers && since(user).is_some()).cloned().collect();
        let checked = reader.new_providers(&known_users, since).await?;
        let connected = checked.iter().filter_map(|(user, connected)| Some((user, (*connected)?)));
        for (user, _) in connected.clone().filter(|(_, connected)| last_run.started_before(*connected)) {
            // The interrupted run may have read its days before the provider was connected.
            states.forget_fresh(user);
        }
        let connected = connected.map(|(user, _)| user);
        let selection = selection.with_users(users).refresh_users(connected).or_refresh_from(last_run.unfinished_refresh());
        let plan = Plan::due(&selection, &states, Some(service_time)).with_checked_users(checked.into_keys().collect(), service_time);
        Ok(Self { plan, service_time, removed_users, known_users })
    }

    /// Plans the first run of a dataset without a request. Days that are not over at the time are left out.
    #[must_use]
    pub fn first(selection: &Selection, time: Timestamp) -> Self {
        let plan = Plan::due(selection, &SyncStates::new(), Some(time));
        Self { plan, service_time: time, removed_users: Vec::new(), known_users: Vec::new() }
    }

    /// Returns the number of requests for users' information: one for the service's clock, and one for each known user, to find newly
    /// connected providers.
    #[must_use]
    pub fn user_requests(&self) -> u64 {
        1 + self.known_users.len() as u64
    }

    /// Returns the number of token exchanges of a process that plans and exports this run: one for each user without an access token.
    #[must_use]
    pub fn token_exchanges(&self, credentials: &UserCredentials) -> u64 {
        // The first user's information is requested for the service's clock.
        let users = credentials.ids().next().into_iter().chain(self.known_users.iter().map(String::as_str)).chain(self.plan.users());
        credentials.token_exchanges(users)
    }

    /// Returns the estimated number of requests of a process that plans and exports this run, without retries. The estimate assumes one
    /// sleep per day.
    #[must_use]
    pub fn requests(&self, credentials: &UserCredentials) -> u64 {
        self.plan.requests() + self.user_requests() + self.token_exchanges(credentials)
    }
}
