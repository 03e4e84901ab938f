//! Pseudonyms of users and records.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use vitalwire::error::Error;
use vitalwire::range::NotFoundRecord;
use vitalwire::table::Table;
use zeroize::Zeroizing;

use crate::CohortTable;
use crate::credentials::KeySource;

/// Minimum length of a key.
const MIN_KEY_BYTES: usize = 16;

/// Length of a pseudonym. Among a million users, the probability that any two have the same pseudonym is about 10⁻²⁷.
const PSEUDONYM_BYTES: usize = 16;

/// Columns with ids of records.
const ID_COLUMNS: [&str; 3] = ["sleep_id", "record_id", "record_ids"];

/// Beginnings of the names of columns with places. A metric of a later version of the service can have another ending.
const PLACES: [&str; 4] = ["latitude", "longitude", "elevation", "altitude"];

/// Columns with free text.
const TEXT_COLUMNS: [&str; 7] =
    ["section_notes", "notes", "dish_name", "dish_name_translated", "dish_description", "dish_description_translated", "failure_reason"];

/// Effect of pseudonyms on rows. A dataset has one rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PseudonymRule {
    /// Only ids of users are replaced. Datasets without pseudonyms and of earlier versions have this rule.
    #[default]
    Users,
    /// Ids of users and records are replaced; places and free text are left out.
    Records,
    /// Ids of users and records are replaced.
    RecordsWithPlacesAndText,
}

impl PseudonymRule {
    /// Removes the columns that are left out.
    pub(crate) fn without_details(self, rows: Table) -> Table {
        if self != Self::Records {
            return rows;
        }
        let names: Vec<String> = rows.columns().map(|column| column.field().name.to_string()).filter(|name| is_detail(name)).collect();
        names.iter().fold(rows, |rows, name| rows.without_column(name))
    }
}

/// Whether a column has places or free text.
fn is_detail(name: &str) -> bool {
    PLACES.iter().any(|place| name.starts_with(place)) || TEXT_COLUMNS.contains(&name)
}

/// A key that replaces the ids of users and records with pseudonyms. Places and free text are left out.
///
/// The same key always returns the same pseudonym for an id. Without the key, a pseudonym cannot be linked to an id.
#[derive(Clone)]
pub struct PseudonymKey {
    key: Zeroizing<Vec<u8>>,
    keeps_details: bool,
}

impl PseudonymKey {
    /// Creates a key. A byte order mark and surrounding white space are removed.
    ///
    /// # Errors
    /// `invalid_argument` if the key is shorter than 16 bytes.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        let key = key.strip_prefix(b"\xef\xbb\xbf").unwrap_or(key).trim_ascii();
        if key.len() < MIN_KEY_BYTES {
            return Err(Error::invalid_argument("pseudonym_key", "must be at least 16 bytes long"));
        }
        Ok(Self { key: Zeroizing::new(key.to_vec()), keeps_details: false })
    }

    /// Reads a key from a file.
    ///
    /// # Errors
    /// `invalid_argument` if the file cannot be read or is larger than 64 KiB, or if the key is shorter than 16 bytes.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(&KeySource::File(path.as_ref().to_owned()).read().map_err(|error| error.with_argument("pseudonym_key"))?)
    }

    /// Sets whether rows keep places (`latitude`, `longitude`, `elevation`, `altitude`) and free text (notes, names and descriptions of dishes,
    /// and reasons of failures).
    /// Defaults to false.
    #[must_use]
    pub fn keep_places_and_text(self, keep: bool) -> Self {
        Self { keeps_details: keep, ..self }
    }

    /// Returns the pseudonym of a user: the first 16 bytes of the HMAC-SHA256 of the id, as lower-case hex.
    #[must_use]
    pub fn pseudonym(&self, user: &str) -> String {
        self.digest(&[user])
    }

    pub(crate) fn rule(&self) -> PseudonymRule {
        if self.keeps_details { PseudonymRule::RecordsWithPlacesAndText } else { PseudonymRule::Records }
    }

    /// Replaces the ids of records, and leaves out places and free text. The same id has the same pseudonym in all tables of its service.
    pub(crate) fn apply(&self, table: CohortTable, rows: Table) -> Result<Table, Error> {
        let replace = |rows: Table, name: &&str| rows.map_texts(name, |id| self.record_pseudonym(table, id));
        Ok(self.rule().without_details(ID_COLUMNS.iter().try_fold(rows, replace)?))
    }

    /// Returns the pseudonym of a record's id.
    pub(crate) fn record_pseudonym(&self, table: CohortTable, id: &str) -> String {
        let kind = match table {
            CohortTable::Labs | CohortTable::Nutrition => table.as_str(),
            _ => "record",
        };
        // No user id contains a control character, so the pseudonyms of users are others.
        self.digest(&[kind, "\0", id])
    }

    /// Replaces the id of a listed record by pseudonyms. A list may spell an id in another letter case than the record. Therefore returns
    /// one record for each pseudonym that rows may have.
    pub(crate) fn not_found_records(&self, table: CohortTable, listed: &NotFoundRecord) -> Vec<NotFoundRecord> {
        let ids = [listed.id.clone(), listed.id.to_ascii_lowercase(), listed.id.to_ascii_uppercase()];
        let pseudonyms: BTreeSet<String> = ids.iter().map(|id| self.record_pseudonym(table, id)).collect();
        pseudonyms.into_iter().map(|id| NotFoundRecord { id, days: listed.days.clone() }).collect()
    }

    fn digest(&self, parts: &[&str]) -> String {
        // A key of any length is valid, so an error is impossible.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.key) else { return String::new() };
        parts.iter().for_each(|part| mac.update(part.as_bytes()));
        HEXLOWER.encode(&mac.finalize().into_bytes()[..PSEUDONYM_BYTES])
    }
}

/// Does not show the key.
impl fmt::Debug for PseudonymKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PseudonymKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use vitalwire::table::ColumnKind;

    use super::*;

    /// Texts that stay: names of tests and units, results, dates, states and other closed sets.
    const KEPT: [&str; 23] = [
        "user",
        "stage",
        "input_method",
        "provider_slug",
        "report_status",
        "collection_date",
        "result_date",
        "original_section_name",
        "standard_section_name",
        "section_loinc_code",
        "section_loinc_common_name",
        "original_test_name",
        "original_unit_name",
        "standard_test_name",
        "standard_unit_name",
        "loinc_code",
        "loinc_common_name",
        "value_text",
        "basis",
        "status",
        "unit",
        "input_type",
        "nutri_score",
    ];

    /// A new column of text in the specification must be classified here and in docs/site/cohorts.md.
    #[test]
    fn every_column_of_text_is_replaced_left_out_or_kept() {
        let mut seen = BTreeSet::new();
        for table in CohortTable::ALL {
            for column in table.empty().unwrap().columns() {
                let name = &*column.field().name;
                let is_text = matches!(column.field().kind, ColumnKind::Text | ColumnKind::TextList);
                let classes = [ID_COLUMNS.contains(&name), is_detail(name), KEPT.contains(&name)];
                let count = classes.iter().filter(|is_in| **is_in).count();
                assert_eq!(count, usize::from(is_text || is_detail(name)), "{table}: {name}");
                seen.insert(name.to_owned());
            }
        }
        assert!(ID_COLUMNS.iter().chain(&TEXT_COLUMNS).all(|name| seen.contains(*name)), "{seen:?}");
    }
}
