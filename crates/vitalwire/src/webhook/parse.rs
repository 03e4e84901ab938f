//! Reading the three kinds of bodies.

use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::generated::names::MEMBERS;
use crate::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use crate::value::decode::{NullIsEmpty, from_slice};

/// Reads a body of the main webhook: a list of events, which may be about several users.
///
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

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    from_slice(body, MEMBERS).map_err(Error::unreadable)
}
