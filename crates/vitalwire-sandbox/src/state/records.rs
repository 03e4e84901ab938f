//! The records of users, on top of the documents.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::error::StoreError;
use super::{Kind, Store};
use crate::consent::Consent;
use crate::crypto;
use crate::people::labs::Report;
use crate::people::meals::Meal;

/// What became of a nutrition record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MealChange {
    /// Uploaded, or derived and then changed.
    Kept(Box<Meal>),
    /// The id stays, so that what was derived does not come back.
    Deleted(Uuid),
}

impl MealChange {
    /// Whose place it takes.
    pub(crate) fn id(&self) -> Uuid {
        match self {
            Self::Kept(meal) => meal.id,
            Self::Deleted(id) => *id,
        }
    }
}

impl Store {
    pub(crate) async fn put_report(&self, user: &str, report: &Report) -> Result<(), StoreError> {
        self.put(Kind::Report, user, &report.id.to_string(), report.uploaded_at, report).await
    }

    pub(crate) async fn report(&self, user: &str, id: Uuid) -> Result<Option<Report>, StoreError> {
        self.get(Kind::Report, user, &id.to_string()).await
    }

    /// The uploaded reports of a user by the time of the upload, `from` included and `to` not.
    pub(crate) async fn reports(&self, user: &str, from: Option<Timestamp>, to: Option<Timestamp>) -> Result<Vec<Report>, StoreError> {
        self.list(Kind::Report, user, from, to).await
    }

    /// Keeps a record, uploaded or changed.
    pub(crate) async fn put_meal(&self, user: &str, meal: &Meal) -> Result<(), StoreError> {
        let change = MealChange::Kept(Box::new(meal.clone()));
        self.put(Kind::Meal, user, &meal.id.to_string(), meal.listed_at(), &change).await
    }

    /// Marks a record as deleted, at the time it was eaten.
    pub(crate) async fn delete_meal(&self, user: &str, meal: &Meal) -> Result<(), StoreError> {
        self.put(Kind::Meal, user, &meal.id.to_string(), meal.listed_at(), &MealChange::Deleted(meal.id)).await
    }

    pub(crate) async fn meal(&self, user: &str, id: Uuid) -> Result<Option<MealChange>, StoreError> {
        self.get(Kind::Meal, user, &id.to_string()).await
    }

    /// The changed and uploaded nutrition records of a user by the time of eating, `from` included and `to` not.
    pub(crate) async fn meals(&self, user: &str, from: Option<Timestamp>, to: Option<Timestamp>) -> Result<Vec<MealChange>, StoreError> {
        self.list(Kind::Meal, user, from, to).await
    }

    /// Keeps a consent page until it is used; those whose time is over are forgotten on the way.
    pub(crate) async fn put_consent(&self, token: &str, consent: &Consent, now: Timestamp) -> Result<(), StoreError> {
        self.remove_before(Kind::Consent, "", now).await?;
        self.put(Kind::Consent, "", token, consent.expires_at, consent).await
    }

    pub(crate) async fn consent(&self, token: &str) -> Result<Option<Consent>, StoreError> {
        self.get(Kind::Consent, "", token).await
    }

    /// Uses a consent page up; true for one caller only.
    pub(crate) async fn use_consent(&self, token: &str) -> Result<bool, StoreError> {
        self.remove(Kind::Consent, "", token).await
    }

    /// When a policy was first asked about; the first call decides.
    pub(crate) async fn first_lookup(&self, ids: &[&str; 3], now: Timestamp) -> Result<Timestamp, StoreError> {
        // A digest: ids of a path may be long, and no three may look like three others.
        let id = crypto::hex(&crypto::digest(&ids.map(str::as_bytes)));
        if self.insert_once(Kind::Lookup, "", &id, now, &now).await? {
            return Ok(now);
        }
        Ok(self.get(Kind::Lookup, "", &id).await?.unwrap_or(now))
    }
}
