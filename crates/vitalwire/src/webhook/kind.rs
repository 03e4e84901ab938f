//! Detection of the kind of a webhook body.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::generated::names::MEMBERS;
use crate::models::{LabReportWebhook, NutritionWebhook};
use crate::value::Extra;
use crate::value::decode::{FromBody, from_slice, without_byte_order_mark};

/// Kind of a webhook body, as returned by [`detect_kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WebhookKind {
    /// An empty list, a list with at least one object, or `null`. Read it with [`parse_events`](super::parse_events).
    Events,
    /// An object with fields that only a lab report has. Read it with [`parse_lab_report`](super::parse_lab_report).
    LabReport,
    /// An object with fields that only a nutrition record has. Read it with [`parse_nutrition`](super::parse_nutrition).
    Nutrition,
    /// Any other body, or one that fits both kinds of records.
    Unknown,
}

/// Guesses the kind of a body from its fields.
///
/// Returns [`WebhookKind::Unknown`] if the fields do not tell: a lab report and a nutrition record with only an id, a status and times look
/// the same. Prefer a separate URL for each kind of webhook. The body is not validated, so parsing it may still fail.
///
/// ```
/// use vitalwire::webhook::{WebhookKind, detect_kind};
///
/// assert_eq!(detect_kind(br#"{"record_id":"r","status":"completed","dish_name":"Soup"}"#), WebhookKind::Nutrition);
/// assert_eq!(detect_kind(br#"{"record_id":"r","status":"failed"}"#), WebhookKind::Unknown);
/// ```
#[must_use]
pub fn detect_kind(body: &[u8]) -> WebhookKind {
    let Ok(text) = simdutf8::basic::from_utf8(without_byte_order_mark(body)) else { return WebhookKind::Unknown };
    if let Ok(items) = serde_json::from_str::<Option<Vec<&RawValue>>>(text) {
        let items = items.unwrap_or_default();
        // Parsing skips items that are not events.
        let is_events = items.is_empty() || items.iter().any(|item| item.get().starts_with('{'));
        return if is_events { WebhookKind::Events } else { WebhookKind::Unknown };
    }
    let Ok(object) = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text) else { return WebhookKind::Unknown };
    let names: Vec<String> = object.into_keys().collect();
    let not_lab = undeclared::<LabReportWebhook>(&names, |report| &report.extra);
    let not_nutrition = undeclared::<NutritionWebhook>(&names, |record| &record.extra);
    let (Some(not_lab), Some(not_nutrition)) = (not_lab, not_nutrition) else { return WebhookKind::Unknown };
    let (lab, nutrition) = (not_nutrition.difference(&not_lab).next(), not_lab.difference(&not_nutrition).next());
    match (lab, nutrition) {
        (Some(_), None) => WebhookKind::LabReport,
        (None, Some(_)) => WebhookKind::Nutrition,
        _ => WebhookKind::Unknown,
    }
}

/// A value that is valid for every required field of both records: a string, an id, an open-set value and a date-time.
const VALID_EVERYWHERE: &str = "2000-01-01T00:00:00Z";

/// Bounds the loop below. No record has that many required fields.
const MAX_REQUIRED: usize = 16;

/// Returns the names that a model does not declare, or `None` if it cannot be decoded.
///
/// Decodes an object with all names set to null, and reads the unknown ones from `extra`. This avoids a second list of the model's fields.
/// Required fields must not be null; they are filled in as decoding fails on them.
fn undeclared<T: FromBody>(names: &[String], extra: fn(&T) -> &Extra) -> Option<BTreeSet<String>> {
    let mut probe: BTreeMap<String, Option<&str>> = names.iter().map(|name| (name.clone(), None)).collect();
    for _ in 0..MAX_REQUIRED {
        match from_slice::<T>(&serde_json::to_vec(&probe).ok()?, MEMBERS) {
            Ok(record) => return Some(extra(&record).iter().map(|(name, _)| name.to_owned()).collect()),
            Err(failure) => probe.insert(failure.json_path, Some(VALID_EVERYWHERE)),
        };
    }
    None
}
