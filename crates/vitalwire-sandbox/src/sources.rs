//! [`Sources`]: the providers that have data of a person, with its start and end.

use std::sync::Arc;

use jiff::civil::Date;

use crate::people::profile::Profile;
use crate::people::source::Source;
use crate::spec;
use crate::store::{Store, StoredIntegration};

/// Finds the sources of people.
#[derive(Clone)]
pub(crate) struct Sources {
    store: Arc<Store>,
    /// UTC date of the first start. The seeded broken integration broke some weeks before.
    started: Date,
}

impl Sources {
    pub(crate) fn new(store: Arc<Store>, started: Date) -> Self {
        Self { store, started }
    }

    /// Returns when the seeded broken integration broke, in seconds since 1970.
    pub(crate) fn broke_at(&self, person: &Profile) -> i64 {
        person.broke_at(self.started)
    }

    /// Returns the sources of a person: the initial ones, then the added ones.
    ///
    /// Delivered data stays when an integration breaks or ends. A new integration also delivers what was measured in between.
    pub(crate) fn list(&self, person: &Profile) -> Vec<Source> {
        let stored = self.store.integrations(&person.user_id);
        let initial = person.integrations.iter().map(|initial| {
            let until = match stored.iter().find(|integration| integration.slug == initial.slug) {
                Some(integration) => data_end(integration),
                None if initial.broken => self.broke_at(person),
                None => i64::MAX,
            };
            Source { until, ..Source::new(initial.slug) }
        });
        let added = stored.iter().filter_map(|integration| {
            // A provider that this version no longer knows has no data.
            let slug = spec::find_provider(&integration.slug)?;
            let new = !person.integrations.iter().any(|initial| initial.slug == slug);
            new.then(|| Source {
                from: integration.since.unwrap_or(integration.created_at).as_second(),
                until: data_end(integration),
                ..Source::new(slug)
            })
        });
        initial.chain(added).collect()
    }
}

/// Returns the end of its data in seconds since 1970.
fn data_end(integration: &StoredIntegration) -> i64 {
    integration.stopped_at.map_or(i64::MAX, jiff::Timestamp::as_second)
}
