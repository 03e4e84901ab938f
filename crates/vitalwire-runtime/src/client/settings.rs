//! The settings of a client, one function for each. `crates/vitalwire-codegen/src/ir/faces` says what of them every language has.

use std::path::PathBuf;
use std::time::Duration;

use super::builder::TokenSource;
use super::{ArrayStyle, ClientBuilder, RetryPolicy, TokenProvider};
use crate::auth::Secret;
use crate::operation::ServiceMeta;
use crate::transport::hooks::AttemptEvent;
use crate::transport::mock::MockResponses;
use crate::transport::proxy::ProxyChoice;

impl ClientBuilder {
    /// Base URL of a service; a path in it is kept.
    #[must_use]
    pub fn base_url(mut self, service: &ServiceMeta, url: impl Into<String>) -> Self {
        if let Some(settings) = self.services.get_mut(service.index) {
            settings.base_url = Some(url.into());
        }
        self
    }

    /// A service's token, fixed. It is never shown, and overwritten when the client is dropped.
    #[must_use]
    pub fn token(mut self, service: &ServiceMeta, token: &str) -> Self {
        if let Some(settings) = self.services.get_mut(service.index) {
            settings.token = Some(TokenSource::Fixed(Secret::checked(token)));
        }
        self
    }

    /// Where a service's tokens come from.
    #[must_use]
    pub fn token_provider(mut self, service: &ServiceMeta, provider: impl TokenProvider) -> Self {
        if let Some(settings) = self.services.get_mut(service.index) {
            settings.token = Some(TokenSource::Provider(Box::new(provider)));
        }
        self
    }

    /// Allows plain http to any host. Tokens and health data then travel readable: for emulators and closed test networks.
    #[must_use]
    pub fn allow_plain_http(mut self, allow: bool) -> Self {
        self.allow_plain_http = allow;
        self
    }

    /// How long making a connection may take, TLS included; 10 s by default.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.deadlines.connect = Some(timeout);
        self
    }

    /// How long one attempt may take, from sending to the end of the answer; 30 s by default, 180 s for an upload.
    #[must_use]
    pub fn attempt_timeout(mut self, duration: Duration) -> Self {
        self.deadlines.attempt = Some(duration);
        self
    }

    /// How long a call may take in all: attempts, waits between them and getting a token; 60 s by default, 240 s for an upload.
    #[must_use]
    pub fn timeout(mut self, duration: Duration) -> Self {
        self.deadlines.total = Some(duration);
        self
    }

    /// How long one attempt of an upload may take, where that is not [`attempt_timeout`](Self::attempt_timeout).
    #[must_use]
    pub fn long_attempt_timeout(mut self, duration: Duration) -> Self {
        self.deadlines.long_attempt = Some(duration);
        self
    }

    /// How long an upload may take in all, where that is not [`timeout`](Self::timeout).
    #[must_use]
    pub fn long_timeout(mut self, duration: Duration) -> Self {
        self.deadlines.long_total = Some(duration);
        self
    }

    /// What every default timeout is multiplied by, of waits too, where networks are slow; 1 by default. What is given is not multiplied.
    #[must_use]
    pub fn deadline_scale(mut self, factor: f64) -> Self {
        self.deadlines.scale = Some(factor);
        self
    }

    /// How often a failed attempt is tried again; 2 by default.
    #[must_use]
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.retry.max_retries = retries;
        self
    }

    /// The whole retry policy.
    #[must_use]
    pub fn retry_policy(mut self, policy: RetryPolicy) -> Self {
        self.retry = RetryPolicy { delay_scale: self.retry.delay_scale, ..policy };
        self
    }

    /// Upper bound of the first wait before a retry, doubled at each further one; 250 ms by default.
    #[must_use]
    pub fn retry_base_delay(mut self, duration: Duration) -> Self {
        self.retry.base_delay = duration;
        self
    }

    /// Largest such bound; 8 s by default.
    #[must_use]
    pub fn retry_max_delay(mut self, duration: Duration) -> Self {
        self.retry.max_delay = duration;
        self
    }

    /// Longest wait that a service may ask for; 60 s by default. A longer one ends the call; the error has the wait.
    #[must_use]
    pub fn retry_after_cap(mut self, duration: Duration) -> Self {
        self.retry.retry_after_cap = duration;
        self
    }

    /// How many retries all calls of the client may make while nothing succeeds; 100 by default. Successes fill it up again.
    #[must_use]
    pub fn retry_budget(mut self, count: u32) -> Self {
        self.retry.budget = count;
        self
    }

    /// Multiplies every wait between attempts. For tests that cannot wait.
    #[doc(hidden)]
    #[must_use]
    pub fn retry_delay_scale(mut self, scale: f64) -> Self {
        self.retry.delay_scale = scale;
        self
    }

    /// Sends everything through this proxy (`http://` or `https://`, with a user and password if it wants them).
    #[must_use]
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.proxy = ProxyChoice::Fixed(url.into());
        self
    }

    /// Uses no proxy, whatever the environment says.
    #[must_use]
    pub fn no_proxy(mut self) -> Self {
        self.proxy = ProxyChoice::Never;
        self
    }

    /// Trusts the certificates of this PEM text too, beside the platform's.
    #[must_use]
    pub fn ca_certificate(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.certificates.push(pem.into());
        self
    }

    /// Trusts the certificates of a PEM file, or of the PEM files of a folder, too. It is read by [`build`](Self::build); certificates in
    /// it that nothing can be trusted by are passed over.
    #[must_use]
    pub fn ca_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.bundles.push(("ca_certificate", path.into()));
        self
    }

    /// Whether the file or folder that `REQUESTS_CA_BUNDLE` names is trusted too, and those of `SSL_CERT_FILE` and `SSL_CERT_DIR` on
    /// systems that do not read these themselves; not by default. For languages whose users expect it.
    #[must_use]
    pub fn ca_environment(mut self, honour: bool) -> Self {
        self.bundles_of_environment = honour;
        self
    }

    /// Trusts the certificates of this PEM text in place of the platform's own: what the platform trusts, where only the application's code
    /// can ask it, as on Android. Certificates in it that nothing can be trusted by are passed over.
    #[must_use]
    pub fn platform_trust(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.platform_trust = Some(pem.into());
        self
    }

    /// Trusts the certificates given by [`ca_certificate`](Self::ca_certificate) and its like, and no others.
    #[must_use]
    pub fn only_given_certificates(mut self, only: bool) -> Self {
        self.only_these_certificates = only;
        self
    }

    /// Accepts servers whose certificate, trusted as ever, has one of these keys, and no others: pins such as
    /// `sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=`, with `;` between them. A pin is the SHA-256 of a key (its
    /// SubjectPublicKeyInfo), in base64. Give a key in reserve too, and those of every service and https proxy.
    #[must_use]
    pub fn pinned_keys(mut self, pins: impl Into<String>) -> Self {
        self.pinned_keys = Some(pins.into());
        self
    }

    /// Text after this library's own name in the `User-Agent` header, such as `my-app/2.1`.
    #[must_use]
    pub fn user_agent(mut self, suffix: impl Into<String>) -> Self {
        self.user_agent = Some(suffix.into());
        self
    }

    /// How many attempts may be on their way at once, each on a connection of its own; 64 by default. Further calls are queued, outside of the
    /// attempt's deadline and inside of the total one.
    #[must_use]
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections;
        self
    }

    /// Largest body of an answer, inflated, in bytes; 64 MiB by default. A larger one is a `too_large` error.
    #[must_use]
    pub fn max_response_bytes(mut self, bytes: u64) -> Self {
        self.max_response_bytes = bytes;
        self
    }

    /// Whether answers may come compressed; yes by default.
    #[must_use]
    pub fn gzip(mut self, accept: bool) -> Self {
        self.gzip = accept;
        self
    }

    /// How lists travel in the query; repeated keys by default.
    #[must_use]
    pub fn array_style(mut self, style: ArrayStyle) -> Self {
        self.array_style = style;
        self
    }

    /// Whether arguments that the service is known to refuse are refused before sending; yes by default.
    #[must_use]
    pub fn local_checks(mut self, check: bool) -> Self {
        self.local_checks = check;
        self
    }

    /// Whether a list item that cannot be decoded is a decode error. By default it is left out, and
    /// [`Response::skipped_items`](crate::client::Response::skipped_items) names it. Defaults to false.
    #[must_use]
    pub fn strict_lists(mut self, strict: bool) -> Self {
        self.strict_lists = strict;
        self
    }

    /// Sets mock responses that answer every call from memory, for tests and previews. No service is called, and base URLs and tokens
    /// that are not set get placeholders.
    #[must_use]
    pub fn mock_responses(mut self, responses: &MockResponses) -> Self {
        self.mock_responses = Some(responses.clone());
        self
    }

    /// Calls this after every attempt, on the task that makes the call, which goes on when it returns: keep it short. What it panics with is
    /// dropped.
    ///
    /// A hook that blocks holds a thread of the runtime; other calls keep their deadlines while one is free. A blocking call that is alone
    /// drives its client's connections: while its hook blocks, others of that client may wait. Those of other clients go on.
    #[must_use]
    pub fn on_attempt(mut self, hook: impl Fn(&AttemptEvent) + Send + Sync + 'static) -> Self {
        self.hooks.add(hook);
        self
    }
}
