//! What was changed or sent: the only thing kept. In memory; callers see methods, never tables.

mod kept;

use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use uuid::Uuid;

use self::kept::Kept;
use crate::people::labs::Report;
use crate::people::meals::Meal;

/// Most entries of a kind; the oldest are forgotten first, so that a long run cannot fill the memory.
const MOST: usize = 10_000;

/// A record of one user.
type Key = (String, Uuid);

/// What became of a nutrition record.
#[derive(Clone, Debug)]
pub(crate) enum MealChange {
    /// Uploaded, or derived and then changed.
    Kept(Box<Meal>),
    Deleted,
}

/// A consent page that waits to be visited.
#[derive(Clone, Debug)]
pub(crate) struct Consent {
    pub(crate) user_id: String,
    pub(crate) name: &'static str,
    pub(crate) slug: &'static str,
    /// Where its "Allow" leads, complete.
    pub(crate) allow: String,
    /// Where its "Refuse" leads, complete.
    pub(crate) refuse: String,
    pub(crate) expires_at: Timestamp,
}

/// The store.
pub(crate) struct Store(Mutex<Tables>);

struct Tables {
    counter: u64,
    reports: Kept<Key, Report>,
    meals: Kept<Key, MealChange>,
    removed: Kept<(String, &'static str), ()>,
    consents: Kept<String, Consent>,
    lookups: Kept<[String; 3], Timestamp>,
}

impl Store {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Tables {
            counter: 0,
            reports: Kept::new(MOST),
            meals: Kept::new(MOST),
            removed: Kept::new(MOST),
            consents: Kept::new(MOST),
            lookups: Kept::new(MOST),
        }))
    }

    /// A panic elsewhere leaves the tables whole: each method changes them in one step.
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number that no call before got.
    pub(crate) fn next_number(&self) -> u64 {
        let mut tables = self.tables();
        tables.counter += 1;
        tables.counter
    }

    pub(crate) fn put_report(&self, user: &str, report: Report) {
        self.tables().reports.insert((user.to_owned(), report.id), report);
    }

    pub(crate) fn report(&self, user: &str, id: Uuid) -> Option<Report> {
        self.tables().reports.get(&(user.to_owned(), id)).cloned()
    }

    /// The uploaded reports of a user, oldest first.
    pub(crate) fn reports(&self, user: &str) -> Vec<Report> {
        let tables = self.tables();
        tables.reports.iter().filter(|((owner, _), _)| owner == user).map(|(_, report)| report.clone()).collect()
    }

    pub(crate) fn put_meal(&self, user: &str, id: Uuid, change: MealChange) {
        self.tables().meals.insert((user.to_owned(), id), change);
    }

    pub(crate) fn meal(&self, user: &str, id: Uuid) -> Option<MealChange> {
        self.tables().meals.get(&(user.to_owned(), id)).cloned()
    }

    /// The changed and uploaded nutrition records of a user.
    pub(crate) fn meals(&self, user: &str) -> Vec<(Uuid, MealChange)> {
        let tables = self.tables();
        tables.meals.iter().filter(|((owner, _), _)| owner == user).map(|((_, id), change)| (*id, change.clone())).collect()
    }

    /// Marks an integration as deleted; false if it already was.
    pub(crate) fn remove_integration(&self, user: &str, slug: &'static str) -> bool {
        self.tables().removed.insert((user.to_owned(), slug), ())
    }

    pub(crate) fn is_removed(&self, user: &str, slug: &'static str) -> bool {
        self.tables().removed.get(&(user.to_owned(), slug)).is_some()
    }

    pub(crate) fn put_consent(&self, token: String, consent: Consent) {
        self.tables().consents.insert(token, consent);
    }

    pub(crate) fn consent(&self, token: &str) -> Option<Consent> {
        self.tables().consents.get(token).cloned()
    }

    /// When a policy was first asked about; the first call decides.
    pub(crate) fn first_lookup(&self, ids: [String; 3], now: Timestamp) -> Timestamp {
        let mut tables = self.tables();
        match tables.lookups.get(&ids) {
            Some(first) => *first,
            None => {
                tables.lookups.insert(ids, now);
                now
            }
        }
    }
}
