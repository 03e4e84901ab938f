//! Decoding of the three kinds of webhook bodies.

use super::WebhookKind;
use crate::client::SkippedItems;
use crate::error::Error;
use crate::generated::names::MEMBERS;
use crate::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use crate::value::decode::{DecodedValue, FromBody, NullableList, decode};

/// Decodes a body of the main webhook: a list of events, which may concern several users.
///
/// Events and list items that cannot be decoded are skipped; [`skipped_items`] lists them. Events of an unknown type are returned with
/// their fields in `extra`. `null` is an empty list.
///
/// An event outside a list is rejected. The service is not known to send one, and lab reports and nutrition records, which are objects,
/// would otherwise decode as empty events.
///
/// # Errors
///
/// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) if the body is not a list of events.
pub fn parse_events(body: &[u8]) -> Result<Vec<WebhookEvent>, Error> {
    read(body).map(|NullableList(events)| events)
}

/// Decodes a body of the lab report webhook. Does not check the kind of body; know it from the URL, or see
/// [`detect_kind`](super::detect_kind).
///
/// # Errors
///
/// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) if the body is not a lab report.
pub fn parse_lab_report(body: &[u8]) -> Result<LabReportWebhook, Error> {
    read(body)
}

/// Decodes a body of the nutrition webhook. Does not check the kind of body; know it from the URL, or see
/// [`detect_kind`](super::detect_kind).
///
/// The interface does not say whether the numbers are per serving or per 100 g, so their [basis](crate::value::NumberBasis) is unknown.
///
/// # Errors
///
/// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) if the body is not a nutrition record.
pub fn parse_nutrition(body: &[u8]) -> Result<NutritionWebhook, Error> {
    read(body)
}

/// Returns the list items that decoding this body skips. `kind` is the kind of the body.
///
/// # Errors
///
/// * [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) if the body cannot be decoded.
/// * [`ErrorKind::InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for [`WebhookKind::Unknown`].
pub fn skipped_items(body: &[u8], kind: WebhookKind) -> Result<SkippedItems, Error> {
    fn skipped<T: FromBody>(body: &[u8]) -> Result<SkippedItems, Error> {
        decoded::<T>(body).map(|read| read.skipped)
    }
    match kind {
        WebhookKind::Events => skipped::<NullableList<WebhookEvent>>(body),
        WebhookKind::LabReport => skipped::<LabReportWebhook>(body),
        WebhookKind::Nutrition => skipped::<NutritionWebhook>(body),
        WebhookKind::Unknown => Err(Error::invalid_argument("kind", "must be a known kind of webhook")),
    }
}

fn read<T: FromBody>(body: &[u8]) -> Result<T, Error> {
    let DecodedValue { value, skipped } = decoded(body)?;
    skipped.log(None);
    Ok(value)
}

fn decoded<T: FromBody>(body: &[u8]) -> Result<DecodedValue<T>, Error> {
    decode(body, MEMBERS, false).map_err(Error::from_decode_failure)
}
