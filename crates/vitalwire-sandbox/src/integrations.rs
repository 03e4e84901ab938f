//! Connections to providers over time: made by consent, broken, repaired, ended. What a person was given comes from the profile; what
//! changed since is in the store.

use crate::crypto;
use crate::people::calendar::instant;
use crate::people::profile::{Integration, Profile, SLUGS};
use crate::state::{Link, StoreError};
use crate::webhooks::{Event, Notice};
use crate::world::World;

/// A change of a connection.
#[derive(Clone, Copy, Debug)]
enum Change {
    Connect,
    Break,
    End,
}

impl World {
    /// The connections of a person at this moment: what they were given, in its order, then what was added.
    pub(crate) fn integrations(&self, person: &Profile) -> Vec<Integration> {
        let links = self.store().links(&person.user_id);
        let changed = |slug: &str| links.iter().find(|link| link.slug == slug);
        let given = person.integrations.iter().map(|given| changed(given.slug).map_or(Some(given.clone()), shown));
        let added = links.iter().filter(|link| !person.integrations.iter().any(|given| given.slug == link.slug)).map(shown);
        given.chain(added).flatten().collect()
    }

    /// Makes a connection; one that there is already works again and keeps its number.
    pub(crate) async fn connect_integration(&self, person: &Profile, slug: &'static str) -> Result<(), StoreError> {
        self.change_integration(person, slug, Change::Connect).await.map(drop)
    }

    /// Marks a connection as broken, until consent is given again; false if there is none.
    pub(crate) async fn break_integration(&self, person: &Profile, slug: &'static str) -> Result<bool, StoreError> {
        self.change_integration(person, slug, Change::Break).await
    }

    /// Ends a connection; false if there is none. What was measured stays.
    pub(crate) async fn end_integration(&self, person: &Profile, slug: &'static str) -> Result<bool, StoreError> {
        self.change_integration(person, slug, Change::End).await
    }

    async fn change_integration(&self, person: &Profile, slug: &'static str, change: Change) -> Result<bool, StoreError> {
        let now = self.now();
        let given = person.integrations.iter().find(|given| given.slug == slug).map(|given| Link {
            slug: slug.to_owned(),
            id: given.id,
            created_at: given.created_at,
            since: None,
            broken: given.broken,
            removed: false,
            stopped_at: given.broken.then(|| instant(person.broke_at(self.started()))),
        });
        let number = self.store().next_number();
        let fresh = Link {
            slug: slug.to_owned(),
            id: fresh_id(person, number),
            created_at: now,
            since: None,
            broken: false,
            removed: false,
            stopped_at: None,
        };
        let tells = match change {
            Change::Break => Vec::new(),
            Change::Connect | Change::End => {
                let event = Event::integration(&person.user_id, slug, now, matches!(change, Change::Connect));
                self.announcement(&Notice::Events(vec![event]), now)?
            }
        };
        let done = self
            .store()
            .change_link(&person.user_id, slug, now, tells, move |changed| {
                let known = changed.or(given);
                let since = known.as_ref().map(|link| link.since.unwrap_or(link.created_at));
                let there = known.filter(|link| !link.removed);
                match (there, change) {
                    (Some(link), Change::Connect) => Some((Link { broken: false, stopped_at: None, ..link }, false)),
                    (Some(link), Change::Break) => Some((Link { broken: true, stopped_at: link.stopped_at.or(Some(now)), ..link }, false)),
                    (Some(link), Change::End) => Some((Link { removed: true, stopped_at: link.stopped_at.or(Some(now)), ..link }, true)),
                    (None, Change::Connect) => Some((Link { since, ..fresh }, true)),
                    (None, _) => None,
                }
            })
            .await?;
        self.ring();
        Ok(done)
    }
}

/// As `userinfo` shows it; nothing if it ended.
fn shown(link: &Link) -> Option<Integration> {
    // A slug that this version does not know any more has no data either.
    let slug = SLUGS.into_iter().find(|slug| *slug == link.slug)?;
    (!link.removed).then_some(Integration { id: link.id, slug, created_at: link.created_at, broken: link.broken })
}

/// A number no other connection has: those given are below 2^31.
fn fresh_id(person: &Profile, number: u64) -> i64 {
    let hash = crypto::number(&[b"integration", &person.key.to_be_bytes(), &number.to_be_bytes()]);
    // Within 2^53, so that every JSON reader keeps it exact.
    (1 << 31) + (hash >> 12).cast_signed()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::{Sandbox, Webhook};

    #[tokio::test]
    async fn a_new_connection_keeps_what_an_earlier_one_delivered() {
        let world = Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).world("http://localhost:1").unwrap();
        let person = world.profile("person-1");
        let begun = world.now().as_second();
        let luna = || world.sources(&person).into_iter().find(|source| source.slug == "luna").map(|source| (source.from, source.until));
        // Ended twice: the first beginning counts.
        for _ in 0..3 {
            world.connect_integration(&person, "luna").await.unwrap();
            assert_eq!(luna(), Some((begun, i64::MAX)));
            world.advance(Duration::from_secs(86_400)).unwrap();
            assert!(world.end_integration(&person, "luna").await.unwrap());
            assert_eq!(luna(), Some((begun, world.now().as_second())));
            world.advance(Duration::from_secs(86_400)).unwrap();
        }
        // Each connection has a beginning of its own all the same.
        let now = world.now();
        world.connect_integration(&person, "luna").await.unwrap();
        let listed = world.integrations(&person).into_iter().find(|link| link.slug == "luna").unwrap();
        assert_eq!(listed.created_at, now);
    }

    #[tokio::test]
    async fn what_happens_twice_at_once_is_told_once() {
        let builder = Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).webhook(Webhook::Main, "http://127.0.0.1:9/");
        let world = builder.world("http://localhost:1").unwrap();
        let person = world.profile("person-1");
        let connect = || world.connect_integration(&person, "luna");
        let (one, other) = tokio::join!(connect(), connect());
        one.and(other).unwrap();
        assert_eq!(world.deliveries().await.unwrap().len(), 1);
        let end = || world.end_integration(&person, "luna");
        let (one, other) = tokio::join!(end(), end());
        assert_eq!((one.unwrap(), other.unwrap()), (true, false));
        assert_eq!(world.deliveries().await.unwrap().len(), 2);
    }
}
