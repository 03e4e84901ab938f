//! The settings of a client.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};
use tokio::sync::Semaphore;

use super::{ArrayStyle, Client, RetryPolicy, TokenProvider};
use crate::auth::{Auth, Secret};
use crate::error::Error;
use crate::operation::{Interface, ServiceMeta};
use crate::transport::ca_bundle::{self, Bundle};
use crate::transport::deadlines::Deadlines;
use crate::transport::hooks::{AttemptEvent, Hooks};
use crate::transport::proxy::{self, ProxyChoice};
use crate::transport::queue::Queue;
use crate::transport::retry::Budget;
use crate::transport::{BaseUrl, ConnectLimit, Endpoint, Shared, tls};

/// Attempts on their way at once by default: less than the file descriptors of any usual process, more than any usual service answers at once.
const MAX_CONNECTIONS: usize = 64;
/// Largest body of an answer by default: 64 MiB, inflated; ten years of hours are about 47 MB.
const MAX_RESPONSE_BYTES: u64 = 64 << 20;
/// How long an unused connection is kept. Short, so that an upload rarely meets one that the service is just closing.
const POOL_IDLE: Duration = Duration::from_secs(30);

/// Where a service's token comes from.
pub(super) enum TokenSource {
    Fixed(Result<Secret, &'static str>),
    Provider(Box<dyn TokenProvider>),
}

/// One service's settings.
#[derive(Default)]
pub(super) struct ServiceSettings {
    pub(super) base_url: Option<String>,
    pub(super) token: Option<TokenSource>,
}

/// Makes a [`Client`]. Settings are checked by [`build`](Self::build).
///
/// There is no default base URL. A service without one can stay unused: its calls are configuration errors.
pub struct ClientBuilder {
    pub(super) interface: &'static Interface,
    /// In the order of the interface's services.
    pub(super) services: Vec<ServiceSettings>,
    pub(super) allow_plain_http: bool,
    pub(super) deadlines: Deadlines,
    pub(super) retry: RetryPolicy,
    pub(super) proxy: ProxyChoice,
    pub(super) certificates: Vec<Vec<u8>>,
    pub(super) bundles: Vec<Bundle>,
    pub(super) bundles_of_environment: bool,
    pub(super) only_these_certificates: bool,
    pub(super) user_agent: Option<String>,
    pub(super) max_connections: usize,
    pub(super) max_response_bytes: u64,
    pub(super) gzip: bool,
    pub(super) array_style: ArrayStyle,
    pub(super) local_checks: bool,
    pub(super) hooks: Hooks,
}

impl ClientBuilder {
    /// The defaults, without base URLs and tokens. Proxies are taken from the environment.
    #[must_use]
    pub fn new(interface: &'static Interface) -> Self {
        Self {
            interface,
            services: interface.services.iter().map(|_| ServiceSettings::default()).collect(),
            allow_plain_http: false,
            deadlines: Deadlines::default(),
            retry: RetryPolicy::default(),
            proxy: ProxyChoice::Environment,
            certificates: Vec::new(),
            bundles: Vec::new(),
            bundles_of_environment: false,
            only_these_certificates: false,
            user_agent: None,
            max_connections: MAX_CONNECTIONS,
            max_response_bytes: MAX_RESPONSE_BYTES,
            gzip: true,
            array_style: ArrayStyle::default(),
            local_checks: true,
            hooks: Hooks::default(),
        }
    }

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
        self.deadlines.connect = timeout;
        self
    }

    /// How long one attempt of an ordinary call may take; 30 s by default.
    #[must_use]
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.deadlines.attempt = timeout;
        self
    }

    /// How long an ordinary call may take in all; 60 s by default.
    #[must_use]
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.deadlines.total = timeout;
        self
    }

    /// How long one attempt of an upload may take; 180 s by default.
    #[must_use]
    pub fn long_attempt_timeout(mut self, timeout: Duration) -> Self {
        self.deadlines.long_attempt = timeout;
        self
    }

    /// How long an upload may take in all; 240 s by default.
    #[must_use]
    pub fn long_total_timeout(mut self, timeout: Duration) -> Self {
        self.deadlines.long_total = timeout;
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

    /// Trusts the certificates given by [`ca_certificate`](Self::ca_certificate) and its like, and no others.
    #[must_use]
    pub fn only_given_certificates(mut self, only: bool) -> Self {
        self.only_these_certificates = only;
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

    /// Calls this after every attempt, on the task that makes the call: keep it short.
    #[must_use]
    pub fn on_attempt(mut self, hook: impl Fn(&AttemptEvent) + Send + Sync + 'static) -> Self {
        self.hooks.add(hook);
        self
    }

    /// Checks all settings and makes the client. Nothing is sent, and no certificate store is read before the first https connection.
    ///
    /// # Errors
    /// A configuration error; [`Error::argument`] names the setting, and no text quotes its value.
    pub fn build(self) -> Result<Client, Error> {
        let plain = self.allow_plain_http;
        let configured = self.interface.services.iter().zip(self.services);
        let endpoints = configured.map(|(meta, settings)| endpoint(meta, settings, plain)).collect::<Result<Vec<_>, Error>>()?;
        if !self.retry.delay_scale.is_finite() || self.retry.delay_scale < 0.0 {
            return Err(Error::setting("retry_delay_scale", "not a factor"));
        }
        if !(1..=Semaphore::MAX_PERMITS).contains(&self.max_connections) {
            return Err(Error::setting("max_connections", "must be at least 1"));
        }

        let mut bundles = self.bundles;
        if self.bundles_of_environment {
            bundles.extend(ca_bundle::of_environment(|name| std::env::var_os(name)));
        }
        let bundles = bundles.iter().map(|bundle| Ok((bundle.0, ca_bundle::read(bundle)?))).collect::<Result<Vec<_>, Error>>()?;
        let roots = tls::Roots::from_pem(&self.certificates, &bundles, self.only_these_certificates)?;
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::client_config(roots)?)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            // Bodies are unpacked by `transport/coding.rs`, whatever other crates of a program let the library do.
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .pool_idle_timeout(POOL_IDLE)
            .connector_layer(ConnectLimit::layer(self.deadlines.connect))
            .default_headers(default_headers(self.interface, self.user_agent.as_deref(), self.gzip)?);
        let http = proxy::apply(http, &self.proxy)?;
        // The cause may quote a proxy URL with its password, so it is not kept.
        let http = http.build().map_err(|_| Error::configuration("the HTTP client cannot be set up with these settings"))?;

        Ok(Client::from_inner(Shared {
            interface: self.interface,
            http,
            endpoints,
            deadlines: self.deadlines,
            budget: Budget::new(self.retry.budget),
            queue: Queue::new(self.max_connections, self.interface.services.len()),
            retry: self.retry,
            hooks: self.hooks,
            max_response_bytes: self.max_response_bytes,
            array_style: self.array_style,
            local_checks: self.local_checks,
        }))
    }
}

fn endpoint(meta: &ServiceMeta, settings: ServiceSettings, plain: bool) -> Result<Endpoint, Error> {
    let base_url = settings.base_url.map(|url| BaseUrl::parse(&url, meta.base_url, plain)).transpose()?;
    Ok(Endpoint { base_url, auth: auth(settings.token, meta.token)? })
}

fn auth(source: Option<TokenSource>, setting: &'static str) -> Result<Option<Auth>, Error> {
    match source {
        None => Ok(None),
        Some(TokenSource::Fixed(Ok(secret))) => Ok(Some(Auth::fixed(secret))),
        Some(TokenSource::Fixed(Err(reason))) => Err(Error::setting(setting, reason)),
        Some(TokenSource::Provider(provider)) => Ok(Some(Auth::provider(provider))),
    }
}

fn default_headers(interface: &Interface, suffix: Option<&str>, gzip: bool) -> Result<HeaderMap, Error> {
    let mut agent = format!("{}/{} ({}; {})", interface.client, interface.version, std::env::consts::OS, std::env::consts::ARCH);
    if let Some(suffix) = suffix.map(str::trim).filter(|suffix| !suffix.is_empty()) {
        agent.push(' ');
        agent.push_str(suffix);
    }
    let agent = HeaderValue::try_from(agent).map_err(|_| Error::setting("user_agent", "not a header value"))?;
    let mut headers = HeaderMap::new();
    headers.insert(header::USER_AGENT, agent);
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, application/problem+json"));
    if gzip {
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(headers)
}

/// URLs, tokens, certificates and proxies are not shown.
impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("deadlines", &self.deadlines)
            .field("retry", &self.retry)
            .field("max_connections", &self.max_connections)
            .field("max_response_bytes", &self.max_response_bytes)
            .field("gzip", &self.gzip)
            .field("array_style", &self.array_style)
            .field("local_checks", &self.local_checks)
            .finish_non_exhaustive()
    }
}
