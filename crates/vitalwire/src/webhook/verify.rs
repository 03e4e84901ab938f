//! Whether a body was written by who holds a webhook key.

use std::fmt;
use std::sync::Arc;

use http::HeaderMap;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

use super::mac::{signature, unhex};
use super::parse::{parse_events, parse_lab_report, parse_nutrition};
use crate::error::{Error, ErrorKind};
use crate::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use vitalwire_runtime::auth::secret::{WEBHOOK_KEY, check_key};

/// The header with the signature. Names of headers are the same in either case.
pub const SIGNATURE_HEADER: &str = "X-Body-Signature";

/// The largest body that is checked unless another limit is set: 32 MiB.
pub const DEFAULT_BODY_LIMIT: usize = 32 * 1024 * 1024;

/// Checks the signatures of webhooks under one or several keys. A clone shares the keys.
///
/// Keys are overwritten when the last clone is dropped, and no text shows them. A check takes as long whichever key fits: all
/// are tried, and each comparison takes the same time wherever the signatures differ.
#[derive(Clone)]
pub struct Verifier {
    keys: Arc<[Zeroizing<Vec<u8>>]>,
    body_limit: usize,
}

impl Verifier {
    /// A verifier with the usual limit. Several keys serve a rotation: a signature under any of them is taken.
    ///
    /// A byte order mark before a key and line ends behind it are removed, as files add them. A key that is not UTF-8 is taken as it is.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`] without a key; with one that is empty or made of zero bytes, which anybody could sign with; and with one
    /// in quotes, with white space around it, with a line break in it or with `Bearer ` before it.
    pub fn new<K: AsRef<[u8]>>(keys: impl IntoIterator<Item = K>) -> Result<Self, Error> {
        Self::builder().keys(keys).build()
    }

    /// A verifier step by step.
    ///
    /// ```
    /// # fn main() -> Result<(), vitalwire::Error> {
    /// let verifier = vitalwire::webhook::Verifier::builder().key("a-webhook-key").body_limit(1024 * 1024).build()?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn builder() -> VerifierBuilder {
        VerifierBuilder { keys: Vec::new(), body_limit: DEFAULT_BODY_LIMIT, mistake: None }
    }

    /// Checks a body, as it came, against the value of its [`SIGNATURE_HEADER`]: 64 hex digits in either case, with white space
    /// around them or not.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Signature`] where the signature fits under no key or is no signature at all; [`ErrorKind::TooLarge`] for a
    /// body over the limit, whose signature is then not looked at.
    pub fn verify(&self, body: &[u8], signature_header: impl AsRef<[u8]>) -> Result<(), Error> {
        if body.len() > self.body_limit {
            return Err(Error::with_reason(ErrorKind::TooLarge, "the webhook's body is larger than the limit"));
        }
        let Some(given) = unhex(signature_header.as_ref().trim_ascii()) else {
            return Err(Error::with_reason(ErrorKind::Signature, "the webhook's signature is not 64 hex digits"));
        };
        // No early exit: the time tells neither which key fits nor how much of a signature does.
        let fits = self.keys.iter().fold(Choice::from(0), |fits, key| fits | signature(key, body).ct_eq(&given));
        if bool::from(fits) {
            return Ok(());
        }
        Err(Error::with_reason(ErrorKind::Signature, "the webhook's signature does not match its body"))
    }

    /// [`Verifier::verify`] with the signature out of the request's headers.
    ///
    /// # Errors
    ///
    /// As [`Verifier::verify`], and [`ErrorKind::Signature`] where the header is not there or is there more than once.
    pub fn verify_headers(&self, body: &[u8], headers: &HeaderMap) -> Result<(), Error> {
        self.verify_values(body, headers.get_all(SIGNATURE_HEADER))
    }

    /// [`Verifier::verify`] with all values of the request's [`SIGNATURE_HEADER`], for headers that are no [`HeaderMap`].
    ///
    /// # Errors
    ///
    /// As [`Verifier::verify_headers`].
    pub fn verify_values<V: AsRef<[u8]>>(&self, body: &[u8], values: impl IntoIterator<Item = V>) -> Result<(), Error> {
        let mut values = values.into_iter();
        match (values.next(), values.next()) {
            (Some(value), None) => self.verify(body, value),
            (None, _) => Err(Error::with_reason(ErrorKind::Signature, "the webhook has no signature")),
            (Some(_), Some(_)) => Err(Error::with_reason(ErrorKind::Signature, "the webhook has more than one signature")),
        }
    }

    /// [`Verifier::verify`], then [`parse_events`].
    ///
    /// # Errors
    ///
    /// As both.
    pub fn verify_and_parse_events(&self, body: &[u8], signature_header: impl AsRef<[u8]>) -> Result<Vec<WebhookEvent>, Error> {
        self.verify(body, signature_header)?;
        parse_events(body)
    }

    /// [`Verifier::verify`], then [`parse_lab_report`].
    ///
    /// # Errors
    ///
    /// As both.
    pub fn verify_and_parse_lab_report(&self, body: &[u8], signature_header: impl AsRef<[u8]>) -> Result<LabReportWebhook, Error> {
        self.verify(body, signature_header)?;
        parse_lab_report(body)
    }

    /// [`Verifier::verify`], then [`parse_nutrition`].
    ///
    /// # Errors
    ///
    /// As both.
    pub fn verify_and_parse_nutrition(&self, body: &[u8], signature_header: impl AsRef<[u8]>) -> Result<NutritionWebhook, Error> {
        self.verify(body, signature_header)?;
        parse_nutrition(body)
    }
}

/// Redacted: states how many keys there are.
impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, "Verifier", self.keys.len(), self.body_limit)
    }
}

/// Settings of a [`Verifier`].
pub struct VerifierBuilder {
    keys: Vec<Zeroizing<Vec<u8>>>,
    body_limit: usize,
    /// The reason for rejecting a key.
    mistake: Option<&'static str>,
}

impl VerifierBuilder {
    /// Adds a key, trimmed as [`Verifier::new`] says. The caller's own copy stays the caller's to overwrite.
    #[must_use]
    pub fn key(mut self, key: impl AsRef<[u8]>) -> Self {
        match check_key(key.as_ref(), &WEBHOOK_KEY) {
            Ok(key) => self.keys.push(Zeroizing::new(key.to_vec())),
            Err(reason) => self.mistake = self.mistake.or(Some(reason)),
        }
        self
    }

    /// Adds keys.
    #[must_use]
    pub fn keys<K: AsRef<[u8]>>(self, keys: impl IntoIterator<Item = K>) -> Self {
        keys.into_iter().fold(self, Self::key)
    }

    /// The largest body to check, in bytes; [`DEFAULT_BODY_LIMIT`] otherwise. A web server should refuse more before it reads it.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// The verifier.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`], as [`Verifier::new`].
    pub fn build(self) -> Result<Verifier, Error> {
        if let Some(reason) = self.mistake {
            return Err(Error::setting("webhook_key", reason));
        }
        if self.keys.is_empty() {
            return Err(Error::setting("webhook_key", "no webhook key is given"));
        }
        // HMAC fills a key up with zero bytes, so zero bytes alone are the same as no key.
        if self.keys.iter().any(|key| key.iter().all(|byte| *byte == 0)) {
            return Err(Error::setting("webhook_key", "a webhook key is empty"));
        }
        Ok(Verifier { keys: self.keys.into(), body_limit: self.body_limit })
    }
}

/// Redacted: states how many keys there are.
impl fmt::Debug for VerifierBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, "VerifierBuilder", self.keys.len(), self.body_limit)
    }
}

fn show(f: &mut fmt::Formatter<'_>, name: &str, keys: usize, body_limit: usize) -> fmt::Result {
    f.debug_struct(name).field("keys", &keys).field("body_limit", &body_limit).finish()
}
