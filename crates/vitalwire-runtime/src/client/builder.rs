//! The client builder and its validation.

use std::fmt;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};
use tokio::sync::Semaphore;

use super::{ArrayStyle, Client, RetryPolicy, TokenProvider};
use crate::auth::{Auth, Secret};
use crate::defaults;
use crate::error::Error;
use crate::operation::{Interface, ServiceMeta};
use crate::transport::ca_bundle::{self, Bundle};
use crate::transport::callbacks::AttemptCallbacks;
use crate::transport::client_certificate::ClientCertificate;
use crate::transport::deadlines::DeadlineSettings;
use crate::transport::head;
use crate::transport::mock::{MockResponses, PLACEHOLDER_TOKEN, PLACEHOLDER_URL};
use crate::transport::pins::Pins;
use crate::transport::proxy::{self, ProxyChoice};
use crate::transport::queue::RequestQueue;
use crate::transport::retry::RetryBudget;
use crate::transport::{BaseUrl, CancelToken, ClientState, ConnectLimit, Endpoint, loopback, tls};

/// Keep-alive time of unused connections. It is short, so that an upload rarely picks a connection that the service is about to close.
const POOL_IDLE: Duration = Duration::from_secs(30);

pub(super) enum TokenSource {
    Fixed(Result<Secret, &'static str>),
    Provider(Box<dyn TokenProvider>),
}

#[derive(Default)]
pub(super) struct ServiceSettings {
    pub(super) base_url: Option<String>,
    pub(super) token: Option<TokenSource>,
    /// Base URL that the environment sets together with the token. `None` if it sets no base URL, or if the token is not from the
    /// environment.
    pub(super) token_url: Option<String>,
}

impl ServiceSettings {
    /// Sets a placeholder URL and token if they are missing, for mock responses.
    fn fill_placeholders(&mut self) {
        self.base_url.get_or_insert_with(|| PLACEHOLDER_URL.to_owned());
        self.token.get_or_insert_with(|| TokenSource::Fixed(Secret::parse(PLACEHOLDER_TOKEN)));
    }
}

/// A builder for [`Client`]. [`build`](Self::build) validates the settings.
///
/// There is no default base URL. Calls of a service without a base URL fail with a configuration error; other services work.
pub struct ClientBuilder {
    pub(super) interface: &'static Interface,
    /// In the order of [`Interface::services`].
    pub(super) services: Vec<ServiceSettings>,
    pub(super) allow_plain_http: bool,
    pub(super) deadlines: DeadlineSettings,
    pub(super) retry: RetryPolicy,
    pub(super) proxy: ProxyChoice,
    pub(super) certificates: Vec<Vec<u8>>,
    pub(super) bundles: Vec<Bundle>,
    pub(super) ca_environment: bool,
    pub(super) platform_trust: Option<Vec<u8>>,
    pub(super) only_custom_certificates: bool,
    pub(super) pinned_keys: Option<String>,
    pub(super) client_certificate: Option<ClientCertificate>,
    pub(super) user_agent: Option<String>,
    pub(super) max_connections: usize,
    pub(super) max_requests_per_second: Option<f64>,
    pub(super) max_response_bytes: u64,
    pub(super) accept_gzip: bool,
    pub(super) array_style: ArrayStyle,
    pub(super) client_side_validation: bool,
    pub(super) strict_lists: bool,
    pub(super) callbacks: AttemptCallbacks,
    pub(super) mock_responses: Option<MockResponses>,
}

impl ClientBuilder {
    /// Creates a builder with default settings, without base URLs and tokens. Proxies are read from the environment.
    #[must_use]
    pub fn new(interface: &'static Interface) -> Self {
        Self {
            interface,
            services: interface.services.iter().map(|_| ServiceSettings::default()).collect(),
            allow_plain_http: defaults::ALLOW_PLAIN_HTTP,
            deadlines: DeadlineSettings::default(),
            retry: RetryPolicy::default(),
            proxy: ProxyChoice::Environment,
            certificates: Vec::new(),
            bundles: Vec::new(),
            ca_environment: defaults::CA_ENVIRONMENT,
            platform_trust: None,
            only_custom_certificates: defaults::ONLY_CUSTOM_CERTIFICATES,
            pinned_keys: None,
            client_certificate: None,
            user_agent: None,
            max_connections: defaults::MAX_CONNECTIONS,
            max_requests_per_second: None,
            max_response_bytes: defaults::MAX_RESPONSE_BYTES,
            accept_gzip: defaults::ACCEPT_GZIP,
            array_style: ArrayStyle::default(),
            client_side_validation: defaults::CLIENT_SIDE_VALIDATION,
            strict_lists: defaults::STRICT_LISTS,
            callbacks: AttemptCallbacks::default(),
            mock_responses: None,
        }
    }

    /// Validates all settings and creates the client. Opens no connection. The certificate store is read before the first https connection.
    ///
    /// # Errors
    /// `configuration` if a setting is invalid. [`Error::argument`] names it; the text never contains its value.
    pub fn build(self) -> Result<Client, Error> {
        let (plain, deadlines) = (self.allow_plain_http, self.deadlines.or_defaults());
        let mut services = self.services;
        let mut retry = self.retry;
        if self.mock_responses.is_some() {
            services.iter_mut().for_each(ServiceSettings::fill_placeholders);
            retry.delay_scale = 0.0;
        }
        let configured = self.interface.services.iter().zip(services);
        let endpoints = configured.map(|(meta, settings)| endpoint(meta, settings, plain)).collect::<Result<Vec<_>, Error>>()?;
        if !self.retry.delay_scale.is_finite() || self.retry.delay_scale < 0.0 {
            return Err(Error::invalid_setting("retry_delay_scale", "must be a finite number of at least 0"));
        }
        if !deadlines.scale.is_finite() || deadlines.scale <= 0.0 {
            return Err(Error::invalid_setting("timeout_scale", "must be a finite number above 0"));
        }
        if !(1..=Semaphore::MAX_PERMITS).contains(&self.max_connections) {
            return Err(Error::invalid_setting("max_connections", "must be at least 1"));
        }
        if self.max_requests_per_second.is_some_and(|rate| !(0.001..=1e6).contains(&rate)) {
            return Err(Error::invalid_setting("max_requests_per_second", "must be from 0.001 to 1,000,000 requests a second"));
        }

        let mut bundles = self.bundles;
        if self.ca_environment {
            bundles.extend(ca_bundle::from_environment(|name| std::env::var_os(name)));
        }
        let bundles = bundles.iter().map(|bundle| Ok((bundle.0, ca_bundle::read(bundle)?))).collect::<Result<Vec<_>, Error>>()?;
        let roots = tls::Roots::from_pem(&self.certificates, &bundles, self.platform_trust.as_deref(), self.only_custom_certificates)?;
        let pins = self.pinned_keys.as_deref().map(Pins::parse).transpose()?;
        let certificate = self.client_certificate.as_ref().map(ClientCertificate::load).transpose()?;
        let headers = default_headers(self.interface, self.user_agent.as_deref(), self.accept_gzip)?;
        let Self { interface, proxy, max_connections, max_response_bytes, array_style, callbacks, mock_responses, .. } = self;
        let (rate, client_side_validation, strict_lists) = (self.max_requests_per_second, self.client_side_validation, self.strict_lists);
        Client::with_state(interface, move || {
            let http = reqwest::Client::builder()
                .tls_backend_preconfigured(tls::client_config(&roots, pins.as_ref(), certificate.as_ref())?)
                .redirect(reqwest::redirect::Policy::none())
                .retry(reqwest::retry::never())
                .referer(false)
                // `transport/content_coding.rs` decompresses bodies, whichever features of reqwest other crates of the program enable.
                .no_gzip()
                .no_brotli()
                .no_deflate()
                .no_zstd()
                .http1_max_headers(head::MAX_HEADERS)
                .pool_idle_timeout(POOL_IDLE)
                .connector_layer(ConnectLimit::layer(deadlines.connect))
                .default_headers(headers.clone());
            let http = endpoints.iter().filter_map(|endpoint| endpoint.base_url.as_ref()).map(BaseUrl::url).fold(http, loopback::pin);
            // Drop the cause: it may contain a proxy URL with its password.
            let http = proxy::apply(http, &proxy)?
                .build()
                .map_err(|_| Error::configuration("the HTTP client cannot be set up with these settings"))?;
            Ok(ClientState {
                http,
                default_headers: headers.clone(),
                mock_responses: mock_responses.clone(),
                endpoints: endpoints.iter().map(Endpoint::for_new_process).collect(),
                deadlines,
                budget: RetryBudget::new(retry.budget),
                queue: RequestQueue::new(max_connections, interface.services.len(), rate),
                retry,
                callbacks: callbacks.clone(),
                max_response_bytes,
                array_style,
                client_side_validation,
                strict_lists,
                close_token: CancelToken::new(),
            })
        })
    }
}

fn endpoint(meta: &ServiceMeta, settings: ServiceSettings, plain: bool) -> Result<Endpoint, Error> {
    let base_url = settings.base_url.map(|url| BaseUrl::parse(&url, meta, plain)).transpose()?;
    if let (Some(url), Some(home)) = (&base_url, settings.token_url)
        && BaseUrl::parse(&home, meta, true).map_or(true, |home| home.url().origin() != url.url().origin())
    {
        return Err(Error::invalid_setting(meta.base_url, meta.other_origin));
    }
    Ok(Endpoint { base_url, auth: auth(settings.token, meta.token)?, ..Endpoint::default() })
}

fn auth(source: Option<TokenSource>, setting: &'static str) -> Result<Option<Auth>, Error> {
    match source {
        None => Ok(None),
        Some(TokenSource::Fixed(Ok(secret))) => Ok(Some(Auth::fixed(secret))),
        Some(TokenSource::Fixed(Err(reason))) => Err(Error::invalid_setting(setting, reason)),
        Some(TokenSource::Provider(provider)) => Ok(Some(Auth::provider(provider.into()))),
    }
}

fn default_headers(interface: &Interface, suffix: Option<&str>, accept_gzip: bool) -> Result<HeaderMap, Error> {
    let mut agent = format!("{}/{} ({}; {})", interface.client, interface.version, std::env::consts::OS, std::env::consts::ARCH);
    if let Some(suffix) = suffix.map(str::trim).filter(|suffix| !suffix.is_empty()) {
        agent.push(' ');
        agent.push_str(suffix);
    }
    let agent = HeaderValue::try_from(agent).map_err(|_| Error::invalid_setting("user_agent", "must be a valid header value"))?;
    let mut headers = HeaderMap::new();
    headers.insert(header::USER_AGENT, agent);
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, application/problem+json"));
    if accept_gzip {
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(headers)
}

/// Redacted: shows no URLs, tokens, certificates or proxies.
impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("deadlines", &self.deadlines.or_defaults())
            .field("retry", &self.retry)
            .field("max_connections", &self.max_connections)
            .field("max_requests_per_second", &self.max_requests_per_second)
            .field("max_response_bytes", &self.max_response_bytes)
            .field("accept_gzip", &self.accept_gzip)
            .field("array_style", &self.array_style)
            .field("client_side_validation", &self.client_side_validation)
            .field("strict_lists", &self.strict_lists)
            .finish_non_exhaustive()
    }
}
