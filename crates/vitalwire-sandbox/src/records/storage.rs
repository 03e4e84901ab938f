//! Records in the store.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::lab_report::LabReport;
use super::nutrition::Meal;
use crate::store::{DocumentKind, Store, StoreError};

/// Stored state of a nutrition record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredMeal {
    /// Uploaded, or seeded and then changed.
    #[serde(rename = "kept")]
    Saved(Box<Meal>),
    /// Deleted. The id is kept so that a seeded record does not reappear.
    Deleted(Uuid),
}

impl StoredMeal {
    pub(crate) fn id(&self) -> Uuid {
        match self {
            Self::Saved(meal) => meal.id,
            Self::Deleted(id) => *id,
        }
    }
}

impl Store {
    pub(crate) async fn put_report(&self, user: &str, report: &LabReport) -> Result<(), StoreError> {
        self.put(DocumentKind::Report, user, &report.id.to_string(), report.uploaded_at, report).await
    }

    pub(crate) async fn report(&self, user: &str, id: Uuid) -> Result<Option<LabReport>, StoreError> {
        self.get(DocumentKind::Report, user, &id.to_string()).await
    }

    /// Returns the uploaded reports of a user by upload time. `from` is inclusive, `to` exclusive.
    pub(crate) async fn reports(&self, user: &str, from: Option<Timestamp>, to: Option<Timestamp>) -> Result<Vec<LabReport>, StoreError> {
        self.list(DocumentKind::Report, user, from, to).await
    }

    /// Stores an uploaded or changed record.
    pub(crate) async fn put_meal(&self, user: &str, meal: &Meal) -> Result<(), StoreError> {
        let change = StoredMeal::Saved(Box::new(meal.clone()));
        self.put(DocumentKind::Meal, user, &meal.id.to_string(), meal.listed_at(), &change).await
    }

    /// Marks a record as deleted, at its time in lists.
    pub(crate) async fn delete_meal(&self, user: &str, meal: &Meal) -> Result<(), StoreError> {
        self.put(DocumentKind::Meal, user, &meal.id.to_string(), meal.listed_at(), &StoredMeal::Deleted(meal.id)).await
    }

    pub(crate) async fn meal(&self, user: &str, id: Uuid) -> Result<Option<StoredMeal>, StoreError> {
        self.get(DocumentKind::Meal, user, &id.to_string()).await
    }

    /// Returns the uploaded and changed nutrition records of a user by time of eating. `from` is inclusive, `to` exclusive.
    pub(crate) async fn meals(&self, user: &str, from: Option<Timestamp>, to: Option<Timestamp>) -> Result<Vec<StoredMeal>, StoreError> {
        self.list(DocumentKind::Meal, user, from, to).await
    }
}
