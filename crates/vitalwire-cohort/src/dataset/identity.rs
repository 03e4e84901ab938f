//! Identity of a dataset: its service, and its key and rule of pseudonyms.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::CohortError;
use crate::pseudonym::PseudonymRule;
use crate::reader::CohortReader;

/// Constant whose pseudonym identifies the key of a dataset.
pub(super) const CHECKED_ID: &str = "vitalwire pseudonym key";

/// Error reason if a dataset was written with another key.
pub(super) const OTHER_KEY: &str = "the dataset was written with another pseudonym key, or without one; use the key file of the first \
                                    export, or no key file if the first export had none";

/// The service, key and rule of pseudonyms that a dataset belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity {
    /// Name of the service that the rows are from.
    pub(super) service: String,
    /// Pseudonym of a constant, if pseudonyms replace ids. Identifies the key.
    pub(super) pseudonym_check: Option<String>,
    /// Datasets of earlier versions do not state it.
    #[serde(default)]
    pub(super) pseudonym_rule: PseudonymRule,
}

impl Identity {
    pub(super) fn new(reader: &CohortReader) -> Self {
        Self {
            service: reader.service_name(),
            pseudonym_check: reader.has_pseudonyms().then(|| reader.shown_id(CHECKED_ID)),
            pseudonym_rule: reader.pseudonym_rule(),
        }
    }

    /// Checks that a run with this identity can continue a dataset.
    pub(super) fn check(&self, dataset: &Self, folder: &Path) -> Result<(), CohortError> {
        let reason = if dataset.service != self.service {
            let services = format!("the service {}, but the run would read {}", dataset.service, self.service);
            format!("the dataset belongs to {services}; export to a new folder")
        } else if dataset.pseudonym_check != self.pseudonym_check {
            OTHER_KEY.to_owned()
        } else if dataset.pseudonym_rule == self.pseudonym_rule {
            return Ok(());
        } else if dataset.pseudonym_rule == PseudonymRule::Users {
            "the dataset has pseudonyms for users, but not for records; export to a new folder".to_owned()
        } else {
            "the dataset has different columns; use the same setting for places and free text as in the first export, or \
             export to a new folder"
                .to_owned()
        };
        Err(CohortError::dataset(folder, reason))
    }
}
