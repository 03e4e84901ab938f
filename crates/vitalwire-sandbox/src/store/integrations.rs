//! Integrations that differ from a person's initial ones. Also cached in memory, because every `userinfo` request needs them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use jiff::Timestamp;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::document::{self, Document};
use super::error::StoreError;
use super::{DocumentKind, Store, from_json};

/// An integration that was added or changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredIntegration {
    pub(crate) slug: String,
    pub(crate) id: i64,
    pub(crate) created_at: Timestamp,
    /// Creation time of the first integration with the provider, if that one has ended.
    #[serde(default)]
    pub(crate) since: Option<Timestamp>,
    pub(crate) broken: bool,
    /// Whether the integration has ended. The initial integration with this provider does not come back.
    pub(crate) removed: bool,
    /// Time at which the integration broke or ended. No later data was delivered.
    #[serde(default)]
    pub(crate) stopped_at: Option<Timestamp>,
}

/// Stored integrations by user. A user's list is shared, not copied.
#[derive(Debug, Default)]
pub(super) struct IntegrationCache(RwLock<HashMap<String, Arc<[StoredIntegration]>>>);

impl IntegrationCache {
    pub(super) fn read(connection: &Connection) -> Result<Self, StoreError> {
        let integrations = Self::default();
        for (user, text) in document::list_all(connection, DocumentKind::Integration)? {
            integrations.set(&user, from_json(&text)?);
        }
        Ok(integrations)
    }

    fn get(&self, user: &str) -> Arc<[StoredIntegration]> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(user).cloned().unwrap_or_default()
    }

    fn set(&self, user: &str, integration: StoredIntegration) {
        let mut users = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut integrations = users.get(user).map_or_else(Vec::new, |integrations| integrations.to_vec());
        match integrations.iter_mut().find(|known| known.slug == integration.slug) {
            Some(known) => *known = integration,
            None => integrations.push(integration),
        }
        users.insert(user.to_owned(), integrations.into());
    }

    pub(super) fn clear(&self) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn remove(&self, user: &str, slug: &str) {
        let mut users = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let Some(integrations) = users.get(user) else { return };
        let left: Arc<[StoredIntegration]> = integrations.iter().filter(|integration| integration.slug != slug).cloned().collect();
        if left.is_empty() {
            users.remove(user);
        } else {
            users.insert(user.to_owned(), left);
        }
    }
}

impl Store {
    /// Returns the stored integrations of a user, from memory.
    pub(crate) fn integrations(&self, user: &str) -> Arc<[StoredIntegration]> {
        self.integrations.get(user)
    }

    /// Changes an integration and commits `deliveries` with it if the change is announced. Returns false if nothing changed.
    ///
    /// `change` takes the stored integration, if any, and returns the new one and whether to announce it, or `None` for no change.
    pub(crate) async fn change_integration(
        &self,
        user: &str,
        slug: &str,
        at: Timestamp,
        deliveries: Vec<Document>,
        change: impl FnOnce(Option<StoredIntegration>) -> Option<(StoredIntegration, bool)> + Send + 'static,
    ) -> Result<bool, StoreError> {
        let (user, slug, integrations) = (user.to_owned(), slug.to_owned(), Arc::clone(&self.integrations));
        self.worker
            .call_then(
                move |database| {
                    let connection = database.connection();
                    let before =
                        document::get(connection, DocumentKind::Integration, &user, &slug)?.as_deref().map(from_json).transpose()?;
                    let Some((integration, announced)) = change(before) else { return Ok(None) };
                    let document = Document::new(DocumentKind::Integration, &user, &slug, at, &integration)?;
                    document::put(connection, &document)?;
                    if announced {
                        database.put_all(&deliveries)?;
                    }
                    Ok(Some((user, integration, database.apply_limit(DocumentKind::Integration)?)))
                },
                // Runs in commit order, so that memory and disk agree.
                move |changed| {
                    let Some((user, integration, forgotten)) = changed else { return false };
                    integrations.set(&user, integration);
                    for (user, slug) in forgotten {
                        integrations.remove(&user, &slug);
                    }
                    true
                },
            )
            .await
    }
}
