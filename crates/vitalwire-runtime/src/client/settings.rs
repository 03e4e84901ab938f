//! Client settings, one method each. `crates/vitalwire-codegen/src/ir/features` lists the settings of every language.

use std::path::PathBuf;
use std::time::Duration;

use zeroize::Zeroizing;

use super::builder::TokenSource;
use super::{ArrayStyle, ClientBuilder, RetryPolicy, TokenProvider};
use crate::auth::Secret;
use crate::operation::ServiceMeta;
use crate::transport::callbacks::Attempt;
use crate::transport::client_certificate::ClientCertificate;
use crate::transport::mock::MockResponses;
use crate::transport::proxy::ProxyChoice;

impl ClientBuilder {
    /// Base URL of a service. A path in it is kept.
    #[must_use]
    pub fn base_url(mut self, service: &ServiceMeta, url: impl Into<String>) -> Self {
        if let Some(settings) = self.services.get_mut(service.index) {
            settings.base_url = Some(url.into());
        }
        self
    }

    /// Fixed access token for a service. It is never shown, and its memory is overwritten when the client is released.
    #[must_use]
    pub fn token(mut self, service: &ServiceMeta, token: &str) -> Self {
        if let Some(settings) = self.services.get_mut(service.index) {
            settings.token = Some(TokenSource::Fixed(Secret::parse(token)));
            settings.token_url = None;
        }
        self
    }

    /// Binds the token to the origin of a URL.
    pub(super) fn with_token_url(mut self, service: &ServiceMeta, url: Option<String>) -> Self {
        if let Some(settings) = self.services.get_mut(service.index) {
            settings.token_url = url;
        }
        self
    }

    /// Callback that supplies access tokens for a service.
    #[must_use]
    pub fn token_provider(mut self, service: &ServiceMeta, provider: impl TokenProvider) -> Self {
        if let Some(settings) = self.services.get_mut(service.index) {
            settings.token = Some(TokenSource::Provider(Box::new(provider)));
            settings.token_url = None;
        }
        self
    }

    /// Allows http URLs of any host. Tokens and health data then travel unencrypted. Use it for emulators and closed test networks.
    /// Defaults to false.
    #[must_use]
    pub fn allow_plain_http(mut self, allow: bool) -> Self {
        self.allow_plain_http = allow;
        self
    }

    /// Maximum time to connect, including the TLS handshake. Defaults to 10 seconds.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.deadlines.connect = Some(timeout);
        self
    }

    /// Maximum time for one attempt, from sending the request to the end of the response. Defaults to 30 seconds, or 180 seconds for
    /// uploads.
    #[must_use]
    pub fn attempt_timeout(mut self, duration: Duration) -> Self {
        self.deadlines.attempt = Some(duration);
        self
    }

    /// Maximum time for a call, including all attempts, the delays between them and getting a token. Defaults to 60 seconds, or 240 seconds
    /// for uploads.
    #[must_use]
    pub fn timeout(mut self, duration: Duration) -> Self {
        self.deadlines.total = Some(duration);
        self
    }

    /// Maximum time for one attempt of an upload. Defaults to the attempt timeout if that is set, otherwise 180 seconds.
    #[must_use]
    pub fn upload_attempt_timeout(mut self, duration: Duration) -> Self {
        self.deadlines.long_attempt = Some(duration);
        self
    }

    /// Maximum time for an upload, including all attempts. Defaults to the timeout if that is set, otherwise 240 seconds.
    #[must_use]
    pub fn upload_timeout(mut self, duration: Duration) -> Self {
        self.deadlines.long_total = Some(duration);
        self
    }

    /// Multiplier for all default timeouts, including those of waits. Use it on slow networks. Timeouts that are set explicitly are not
    /// scaled. Defaults to 1.
    #[must_use]
    pub fn timeout_scale(mut self, factor: f64) -> Self {
        self.deadlines.scale = Some(factor);
        self
    }

    /// Maximum number of retries of a call. 0 disables retries. Defaults to 2.
    #[must_use]
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.retry.max_retries = retries;
        self
    }

    /// Retry policy: replaces all retry settings at once.
    #[must_use]
    pub fn retry_policy(mut self, policy: RetryPolicy) -> Self {
        self.retry = RetryPolicy { delay_scale: self.retry.delay_scale, ..policy };
        self
    }

    /// Maximum backoff delay before the first retry, doubled for each further retry. The actual delay is random between 0 and this maximum.
    /// Defaults to 250 milliseconds.
    #[must_use]
    pub fn retry_base_delay(mut self, duration: Duration) -> Self {
        self.retry.base_delay = duration;
        self
    }

    /// Maximum backoff delay. Defaults to 8 seconds.
    #[must_use]
    pub fn retry_max_delay(mut self, duration: Duration) -> Self {
        self.retry.max_delay = duration;
        self
    }

    /// Maximum `Retry-After` delay to wait for. If the service asks for a longer delay, the call fails and the error has the delay.
    /// Defaults to 60 seconds.
    #[must_use]
    pub fn retry_after_cap(mut self, duration: Duration) -> Self {
        self.retry.retry_after_cap = duration;
        self
    }

    /// Maximum number of retries of all calls together while no call succeeds. Successful calls refill this budget. Defaults to 100.
    #[must_use]
    pub fn retry_budget(mut self, count: u32) -> Self {
        self.retry.budget = count;
        self
    }

    /// Multiplier for all delays between attempts, for tests. Defaults to 1.
    #[doc(hidden)]
    #[must_use]
    pub fn retry_delay_scale(mut self, scale: f64) -> Self {
        self.retry.delay_scale = scale;
        self
    }

    /// URL of a proxy for all requests (`http://` or `https://`, with a user and password if it requires them). Loopback hosts are contacted
    /// directly, unless the proxy is on loopback, too. Defaults to the proxy of the environment.
    #[must_use]
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.proxy = ProxyChoice::Fixed(url.into());
        self
    }

    /// Disables proxies, including those of the environment.
    #[must_use]
    pub fn no_proxy(mut self) -> Self {
        self.proxy = ProxyChoice::Never;
        self
    }

    /// PEM certificates to trust in addition to the platform's.
    #[must_use]
    pub fn ca_certificate(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.certificates.push(pem.into());
        self
    }

    /// PEM file, or folder of PEM files, with certificates to trust in addition to the platform's. It is read when the client is created.
    /// Certificates in it that cannot be trust anchors are skipped.
    #[must_use]
    pub fn ca_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.bundles.push(("ca_certificate", path.into()));
        self
    }

    /// Also trusts the certificates of the file or folder that `REQUESTS_CA_BUNDLE` names. The same holds for `SSL_CERT_FILE` and
    /// `SSL_CERT_DIR` on systems that do not read these variables themselves. Defaults to false.
    #[must_use]
    pub fn ca_environment(mut self, honour: bool) -> Self {
        self.ca_environment = honour;
        self
    }

    /// PEM certificates to trust instead of the platform's own. Use it if only the application's code can read the platform's trust store,
    /// as on Android.
    #[must_use]
    pub fn platform_trust(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.platform_trust = Some(pem.into());
        self
    }

    /// Trusts only your own certificates, not the platform's. Defaults to false.
    #[must_use]
    pub fn only_custom_certificates(mut self, only: bool) -> Self {
        self.only_custom_certificates = only;
        self
    }

    /// Public keys to pin: a server's certificate must be trusted and have one of these keys. Pins look like
    /// `sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=` and are separated by `;`. Each is the base64 SHA-256 hash of a key (its
    /// SubjectPublicKeyInfo). Include a backup key, and the keys of every service and https proxy.
    #[must_use]
    pub fn pinned_keys(mut self, pins: impl Into<String>) -> Self {
        self.pinned_keys = Some(pins.into());
        self
    }

    /// PEM client certificate, for services that require one: the certificate, its chain and its private key. The key must not be
    /// encrypted. It is never shown. A proxy with an https URL can request the certificate, too.
    #[must_use]
    pub fn client_certificate(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.client_certificate = Some(ClientCertificate::Pem(Zeroizing::new(pem.into())));
        self
    }

    /// PEM file with a client certificate, its chain and its private key, instead of their text. It is read when the client is created.
    /// Make it readable only by its owner.
    #[must_use]
    pub fn client_certificate_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.client_certificate = Some(ClientCertificate::File(path.into()));
        self
    }

    /// Text to append to the `User-Agent` header, such as `my-app/2.1`.
    #[must_use]
    pub fn user_agent(mut self, suffix: impl Into<String>) -> Self {
        self.user_agent = Some(suffix.into());
        self
    }

    /// Maximum number of attempts in flight, each on its own connection. Further calls are queued. Time in the queue counts towards the
    /// timeout of the call, not of the attempt. Defaults to 64.
    #[must_use]
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections;
        self
    }

    /// Maximum number of requests per second, including retries, from 0.001 to 1,000,000. Only Rust has this setting. Defaults to no limit.
    ///
    /// Requests are sent at even intervals, and no more than this number, rounded down, arrive at the services in any second. Responses with
    /// status 429 or 503 reduce the rate for a while. Waiting counts towards the timeout of the call, not of the attempt.
    #[must_use]
    pub fn max_requests_per_second(mut self, requests: f64) -> Self {
        self.max_requests_per_second = Some(requests);
        self
    }

    /// Maximum size of a response body after decompression, in bytes. A larger body is a `too_large` error. Defaults to 64 MiB.
    #[must_use]
    pub fn max_response_bytes(mut self, bytes: u64) -> Self {
        self.max_response_bytes = bytes;
        self
    }

    /// Accepts compressed responses. Defaults to true.
    #[must_use]
    pub fn accept_gzip(mut self, accept: bool) -> Self {
        self.accept_gzip = accept;
        self
    }

    /// Encoding of lists in query strings. Defaults to repeated keys.
    #[must_use]
    pub fn array_style(mut self, style: ArrayStyle) -> Self {
        self.array_style = style;
        self
    }

    /// Validates arguments before sending, and rejects those that the service is known to reject. Defaults to true.
    #[must_use]
    pub fn client_side_validation(mut self, check: bool) -> Self {
        self.client_side_validation = check;
        self
    }

    /// Fails with a decode error if a list item cannot be decoded. Otherwise the item is left out and listed in the response's skipped
    /// items. Defaults to false.
    #[must_use]
    pub fn strict_lists(mut self, strict: bool) -> Self {
        self.strict_lists = strict;
        self
    }

    /// Mock responses that answer every call from memory, for tests and previews. No service is called, retries are not delayed, and base
    /// URLs and tokens that are not set get placeholders.
    #[must_use]
    pub fn mock_responses(mut self, responses: &MockResponses) -> Self {
        self.mock_responses = Some(responses.clone());
        self
    }

    /// Called after every attempt, on the task that runs the call. The call continues when the callback returns, so it must
    /// return quickly.
    ///
    /// Panics of the callback are discarded. A callback that blocks occupies a thread of the runtime; other calls keep their timeouts while
    /// another thread is free. A blocking call that runs alone drives the connections of its client: while its callback blocks, other calls
    /// of that client may wait, but not those of other clients.
    #[must_use]
    pub fn on_attempt(mut self, callback: impl Fn(&Attempt) + Send + Sync + 'static) -> Self {
        self.callbacks.add(callback);
        self
    }
}
