//! Consent pages in the store.

use jiff::Timestamp;

use super::Consent;
use crate::store::{DocumentKind, Store, StoreError};

impl Store {
    /// Stores a consent page until it is used, and removes expired ones.
    pub(crate) async fn put_consent(&self, token: &str, consent: &Consent, now: Timestamp) -> Result<(), StoreError> {
        self.remove_before(DocumentKind::Consent, "", now).await?;
        self.put(DocumentKind::Consent, "", token, consent.expires_at, consent).await
    }

    pub(crate) async fn consent(&self, token: &str) -> Result<Option<Consent>, StoreError> {
        self.get(DocumentKind::Consent, "", token).await
    }

    /// Consumes a consent page. Returns true for exactly one caller.
    pub(crate) async fn consume_consent(&self, token: &str) -> Result<bool, StoreError> {
        self.remove(DocumentKind::Consent, "", token).await
    }
}
