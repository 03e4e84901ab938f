//! Lab reports: seeded ones from before the start, and uploaded ones.

use std::borrow::Cow;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::stage;
use crate::analysis::document::Contents;
use crate::people::profile::Profile;
use crate::reference::analytes::{Analyte, SECTIONS, Section};
use crate::values::rng::Rng;
use crate::values::{calendar, round};

/// A lab report. Its contents are derived from these fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LabReport {
    pub(crate) id: Uuid,
    /// Seed of the values.
    pub(crate) key: u64,
    pub(crate) filename: String,
    pub(crate) uploaded_at: Timestamp,
    /// Instant at which the analysis ends.
    pub(crate) ready_at: Timestamp,
    /// Reason why the document cannot be read.
    pub(crate) failure: Option<Cow<'static, str>>,
    /// Contents of an uploaded document. If absent, values are derived from the key.
    pub(crate) contents: Option<Box<Contents>>,
    /// MIME type of a document that was not read. Its results are invented and require human review.
    pub(crate) unread: Option<Cow<'static, str>>,
    /// Day on which the sample was taken.
    pub(crate) collected: Date,
}

impl LabReport {
    /// Returns the status at an instant. All status rules are here.
    pub(crate) fn state_at(&self, now: Timestamp) -> &'static str {
        if let Some(stage) = stage::stage_at(self.uploaded_at, self.ready_at, now) {
            stage
        } else if self.failure.is_some() {
            "failed"
        } else {
            "completed"
        }
    }

    /// Returns the first response to an asynchronous upload.
    pub(crate) fn receipt(&self) -> Value {
        json!({
            "record_id": self.id.to_string(),
            "status": stage::stage_at(self.uploaded_at, self.ready_at, self.uploaded_at).unwrap_or("processing"),
            "uploaded_at": self.uploaded_at.to_string(),
        })
    }

    /// Returns the whole report.
    pub(crate) fn json(&self, now: Timestamp) -> Value {
        let status = self.state_at(now);
        let has_ended = now >= self.ready_at;
        let modified = if has_ended { self.ready_at } else { self.uploaded_at };
        let mut report = json!({
            "record_id": self.id.to_string(),
            "status": status,
            "uploaded_at": self.uploaded_at.to_string(),
            "modified_at": modified.to_string(),
            "sections": null,
        });
        if !has_ended {
            return report;
        }
        if let Some(reason) = &self.failure {
            report["parsing_error"] = json!(reason);
            return report;
        }
        // The service removes personal data.
        report["patient_information"] = json!({});
        if let Some(contents) = &self.contents {
            contents.add_to(&mut report, &self.filename);
            return report;
        }
        report["collection_date"] = json!(self.collected.to_string());
        report["result_date"] = json!(calendar::next_day(self.collected).to_string());
        report["notes"] = json!(match &self.unread {
            Some(mime) => format!("Synthetic results: {} ({mime}) was not read and requires human review.", self.filename),
            None => format!("Synthetic report; there is no {}.", self.filename),
        });
        report["lab_information"] = json!({
            "name": "Sandbox Laboratory (synthetic)",
            "address": "1 Example Street",
            "email_address": "lab@example.com",
            "phone_number": "+1 555 0100",
        });
        let mut rng = Rng::new(self.key, 0, "report");
        let count = 1 + rng.below(SECTIONS.len() as i64) as usize;
        report["sections"] = SECTIONS.iter().take(count).map(|section| self.section_json(section, &mut rng)).collect();
        report
    }

    fn section_json(&self, section: &Section, rng: &mut Rng) -> Value {
        let results: Vec<Value> = section.analytes.iter().map(|analyte| self.result_json(analyte, rng)).collect();
        json!({
            "loinc_code": section.code,
            "loinc_common_name": section.loinc_name,
            "original_section_name": section.original,
            "standard_section_name": section.standard,
            "results": results,
        })
    }

    fn result_json(&self, analyte: &Analyte, rng: &mut Rng) -> Value {
        // About one value in eight is outside its range.
        let width = analyte.high - analyte.low;
        let value = analyte.low + width * (0.5 + rng.normal() * 0.32);
        let value = round(value.max(analyte.low * 0.5), 10_f64.powi(analyte.decimals));
        json!({
            "loinc_code": analyte.code,
            "loinc_common_name": analyte.loinc_name,
            "original_test_name": analyte.name,
            "standard_test_name": analyte.name,
            "original_unit_name": analyte.unit,
            "standard_unit_name": analyte.unit,
            "normal_min": analyte.low,
            "normal_max": analyte.high,
            "value": value,
            "value_text": format!("{value:.*}", usize::try_from(analyte.decimals).unwrap_or(0)),
            "within_normal_range": (analyte.low..=analyte.high).contains(&value),
            "require_human_review": self.unread.is_some(),
        })
    }
}

/// Returns the three seeded reports of a person. The oldest is about seven months older than the start.
pub(crate) fn seeded_reports(person: &Profile, start: Date) -> Vec<LabReport> {
    let mut rng = Rng::new(person.key, 0, "labs");
    (1..=3_i64)
        .map(|number| {
            let back = 70 * number - rng.below(40);
            let collected = start.checked_sub(SignedDuration::from_hours(24 * back)).unwrap_or(start);
            let noon = calendar::unix_seconds(&person.rules, collected.at(12, 0, 0, 0));
            let uploaded_at = calendar::instant(noon + 30 * 3_600 + rng.below(9_000));
            LabReport {
                id: person.uuid("lab", number),
                key: rng.next(),
                filename: format!("report-{number}.pdf"),
                uploaded_at,
                ready_at: calendar::plus(uploaded_at, SignedDuration::from_secs(rng.between(10, 60))),
                failure: None,
                contents: None,
                unread: None,
                collected,
            }
        })
        .rev()
        .collect()
}
