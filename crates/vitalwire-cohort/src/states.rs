//! Synchronization states of many users.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vitalwire::error::Error;

use crate::defaults::MAX_JSON_BYTES;
use crate::{CohortTable, SyncState};

/// Synchronization states of the users and tables of a cohort, and the service that they belong to. Can be stored as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncStates {
    /// Name of the service, as [`CohortReader::service_name`](crate::CohortReader::service_name) returns it.
    service: Option<String>,
    tables: BTreeMap<CohortTable, BTreeMap<String, SyncState>>,
}

impl SyncStates {
    /// Creates the states before the first request.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether no user has a state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.values().all(BTreeMap::is_empty)
    }

    /// Returns the state of a user and a table.
    #[must_use]
    pub fn get(&self, user: &str, table: CohortTable) -> Option<&SyncState> {
        self.tables.get(&table)?.get(user)
    }

    /// Returns the state of a user and a table, to update it. Creates it if there is none.
    pub fn entry(&mut self, user: &str, table: CohortTable) -> &mut SyncState {
        self.tables.entry(table).or_default().entry(user.to_owned()).or_default()
    }

    /// Sets the state of a user and a table.
    pub fn insert(&mut self, user: impl Into<String>, table: CohortTable, state: SyncState) {
        self.tables.entry(table).or_default().insert(user.into(), state);
    }

    /// Marks the days read by an interrupted run as due again.
    #[cfg(feature = "dataset")]
    pub(crate) fn forget_fresh(&mut self, user: &str) {
        for state in self.tables.values_mut().filter_map(|users| users.get_mut(user)) {
            state.forget_fresh();
        }
    }

    /// Binds new states to a service, or checks that they belong to it.
    ///
    /// # Errors
    /// `invalid_argument` if the states belong to another service.
    pub fn bind(&mut self, service: &str) -> Result<(), Error> {
        match &self.service {
            None => self.service = Some(service.to_owned()),
            Some(bound) if bound == service => {}
            Some(_) => {
                return Err(Error::invalid_argument(
                    "states",
                    "must come from the service at the client's base URL; start without states to read another service",
                ));
            }
        }
        Ok(())
    }

    /// Returns the states as JSON.
    ///
    /// # Errors
    /// `internal` never.
    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|_| Error::internal("states cannot be serialized"))
    }

    /// Creates states from the JSON of [`to_json`](Self::to_json).
    ///
    /// # Errors
    /// `invalid_argument` if the text is not JSON of this version, or is larger than 256 MiB.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let invalid = |reason| Error::invalid_argument("states", reason);
        if text.len() > MAX_JSON_BYTES {
            return Err(invalid("must not be larger than 256 MiB"));
        }
        serde_json::from_str(text)
            .map_err(|_| invalid("must be the JSON of states from this version of vitalwire; start again without them"))
    }
}
