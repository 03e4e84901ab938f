//! Integrations: connected by consent, broken, repaired and removed. Initial ones come from the profile, changes from the store.

use std::sync::Arc;

use crate::clock::Clock;
use crate::people::profile::{Integration, Profile};
use crate::sources::Sources;
use crate::spec;
use crate::store::{Store, StoreError, StoredIntegration};
use crate::values::calendar::instant;
use crate::values::crypto;
use crate::webhooks::{Event, Notice, Webhooks};

#[derive(Clone, Copy, Debug)]
enum IntegrationChange {
    Connect,
    Break,
    End,
}

/// Lists and changes integrations.
pub(crate) struct Integrations {
    store: Arc<Store>,
    clock: Arc<Clock>,
    sources: Sources,
    webhooks: Webhooks,
}

impl Integrations {
    pub(crate) fn new(store: Arc<Store>, clock: Arc<Clock>, sources: Sources, webhooks: Webhooks) -> Self {
        Self { store, clock, sources, webhooks }
    }

    /// Returns the current integrations of a person: the initial ones in their order, then the added ones.
    pub(crate) fn list(&self, person: &Profile) -> Vec<Integration> {
        let stored = self.store.integrations(&person.user_id);
        let changed = |slug: &str| stored.iter().find(|integration| integration.slug == slug);
        let initial = person.integrations.iter().map(|initial| changed(initial.slug).map_or(Some(initial.clone()), to_integration));
        let added = stored
            .iter()
            .filter(|integration| !person.integrations.iter().any(|initial| initial.slug == integration.slug))
            .map(to_integration);
        initial.chain(added).flatten().collect()
    }

    /// Creates an integration. An existing one is repaired and keeps its id.
    pub(crate) async fn connect(&self, person: &Profile, slug: &'static str) -> Result<(), StoreError> {
        self.change(person, slug, IntegrationChange::Connect).await.map(drop)
    }

    /// Marks an integration as broken until consent is given again. Returns false if there is none.
    pub(crate) async fn mark_broken(&self, person: &Profile, slug: &'static str) -> Result<bool, StoreError> {
        self.change(person, slug, IntegrationChange::Break).await
    }

    /// Removes an integration and keeps its data. Returns false if there is none.
    pub(crate) async fn remove(&self, person: &Profile, slug: &'static str) -> Result<bool, StoreError> {
        self.change(person, slug, IntegrationChange::End).await
    }

    async fn change(&self, person: &Profile, slug: &'static str, change: IntegrationChange) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let initial = person.integrations.iter().find(|initial| initial.slug == slug).map(|initial| StoredIntegration {
            slug: slug.to_owned(),
            id: initial.id,
            created_at: initial.created_at,
            since: None,
            broken: initial.broken,
            removed: false,
            stopped_at: initial.broken.then(|| instant(self.sources.broke_at(person))),
        });
        let number = self.store.next_number();
        let new = StoredIntegration {
            slug: slug.to_owned(),
            id: new_id(person, number),
            created_at: now,
            since: None,
            broken: false,
            removed: false,
            stopped_at: None,
        };
        let deliveries = match change {
            IntegrationChange::Break => Vec::new(),
            IntegrationChange::Connect | IntegrationChange::End => {
                let event = Event::integration(&person.user_id, slug, now, matches!(change, IntegrationChange::Connect));
                self.webhooks.announcement_documents(&Notice::Events(vec![event]), now)?
            }
        };
        let done = self
            .store
            .change_integration(&person.user_id, slug, now, deliveries, move |changed| {
                let known = changed.or(initial);
                let since = known.as_ref().map(|integration| integration.since.unwrap_or(integration.created_at));
                let existing = known.filter(|integration| !integration.removed);
                match (existing, change) {
                    (Some(integration), IntegrationChange::Connect) => {
                        Some((StoredIntegration { broken: false, stopped_at: None, ..integration }, false))
                    }
                    (Some(integration), IntegrationChange::Break) => {
                        Some((StoredIntegration { broken: true, stopped_at: integration.stopped_at.or(Some(now)), ..integration }, false))
                    }
                    (Some(integration), IntegrationChange::End) => {
                        Some((StoredIntegration { removed: true, stopped_at: integration.stopped_at.or(Some(now)), ..integration }, true))
                    }
                    (None, IntegrationChange::Connect) => Some((StoredIntegration { since, ..new }, true)),
                    (None, _) => None,
                }
            })
            .await?;
        self.webhooks.wake_sender();
        Ok(done)
    }
}

/// Converts to the form of `userinfo`. Returns `None` if the integration was removed.
fn to_integration(integration: &StoredIntegration) -> Option<Integration> {
    // A provider that this version no longer knows has no data.
    let slug = spec::find_provider(&integration.slug)?;
    (!integration.removed).then_some(Integration {
        id: integration.id,
        slug,
        created_at: integration.created_at,
        broken: integration.broken,
    })
}

/// Returns an id that no other integration has. Initial ids are below 2^31.
fn new_id(person: &Profile, number: u64) -> i64 {
    let hash = crypto::digest_number(&[b"integration", &person.key.to_be_bytes(), &number.to_be_bytes()]);
    // Less than 2^53, so that every JSON parser keeps it exact.
    (1 << 31) + (hash >> 12).cast_signed()
}

#[cfg(test)]
mod tests;
