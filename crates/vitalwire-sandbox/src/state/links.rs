//! Connections to providers that differ from those a person was given. All of them are held in memory too, because every `userinfo` asks.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use jiff::Timestamp;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::document::{self, Document};
use super::error::StoreError;
use super::{Kind, Store, read, write};

/// A changed connection to a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Link {
    pub(crate) slug: String,
    pub(crate) id: i64,
    pub(crate) created_at: Timestamp,
    /// When the first of the connections that ended before this one was made.
    #[serde(default)]
    pub(crate) since: Option<Timestamp>,
    pub(crate) broken: bool,
    /// Ended: what a person was given stays away.
    pub(crate) removed: bool,
    /// When it broke or ended: nothing was delivered after.
    #[serde(default)]
    pub(crate) stopped_at: Option<Timestamp>,
}

/// What is in the store, by user. A user's list is shared, not copied.
#[derive(Debug, Default)]
pub(super) struct Links(RwLock<HashMap<String, Arc<[Link]>>>);

impl Links {
    pub(super) fn read(connection: &Connection) -> Result<Self, StoreError> {
        let links = Self::default();
        for (user, text) in document::all(connection, Kind::Integration)? {
            links.set(&user, read(&text)?);
        }
        Ok(links)
    }

    fn of(&self, user: &str) -> Arc<[Link]> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(user).cloned().unwrap_or_default()
    }

    fn set(&self, user: &str, link: Link) {
        let mut users = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut links = users.get(user).map_or_else(Vec::new, |links| links.to_vec());
        match links.iter_mut().find(|known| known.slug == link.slug) {
            Some(known) => *known = link,
            None => links.push(link),
        }
        users.insert(user.to_owned(), links.into());
    }

    pub(super) fn forget_all(&self) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn forget(&self, user: &str, slug: &str) {
        let mut users = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let Some(links) = users.get(user) else { return };
        let left: Arc<[Link]> = links.iter().filter(|link| link.slug != slug).cloned().collect();
        if left.is_empty() {
            users.remove(user);
        } else {
            users.insert(user.to_owned(), left);
        }
    }
}

impl Store {
    /// The changed connections of a user; takes no time.
    pub(crate) fn links(&self, user: &str) -> Arc<[Link]> {
        self.links.of(user)
    }

    /// Changes a connection: `change` is given the changed one there is, if any, and says besides whether that is to be told; without a
    /// change the answer is false. What tells it is committed together with it.
    pub(crate) async fn change_link(
        &self,
        user: &str,
        slug: &str,
        at: Timestamp,
        tells: Vec<Document>,
        change: impl FnOnce(Option<Link>) -> Option<(Link, bool)> + Send + 'static,
    ) -> Result<bool, StoreError> {
        let (user, slug, links) = (user.to_owned(), slug.to_owned(), Arc::clone(&self.links));
        self.worker
            .call_then(
                move |database| {
                    let connection = database.connection();
                    let before = document::get(connection, Kind::Integration, &user, &slug)?.as_deref().map(read).transpose()?;
                    let Some((link, told)) = change(before) else { return Ok(None) };
                    let document: Document = write(Kind::Integration, &user, &slug, at, &link)?;
                    document::put(connection, &document)?;
                    if told {
                        database.put_all(&tells)?;
                    }
                    Ok(Some((user, link, database.bound(Kind::Integration)?)))
                },
                // In the order of the commits, so that memory and disk agree.
                move |changed| {
                    let Some((user, link, forgotten)) = changed else { return false };
                    links.set(&user, link);
                    for (user, slug) in forgotten {
                        links.forget(&user, &slug);
                    }
                    true
                },
            )
            .await
    }
}
