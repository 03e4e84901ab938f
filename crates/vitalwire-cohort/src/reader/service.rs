//! Requests before a run: the service's clock, and which users have connected a provider.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt};
use vitalwire::client::CallOptions;
use vitalwire::error::{Error, ErrorKind};
use vitalwire::models::UserInfo;
use vitalwire::value::Timestamp;

use vitalwire_sync::internal::service_time as known_time;

use super::CohortReader;

/// Maximum time to wait for the service's clock.
const CLOCK_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(20);

impl CohortReader {
    /// Returns the time of the service's clock, from the `Date` header of its last response. Before the first response, requests the
    /// information of the first user.
    ///
    /// If the service does not state the time, or a later one than this machine, returns this machine's time: a day is over only if both
    /// clocks say so. The clock of a sandbox can be moved, so it alone counts.
    ///
    /// # Errors
    /// `transport`, `timeout` or `configuration` if the service cannot be reached.
    pub async fn service_time(&self) -> Result<Timestamp, Error> {
        if self.0.client.service_time().is_some() {
            return known_time(&self.0.client);
        }
        if let Some(user) = self.0.credentials.ids().next() {
            let asked = self.user_info(user).await;
            match asked {
                Err(error)
                    if error.status().is_none()
                        && matches!(error.kind(), ErrorKind::Transport | ErrorKind::Timeout | ErrorKind::Configuration) =>
                {
                    return Err(error);
                }
                // A rejected credential is a failure of this user, and the response still states the time.
                _ => {}
            }
        }
        known_time(&self.0.client)
    }

    /// Returns a name of the service: its base URL, and the data set if it is a sandbox. Datasets and states belong to one service.
    ///
    /// Call it after the first response of the service.
    #[must_use]
    pub fn service_name(&self) -> String {
        let name = self.0.service_name.clone().unwrap_or_else(|| self.0.client.base_url().unwrap_or_default());
        match self.0.client.sandbox() {
            Some(data) => format!("{name} (sandbox {data})"),
            None => name,
        }
    }

    /// Returns for each user when they last connected a provider since a time, if they did. Sends one request for each.
    ///
    /// Such a provider can add data to days that were already requested. Users without a time, and users whose information cannot be read,
    /// are left out.
    ///
    /// # Errors
    /// The errors that end [`CohortReader::read`].
    pub async fn new_providers(
        &self,
        users: &[String],
        since: impl Fn(&str) -> Option<Timestamp>,
    ) -> Result<BTreeMap<String, Option<Timestamp>>, Error> {
        let asked: Vec<(String, Timestamp)> = users.iter().filter_map(|user| Some((user.clone(), since(user)?))).collect();
        let in_flight = self.0.limits.requests_in_flight();
        let mut answers =
            stream::iter(asked).map(|(user, since)| async move { (self.user_info(&user).await, user, since) }).buffered(in_flight);
        let mut checked = BTreeMap::new();
        while let Some((info, user, since)) = answers.next().await {
            match info {
                Ok(info) if self.is_of_another_user(&info, &user) => {
                    return Err(Error::invalid_argument("credentials", "must not give a user the token of another user of the cohort"));
                }
                Ok(info) => {
                    let created = info.integrated_providers.iter().filter_map(|provider| provider.created_at);
                    // The clock has whole seconds.
                    checked.insert(user, created.filter(|created| created.unix_seconds() >= since.unix_seconds()).max());
                }
                Err(error) if super::is_fatal(&error) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(checked)
    }

    /// Compares the user id that the service states for each user's token with the id of the user. Sends one request for each.
    ///
    /// Returns the users whose token belongs to another user. Users whose information cannot be read are left out.
    ///
    /// # Errors
    /// The errors that end [`CohortReader::read`].
    pub async fn users_with_foreign_tokens(&self) -> Result<Vec<String>, Error> {
        let users: Vec<String> = self.0.credentials.ids().map(str::to_owned).collect();
        let in_flight = self.0.limits.requests_in_flight();
        let mut answers = stream::iter(users).map(|user| async move { (self.user_info(&user).await, user) }).buffered(in_flight);
        let mut foreign = Vec::new();
        while let Some((info, user)) = answers.next().await {
            match info {
                Ok(info) if info.application_user_id.as_ref().is_some_and(|id| *id != user) => foreign.push(user),
                Ok(_) => {}
                Err(error) if super::is_fatal(&error) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(foreign)
    }

    async fn user_info(&self, user: &str) -> Result<UserInfo, Error> {
        let call = async |options: CallOptions| Ok(self.0.client.user().info().options(options.timeout(CLOCK_TIMEOUT)).await?.into_inner());
        self.0.with_token(user, call).await
    }

    /// Whether the information belongs to another user of the cohort.
    fn is_of_another_user(&self, info: &UserInfo, user: &str) -> bool {
        info.application_user_id.as_ref().is_some_and(|id| id != user && self.0.credentials.contains(id))
    }
}
