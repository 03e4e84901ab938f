//! What the service sends to a server of yours: checking that it is genuine, reading it, and telling a repetition.
//!
//! A body is signed with a webhook key, which is not the key that tokens are made with. Keys stay on servers: no mobile binding
//! takes one. A signature says who wrote the body and nothing about when: there is no event id and no protection against replay,
//! and the service sends a body again until it is answered with 200 within 30 seconds. So a receiver keeps the [`content_key`]s
//! of the bodies it has dealt with and leaves out what it knows already.
//!
//! ```
//! use vitalwire::webhook::{Verifier, content_key};
//!
//! # fn main() -> Result<(), vitalwire::Error> {
//! // Two keys while one takes the other's place.
//! let verifier = Verifier::new(["the-new-webhook-key", "the-old-webhook-key"])?;
//!
//! // Always the raw bytes as they came: JSON that was read and written again has another signature.
//! let body = br#"[{"application_user_id":"user-7","event_type":"record_change","metrics":["steps"]}]"#;
//! # let signature = vitalwire::webhook::sign(body, "the-old-webhook-key");
//! let events = verifier.verify_and_parse_events(body, &signature)?;
//! assert_eq!(events[0].metrics.as_slice(), ["steps"]);
//!
//! // Store this, and drop what comes with the same key again.
//! assert_eq!(content_key(body).to_string().len(), 64);
//! # Ok(())
//! # }
//! ```

mod content;
mod kind;
mod mac;
mod parse;
mod verify;

pub use content::{ContentKey, content_key};
pub use kind::{WebhookKind, detect_kind};
pub use mac::sign;
pub(crate) use mac::{hex, signature};
pub use parse::{parse_events, parse_lab_report, parse_nutrition, skipped_items};
pub use verify::{DEFAULT_BODY_LIMIT, SIGNATURE_HEADER, Verifier, VerifierBuilder};
