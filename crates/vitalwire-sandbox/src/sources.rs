//! The providers that have data of a person, with its beginning and end.

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
    /// The UTC date on which the sandbox started: an integration that is broken from the beginning broke some weeks before.
    started: Date,
}

impl Sources {
    pub(crate) fn new(store: Arc<Store>, started: Date) -> Self {
        Self { store, started }
    }

    /// When the integration that is broken from the beginning broke, in seconds since 1970.
    pub(crate) fn broke_at(&self, person: &Profile) -> i64 {
        person.broke_at(self.started)
    }

    /// The sources of a person: those they were given, then those that were added. What was delivered stays when a connection breaks or
    /// ends, and when there is a new one, which delivers what was measured meanwhile as well.
    pub(crate) fn of(&self, person: &Profile) -> Vec<Source> {
        let stored = self.store.integrations(&person.user_id);
        let given = person.integrations.iter().map(|given| {
            let until = match stored.iter().find(|integration| integration.slug == given.slug) {
                Some(integration) => stop(integration),
                None if given.broken => self.broke_at(person),
                None => i64::MAX,
            };
            Source { until, ..Source::new(given.slug) }
        });
        let added = stored.iter().filter_map(|integration| {
            // A slug that this version does not know any more has no data either.
            let slug = spec::provider(&integration.slug)?;
            let new = !person.integrations.iter().any(|given| given.slug == slug);
            new.then(|| Source {
                from: integration.since.unwrap_or(integration.created_at).as_second(),
                until: stop(integration),
                ..Source::new(slug)
            })
        });
        given.chain(added).collect()
    }
}

/// Seconds since 1970.
fn stop(integration: &StoredIntegration) -> i64 {
    integration.stopped_at.map_or(i64::MAX, jiff::Timestamp::as_second)
}
