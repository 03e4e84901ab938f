//! Webhooks: their signatures and bodies.

use std::sync::Arc;

use vitalwire::webhook::{Verifier, parse_events, parse_lab_report, parse_nutrition};

use crate::error::ApiError;
use crate::generated::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use crate::panics::{guarded, quiet_panics};

/// Checks the signatures of webhooks under one or several keys; façades name it without `Native`.
#[derive(uniffi::Object)]
pub struct NativeVerifier(Verifier);

#[uniffi::export]
impl NativeVerifier {
    /// Several keys serve a rotation: a signature under any of them is taken. Keys are taken byte for byte.
    #[uniffi::constructor]
    pub fn new(keys: Vec<Vec<u8>>) -> Result<Arc<Self>, ApiError> {
        quiet_panics();
        guarded(|| Ok(Arc::new(Self(Verifier::new(keys)?))))
    }

    /// Checks a body, as it came, against the value of its signature header.
    pub fn verify(&self, body: Vec<u8>, signature: String) -> Result<(), ApiError> {
        guarded(|| Ok(self.0.verify(&body, signature)?))
    }
}

/// Reads events; their signature is not looked at.
///
/// # Errors
/// Kind `decode` where the body holds none.
#[uniffi::export]
pub fn parse_webhook_events(body: Vec<u8>) -> Result<Vec<WebhookEvent>, ApiError> {
    quiet_panics();
    guarded(|| Ok(parse_events(&body)?.into_iter().map(Into::into).collect()))
}

/// Reads a lab report; its signature is not looked at.
///
/// # Errors
/// Kind `decode` where the body holds none.
#[uniffi::export]
pub fn parse_webhook_lab_report(body: Vec<u8>) -> Result<LabReportWebhook, ApiError> {
    quiet_panics();
    guarded(|| Ok(parse_lab_report(&body)?.into()))
}

/// Reads a nutrition record; its signature is not looked at.
///
/// # Errors
/// Kind `decode` where the body holds none.
#[uniffi::export]
pub fn parse_webhook_nutrition(body: Vec<u8>) -> Result<NutritionWebhook, ApiError> {
    quiet_panics();
    guarded(|| Ok(parse_nutrition(&body)?.into()))
}
