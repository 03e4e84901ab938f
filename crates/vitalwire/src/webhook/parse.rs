//! Reading the three kinds of bodies.

use serde::de::DeserializeOwned;

use super::WebhookKind;
use crate::client::SkippedItems;
use crate::error::Error;
use crate::generated::names::MEMBERS;
use crate::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use crate::value::decode::{Decoded, NullIsEmpty, decode};

/// Reads a body of the main webhook: a list of events, which may be about several users.
///
/// An event that cannot be decoded is left out, as is any such item of a list in it; [`skipped_items`] says which.
/// Events of a type that this version does not know are passed on as they are, with their members in `extra`. `null` is an empty
/// list. One event that is not in a list is refused: nothing says that the service sends such a body, and lab reports and
/// nutrition records, whose bodies are objects, would be taken for events without any member.
///
/// # Errors
///
/// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) where the body is no such list.
pub fn parse_events(body: &[u8]) -> Result<Vec<WebhookEvent>, Error> {
    read(body).map(|NullIsEmpty(events)| events)
}

/// Reads a body of the lab report webhook. That it is one is the caller's to know, from the address it was sent to.
///
/// # Errors
///
/// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) where the body is no lab report.
pub fn parse_lab_report(body: &[u8]) -> Result<LabReportWebhook, Error> {
    read(body)
}

/// Reads a body of the nutrition webhook. That it is one is the caller's to know, from the address it was sent to.
///
/// What its numbers refer to is not stated anywhere: their basis is unknown.
///
/// # Errors
///
/// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) where the body is no nutrition record.
pub fn parse_nutrition(body: &[u8]) -> Result<NutritionWebhook, Error> {
    read(body)
}

/// The list items of a body that could not be decoded and that reading it leaves out. `kind` says what the body holds.
///
/// # Errors
///
/// Returns the errors of reading the body, and invalid argument for [`WebhookKind::Unknown`].
pub fn skipped_items(body: &[u8], kind: WebhookKind) -> Result<SkippedItems, Error> {
    fn skipped<T: DeserializeOwned>(body: &[u8]) -> Result<SkippedItems, Error> {
        decoded::<T>(body).map(|read| read.skipped)
    }
    match kind {
        WebhookKind::Events => skipped::<NullIsEmpty<WebhookEvent>>(body),
        WebhookKind::LabReport => skipped::<LabReportWebhook>(body),
        WebhookKind::Nutrition => skipped::<NutritionWebhook>(body),
        WebhookKind::Unknown => Err(Error::invalid_argument("kind", "must say what the body holds")),
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    let Decoded { value, skipped } = decoded(body)?;
    skipped.log(None);
    Ok(value)
}

fn decoded<T: DeserializeOwned>(body: &[u8]) -> Result<Decoded<T>, Error> {
    decode(body, MEMBERS, false).map_err(Error::unreadable)
}
