//! Webhooks and the signature of the token exchange. Only libraries for servers have these functions; those for phones are built without
//! the feature `server`.
//!
//! Each name begins with `server`, by which the generator of the bindings separates them.

mod secret;

use std::sync::Arc;

use vitalwire::signing::sign_user_id;
use vitalwire::webhook as core;

use crate::call::{SkippedItem, catch_panics};
use crate::error::ApiError;
use crate::generated::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use secret::{Secret, SecretList};

/// Verifies signatures of webhooks. The keys are overwritten in memory when it is freed.
#[derive(uniffi::Object)]
pub struct ServerWebhookVerifier(core::Verifier);

#[uniffi::export]
impl ServerWebhookVerifier {
    /// Creates a verifier that accepts a signature by any of the keys.
    #[uniffi::constructor]
    pub fn new(keys: SecretList, body_limit: Option<u64>) -> Result<Arc<Self>, ApiError> {
        catch_panics(|| {
            let builder = core::Verifier::builder().keys(keys.iter());
            let builder = match body_limit {
                Some(bytes) => builder.body_limit(usize::try_from(bytes).unwrap_or(usize::MAX)),
                None => builder,
            };
            Ok(Arc::new(Self(builder.build()?)))
        })
    }

    /// Verifies a body against the value of its signature header.
    pub fn verify(&self, body: Vec<u8>, signature: Option<String>) -> Result<(), ApiError> {
        catch_panics(|| Ok(self.0.verify_values(&body, signature)?))
    }
}

/// Kind of a webhook body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum ServerWebhookKind {
    /// A list of events.
    Events,
    /// A lab report.
    LabReport,
    /// A nutrition record.
    Nutrition,
}

impl From<ServerWebhookKind> for core::WebhookKind {
    fn from(native: ServerWebhookKind) -> Self {
        match native {
            ServerWebhookKind::Events => Self::Events,
            ServerWebhookKind::LabReport => Self::LabReport,
            ServerWebhookKind::Nutrition => Self::Nutrition,
        }
    }
}

/// Guesses the kind of a body from its fields. Returns nothing if they do not tell.
#[uniffi::export]
pub fn server_detect_kind(body: Vec<u8>) -> Result<Option<ServerWebhookKind>, ApiError> {
    catch_panics(|| {
        Ok(match core::detect_kind(&body) {
            core::WebhookKind::Events => Some(ServerWebhookKind::Events),
            core::WebhookKind::LabReport => Some(ServerWebhookKind::LabReport),
            core::WebhookKind::Nutrition => Some(ServerWebhookKind::Nutrition),
            _ => None,
        })
    })
}

/// Parses a body of the main webhook without verification.
#[uniffi::export]
pub fn server_parse_events(body: Vec<u8>) -> Result<Vec<WebhookEvent>, ApiError> {
    catch_panics(|| Ok(core::parse_events(&body)?.into_iter().map(Into::into).collect()))
}

/// Parses a body of the lab report webhook without verification.
#[uniffi::export]
pub fn server_parse_lab_report(body: Vec<u8>) -> Result<LabReportWebhook, ApiError> {
    catch_panics(|| Ok(core::parse_lab_report(&body)?.into()))
}

/// Parses a body of the nutrition webhook without verification.
#[uniffi::export]
pub fn server_parse_nutrition(body: Vec<u8>) -> Result<NutritionWebhook, ApiError> {
    catch_panics(|| Ok(core::parse_nutrition(&body)?.into()))
}

/// Returns the list items that parsing a body of this kind leaves out.
#[uniffi::export]
pub fn server_skipped_items(body: Vec<u8>, kind: ServerWebhookKind) -> Result<Vec<SkippedItem>, ApiError> {
    catch_panics(|| Ok(core::skipped_items(&body, kind.into())?.as_slice().iter().map(SkippedItem::from).collect()))
}

/// Computes the key by which a repeated body is recognised, as 64 lower-case hex digits.
#[uniffi::export]
pub fn server_content_key(body: Vec<u8>) -> Result<String, ApiError> {
    catch_panics(|| Ok(core::content_key(&body).to_string()))
}

/// Signs a body as the service does, for tests of a receiver.
#[uniffi::export]
pub fn server_sign_webhook(body: Vec<u8>, key: Secret) -> Result<String, ApiError> {
    catch_panics(|| Ok(core::sign(&body, key.bytes())))
}

/// Signs a user id for the token exchange.
#[uniffi::export]
pub fn server_sign_user_id(key: Secret, user_id: &str) -> Result<String, ApiError> {
    catch_panics(|| Ok(sign_user_id(key.bytes(), user_id)?))
}
