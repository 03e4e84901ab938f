//! Signature verification.

use std::fmt;
use std::sync::Arc;

use http::HeaderMap;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

use super::parse::{parse_events, parse_lab_report, parse_nutrition};
use super::signature::{MIN_KEY_LENGTH, signature, unhex};
use crate::error::{Error, ErrorKind};
use crate::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use vitalwire_runtime::auth::secret::{WEBHOOK_KEY, check_key};

/// Name of the header with the signature. Header names are case-insensitive.
pub const SIGNATURE_HEADER: &str = "X-Body-Signature";

/// Default of [`VerifierBuilder::body_limit`]: 32 MiB.
pub const DEFAULT_BODY_LIMIT: usize = 32 * 1024 * 1024;

/// Verifies webhook signatures with one or more keys. Clones share the keys.
///
/// Keys are overwritten in memory when the last clone is dropped. `Debug` never shows them. Verification always tries all keys and compares
/// in constant time, so its duration reveals nothing about them.
#[derive(Clone)]
pub struct Verifier {
    keys: Arc<[Zeroizing<Vec<u8>>]>,
    body_limit: usize,
}

impl Verifier {
    /// Creates a verifier with the default body limit. A signature by any of the keys is accepted, which allows key rotation.
    ///
    /// A leading byte order mark and trailing line ends of a key are removed, because editors add them to files. Keys need not be UTF-8.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`] in these cases:
    /// * There is no key, or a key is shorter than 16 bytes or consists of zero bytes, so that somebody else could sign.
    /// * A key is quoted, surrounded by white space, contains a line break, or begins with `Bearer `.
    pub fn new<K: AsRef<[u8]>>(keys: impl IntoIterator<Item = K>) -> Result<Self, Error> {
        Self::builder().keys(keys).build()
    }

    /// Creates a builder, to change the body limit.
    ///
    /// ```
    /// # fn main() -> Result<(), vitalwire::Error> {
    /// let verifier = vitalwire::webhook::Verifier::builder().key("a-webhook-key-of-yours").body_limit(1024 * 1024).build()?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn builder() -> VerifierBuilder {
        VerifierBuilder { keys: Vec::new(), body_limit: DEFAULT_BODY_LIMIT, invalid_key: None }
    }

    /// Verifies the raw body against the value of its [`SIGNATURE_HEADER`]: 64 hex digits in either case. White space around them is
    /// ignored.
    ///
    /// # Errors
    ///
    /// * [`ErrorKind::Signature`] if the value is not a signature, or matches no key.
    /// * [`ErrorKind::TooLarge`] if the body exceeds the limit. The signature is not checked then.
    pub fn verify(&self, body: &[u8], signature_header: impl AsRef<[u8]>) -> Result<(), Error> {
        if body.len() > self.body_limit {
            return Err(Error::with_reason(ErrorKind::TooLarge, "the webhook's body is larger than the limit"));
        }
        let Some(sent) = unhex(signature_header.as_ref().trim_ascii()) else {
            return Err(Error::with_reason(ErrorKind::Signature, "the webhook's signature must be 64 hex digits"));
        };
        // No early exit: the duration must not reveal which key matches, or how much of a signature does.
        let matches = self.keys.iter().fold(Choice::from(0), |matches, key| matches | signature(key, body).ct_eq(&sent));
        if bool::from(matches) {
            return Ok(());
        }
        Err(Error::with_reason(ErrorKind::Signature, "the webhook's signature does not match its body"))
    }

    /// Verifies the raw body against the signature in the request's headers.
    ///
    /// # Errors
    ///
    /// * Errors of [`Verifier::verify`].
    /// * [`ErrorKind::Signature`] if the header is missing or occurs more than once.
    pub fn verify_headers(&self, body: &[u8], headers: &HeaderMap) -> Result<(), Error> {
        self.verify_values(body, headers.get_all(SIGNATURE_HEADER))
    }

    /// Verifies the raw body against all values of the [`SIGNATURE_HEADER`], for requests without a [`HeaderMap`].
    ///
    /// # Errors
    ///
    /// Same as [`Verifier::verify_headers`].
    pub fn verify_values<V: AsRef<[u8]>>(&self, body: &[u8], values: impl IntoIterator<Item = V>) -> Result<(), Error> {
        let mut values = values.into_iter();
        match (values.next(), values.next()) {
            (Some(value), None) => self.verify(body, value),
            (None, _) => Err(Error::with_reason(ErrorKind::Signature, "the webhook has no signature")),
            (Some(_), Some(_)) => Err(Error::with_reason(ErrorKind::Signature, "the webhook has more than one signature")),
        }
    }

    /// Verifies the body with [`Verifier::verify`], then decodes it with [`parse_events`].
    ///
    /// # Errors
    ///
    /// Same as both functions.
    pub fn verify_and_parse_events(&self, body: &[u8], signature_header: impl AsRef<[u8]>) -> Result<Vec<WebhookEvent>, Error> {
        self.verify(body, signature_header)?;
        parse_events(body)
    }

    /// Verifies the body with [`Verifier::verify`], then decodes it with [`parse_lab_report`].
    ///
    /// # Errors
    ///
    /// Same as both functions.
    pub fn verify_and_parse_lab_report(&self, body: &[u8], signature_header: impl AsRef<[u8]>) -> Result<LabReportWebhook, Error> {
        self.verify(body, signature_header)?;
        parse_lab_report(body)
    }

    /// Verifies the body with [`Verifier::verify`], then decodes it with [`parse_nutrition`].
    ///
    /// # Errors
    ///
    /// Same as both functions.
    pub fn verify_and_parse_nutrition(&self, body: &[u8], signature_header: impl AsRef<[u8]>) -> Result<NutritionWebhook, Error> {
        self.verify(body, signature_header)?;
        parse_nutrition(body)
    }
}

/// Redacted: shows the number of keys only.
impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_redacted(f, "Verifier", self.keys.len(), self.body_limit)
    }
}

/// A builder for [`Verifier`]; made by [`Verifier::builder`].
pub struct VerifierBuilder {
    keys: Vec<Zeroizing<Vec<u8>>>,
    body_limit: usize,
    /// Reason why the first invalid key was rejected.
    invalid_key: Option<&'static str>,
}

impl VerifierBuilder {
    /// Adds a key, trimmed as in [`Verifier::new`]. The key is copied; overwriting the caller's copy is up to the caller.
    #[must_use]
    pub fn key(mut self, key: impl AsRef<[u8]>) -> Self {
        match check_key(key.as_ref(), &WEBHOOK_KEY) {
            Ok(key) => self.keys.push(Zeroizing::new(key.to_vec())),
            Err(reason) => self.invalid_key = self.invalid_key.or(Some(reason)),
        }
        self
    }

    /// Adds several keys, as [`key`](Self::key) does.
    #[must_use]
    pub fn keys<K: AsRef<[u8]>>(self, keys: impl IntoIterator<Item = K>) -> Self {
        keys.into_iter().fold(self, Self::key)
    }

    /// Sets the maximum size of a body, in bytes. A web server should enforce it before it reads the body. Defaults to
    /// [`DEFAULT_BODY_LIMIT`].
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// Builds the verifier.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`], as in [`Verifier::new`].
    pub fn build(self) -> Result<Verifier, Error> {
        if let Some(reason) = self.invalid_key {
            return Err(Error::invalid_setting("webhook_key", reason));
        }
        if self.keys.is_empty() {
            return Err(Error::invalid_setting("webhook_key", "at least one webhook key is required"));
        }
        // HMAC pads keys with zero bytes, so a key of zero bytes equals an empty key.
        if self.keys.iter().any(|key| key.iter().all(|byte| *byte == 0)) {
            return Err(Error::invalid_setting("webhook_key", "a webhook key must not be empty"));
        }
        if self.keys.iter().any(|key| key.len() < MIN_KEY_LENGTH) {
            return Err(Error::invalid_setting("webhook_key", "a webhook key must be at least 16 bytes long"));
        }
        Ok(Verifier { keys: self.keys.into(), body_limit: self.body_limit })
    }
}

/// Redacted: shows the number of keys only.
impl fmt::Debug for VerifierBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_redacted(f, "VerifierBuilder", self.keys.len(), self.body_limit)
    }
}

fn debug_redacted(f: &mut fmt::Formatter<'_>, name: &str, keys: usize, body_limit: usize) -> fmt::Result {
    f.debug_struct(name).field("keys", &keys).field("body_limit", &body_limit).finish()
}
