//! The client object.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::Client;

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
}

/// Shows no URL and no token.
impl fmt::Debug for ClientOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientOptions(..)")
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
    /// Sets up a client; makes no call.
    #[uniffi::constructor(default(token_provider = None))]
    pub fn new(options: ClientOptions, token_provider: Option<Arc<dyn TokenProvider>>) -> Result<Arc<Self>, ApiError> {
        quiet_panics();
        guarded(|| Self::build(&options, token_provider))
    }
}

impl NativeClient {
    fn build(options: &ClientOptions, token_provider: Option<Arc<dyn TokenProvider>>) -> Result<Arc<Self>, ApiError> {
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
        if let Some(timeout) = options.timeout_ms {
            let timeout = Duration::from_millis(timeout);
            builder = builder.total_timeout(timeout).long_total_timeout(timeout);
        }
        if let Some(retries) = options.max_retries {
            builder = builder.max_retries(retries);
        }
        if let Some(proxy) = &options.proxy {
            builder = builder.proxy(proxy);
        }
        if let Some(pem) = &options.ca_certificate {
            builder = builder.ca_certificate(pem.as_bytes());
        }
        Ok(Arc::new(Self { core: builder.build()? }))
    }
}
