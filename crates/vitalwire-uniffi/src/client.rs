//! The client object.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::Client;
use vitalwire::client::ClientBuilder;

use crate::call::ArrayStyle;
use crate::error::ApiError;
use crate::panics::{guarded, quiet_panics};
use crate::token::{Foreign, TokenProvider};

/// How a client is set up. Base URLs have no default; each service has its own token.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ClientOptions {
    /// Base URL of the health service.
    #[uniffi(default = None)]
    pub base_url: Option<String>,
    /// Base URL of the policy-benefits service.
    #[uniffi(default = None)]
    pub care_base_url: Option<String>,
    /// Token of the health service, where no provider gives it.
    #[uniffi(default = None)]
    pub token: Option<String>,
    /// Token of the policy-benefits service.
    #[uniffi(default = None)]
    pub care_token: Option<String>,
    /// How long a whole call may take, in milliseconds; holds for uploads too.
    #[uniffi(default = None)]
    pub timeout_ms: Option<u64>,
    /// How often a failed attempt may be tried again.
    #[uniffi(default = None)]
    pub max_retries: Option<u32>,
    /// A proxy's URL.
    #[uniffi(default = None)]
    pub proxy: Option<String>,
    /// A certificate authority to trust besides the platform's, as PEM.
    #[uniffi(default = None)]
    pub ca_certificate: Option<String>,
    /// Allows `http` to other machines, for an emulator.
    #[uniffi(default = false)]
    pub allow_plain_http: bool,
    /// Uses no proxy, whatever the environment says.
    #[uniffi(default = false)]
    pub no_proxy: bool,
    /// How lists travel in a query; repeated unless given.
    #[uniffi(default = None)]
    pub array_style: Option<ArrayStyle>,
    /// Text after this library's own name in the `User-Agent` header, such as `my-app/2.1`.
    #[uniffi(default = None)]
    pub user_agent: Option<String>,
    /// How many attempts may be on their way at once, each on a connection of its own; 64 unless given. Further calls are queued.
    #[uniffi(default = None)]
    pub max_connections: Option<u32>,
    /// Largest body of an answer, inflated, in bytes; 64 MiB unless given.
    #[uniffi(default = None)]
    pub max_response_bytes: Option<u64>,
    /// Whether answers may come packed; yes unless given.
    #[uniffi(default = None)]
    pub gzip: Option<bool>,
    /// Whether arguments that the service is known to refuse are refused before sending; yes unless given.
    #[uniffi(default = None)]
    pub local_checks: Option<bool>,
    /// Multiplies every wait between attempts; 1 unless given. For tests that cannot wait.
    #[uniffi(default = None)]
    pub retry_delay_scale: Option<f64>,
}

/// Shows no URL and no token.
impl fmt::Debug for ClientOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientOptions(..)")
    }
}

impl ClientOptions {
    /// How requests are written and sent.
    fn transport(&self, mut builder: ClientBuilder) -> ClientBuilder {
        if let Some(proxy) = &self.proxy {
            builder = builder.proxy(proxy);
        }
        if self.no_proxy {
            builder = builder.no_proxy();
        }
        if let Some(pem) = &self.ca_certificate {
            builder = builder.ca_certificate(pem.as_bytes());
        }
        if let Some(style) = self.array_style {
            builder = builder.array_style(style.into());
        }
        if let Some(text) = &self.user_agent {
            builder = builder.user_agent(text);
        }
        if let Some(connections) = self.max_connections {
            builder = builder.max_connections(usize::try_from(connections).unwrap_or(usize::MAX));
        }
        if let Some(bytes) = self.max_response_bytes {
            builder = builder.max_response_bytes(bytes);
        }
        if let Some(accept) = self.gzip {
            builder = builder.gzip(accept);
        }
        if let Some(check) = self.local_checks {
            builder = builder.local_checks(check);
        }
        if let Some(scale) = self.retry_delay_scale {
            builder = builder.retry_delay_scale(scale);
        }
        builder
    }
}

/// A client of the service; façades group its calls by resource.
#[derive(uniffi::Object)]
pub struct NativeClient {
    core: Client,
}

impl NativeClient {
    pub(crate) fn core(&self) -> &Client {
        &self.core
    }
}

#[uniffi::export]
impl NativeClient {
    /// Sets up a client; makes no call. A provider stands in for the token of its service.
    #[uniffi::constructor(default(token_provider = None, care_token_provider = None))]
    pub fn new(
        options: ClientOptions,
        token_provider: Option<Arc<dyn TokenProvider>>,
        care_token_provider: Option<Arc<dyn TokenProvider>>,
    ) -> Result<Arc<Self>, ApiError> {
        quiet_panics();
        guarded(|| Self::build(&options, token_provider, care_token_provider))
    }
}

impl NativeClient {
    fn build(
        options: &ClientOptions,
        token_provider: Option<Arc<dyn TokenProvider>>,
        care_token_provider: Option<Arc<dyn TokenProvider>>,
    ) -> Result<Arc<Self>, ApiError> {
        let mut builder = Client::builder().allow_plain_http(options.allow_plain_http);
        if let Some(url) = &options.base_url {
            builder = builder.base_url(url);
        }
        if let Some(url) = &options.care_base_url {
            builder = builder.care_base_url(url);
        }
        if let Some(token) = &options.token {
            builder = builder.token(token);
        }
        if let Some(token) = &options.care_token {
            builder = builder.care_token(token);
        }
        if let Some(provider) = token_provider {
            builder = builder.token_provider(Foreign(provider));
        }
        if let Some(provider) = care_token_provider {
            builder = builder.care_token_provider(Foreign(provider));
        }
        if let Some(timeout) = options.timeout_ms {
            let timeout = Duration::from_millis(timeout);
            builder = builder.total_timeout(timeout).long_total_timeout(timeout);
        }
        if let Some(retries) = options.max_retries {
            builder = builder.max_retries(retries);
        }
        Ok(Arc::new(Self { core: options.transport(builder).build()? }))
    }
}
