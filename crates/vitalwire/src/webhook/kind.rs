//! Which kind of body it may be.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;

use crate::generated::names::MEMBERS;
use crate::models::{LabReportWebhook, NutritionWebhook};
use crate::value::Extra;
use crate::value::decode::{from_slice, without_byte_order_mark};

/// What a body looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WebhookKind {
    /// An empty list, one with an object in it, or `null`: [`parse_events`](super::parse_events).
    Events,
    /// Has members of a lab report that no nutrition record has: [`parse_lab_report`](super::parse_lab_report).
    LabReport,
    /// Has members of a nutrition record that no lab report has: [`parse_nutrition`](super::parse_nutrition).
    Nutrition,
    /// Could be either, or neither.
    Unknown,
}

/// Looks at a body and says what it may be.
///
/// A lab report and a nutrition record that say no more than an id, a status and times cannot be told apart, nor can one that
/// has members of both; this then says [`WebhookKind::Unknown`]. Give each kind an address of its own where you can, and name the
/// kind by that. A guess does not check the body: reading it may still fail.
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
        // An item that is no event is left out when the body is read.
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

/// Fits every required member of both records: a text, an id, a value of an open set and a date-time.
const FITS: &str = "2000-01-01T00:00:00Z";

/// More required members than any record has; bounds the loop below.
const MOST_REQUIRED: usize = 16;

/// Which of the names the model does not declare. The model itself is asked, so that no list of its members is kept here: it reads
/// an object that has all the names with null, and puts what it does not know into `extra`. Required members, which may not be
/// null, are filled in as it asks for them.
fn undeclared<T: DeserializeOwned>(names: &[String], extra: fn(&T) -> &Extra) -> Option<BTreeSet<String>> {
    let mut probe: BTreeMap<String, Option<&str>> = names.iter().map(|name| (name.clone(), None)).collect();
    for _ in 0..MOST_REQUIRED {
        match from_slice::<T>(&serde_json::to_vec(&probe).ok()?, MEMBERS) {
            Ok(record) => return Some(extra(&record).iter().map(|(name, _)| name.to_owned()).collect()),
            Err(failure) => probe.insert(failure.place, Some(FITS)),
        };
    }
    None
}
