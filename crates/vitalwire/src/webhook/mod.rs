//! Webhooks: verify signatures, decode bodies and detect duplicates.
//!
//! The service signs each body with a webhook key, which is not the application key for tokens. Keep keys on servers; the mobile packages
//! do not accept them.
//!
//! A signature proves the origin of a body, but not its age. Bodies have no event id, and there is no replay protection. The service retries
//! a delivery up to 10 times, until it gets a response with status 200 within 30 seconds. Store the [`content_key`] of each body that you
//! processed, and discard bodies whose key you know.
//!
//! ```
//! use vitalwire::webhook::{Verifier, content_key};
//!
//! # fn main() -> Result<(), vitalwire::Error> {
//! // Pass both keys during a rotation.
//! let verifier = Verifier::new(["the-new-webhook-key", "the-old-webhook-key"])?;
//!
//! // Use the raw bytes of the request: re-serialized JSON has another signature.
//! let body = br#"[{"application_user_id":"user-7","event_type":"record_change","metrics":["steps"]}]"#;
//! # let signature = vitalwire::webhook::sign(body, "the-old-webhook-key");
//! let events = verifier.verify_and_parse_events(body, &signature)?;
//! assert_eq!(events[0].metrics.as_slice(), ["steps"]);
//!
//! // Store the key, and discard later bodies with the same key.
//! assert_eq!(content_key(body).to_string().len(), 64);
//! # Ok(())
//! # }
//! ```

mod content_key;
mod kind;
mod parse;
mod signature;
mod verify;

pub use content_key::{ContentKey, content_key};
pub use kind::{WebhookKind, detect_kind};
pub use parse::{parse_events, parse_lab_report, parse_nutrition, skipped_items};
pub use signature::sign;
pub(crate) use signature::{MIN_KEY_LENGTH, hex, signature};
pub use verify::{DEFAULT_BODY_LIMIT, SIGNATURE_HEADER, Verifier, VerifierBuilder};
