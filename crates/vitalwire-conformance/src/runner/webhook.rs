//! Webhooks: verification if the case requests it, and decoding.

use vitalwire::Error;
use vitalwire::webhook::{Verifier, WebhookKind as Kind, parse_events, parse_lab_report, parse_nutrition, skipped_items};

use super::calls::{CallOutcome, CanonicalResponse};
use super::canonical::Canonical;
use crate::case::{Webhook, WebhookKind};

/// Decodes the raw bytes of a webhook body. Verifies it unless there is no signature.
///
/// # Errors
/// The client's error.
pub fn webhook(case: &Webhook, body: &[u8]) -> CallOutcome {
    let (response, kind) = match case.kind {
        WebhookKind::Events => (read(case, body, parse_events, Verifier::verify_and_parse_events)?, Kind::Events),
        WebhookKind::LabReport => (read(case, body, parse_lab_report, Verifier::verify_and_parse_lab_report)?, Kind::LabReport),
        WebhookKind::Nutrition => (read(case, body, parse_nutrition, Verifier::verify_and_parse_nutrition)?, Kind::Nutrition),
    };
    Ok(response.with_skipped_items(skipped_items(body, kind)?.as_slice()))
}

fn read<T: Canonical>(
    case: &Webhook,
    body: &[u8],
    parse: impl Fn(&[u8]) -> Result<T, Error>,
    verify: impl Fn(&Verifier, &[u8], String) -> Result<T, Error>,
) -> Result<CanonicalResponse, Error> {
    let content = match &case.signature {
        Some(signature) => verify(&Verifier::new(&case.keys)?, body, signature.clone())?,
        None => parse(body)?,
    };
    Ok(CanonicalResponse::new(&content, 0))
}
