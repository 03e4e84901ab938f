//! The client, its builder, call options, raw requests and responses.

mod body_file;
mod builder;
mod call;
mod env;
mod lazy_response;
mod lifecycle;
mod prepare;
mod prepared_upload;
mod raw;
mod settings;
mod table_call;
mod upload_receipt;

use std::fmt;
use std::sync::Arc;

pub use builder::ClientBuilder;
pub use call::{Call, Operation};
pub use lazy_response::LazyResponse;
pub use lifecycle::CloseMode;
use lifecycle::Lifecycle;
pub use prepared_upload::{PreparedUpload, UploadOperation};
pub use raw::RawRequest;

#[cfg(feature = "blocking")]
pub use crate::auth::BlockingProvider;
pub use crate::auth::{BoxFuture, ProviderContext, RefreshReason, Token, TokenProvider};
use crate::error::Error;
use crate::operation::{Interface, ServiceMeta};
pub use crate::operation::{RawResponse, Response, ResponseMetadata};
use crate::transport::ClientState;
pub use crate::transport::{ArrayStyle, CallOptions, CancelToken, RetryPolicy};
use crate::value::Timestamp;
pub use crate::value::decode::{SkippedItem, SkippedItems};

/// A client of an interface. Cheap to clone: all clones share connections, tokens and the retry budget.
#[derive(Clone)]
pub struct Client {
    lifecycle: Arc<Lifecycle>,
    /// Keeps the connections of a running task after the client was closed.
    kept_state: Option<Arc<ClientState>>,
    interface: &'static Interface,
}

impl Client {
    /// Creates a builder with default settings.
    pub fn builder(interface: &'static Interface) -> ClientBuilder {
        ClientBuilder::new(interface)
    }

    /// Creates a client from environment variables. See [`ClientBuilder::from_env`].
    ///
    /// # Errors
    /// `configuration` if a variable is invalid. [`Error::argument`] names it.
    pub fn from_env(interface: &'static Interface) -> Result<Self, Error> {
        ClientBuilder::from_env(interface)?.build()
    }

    /// Creates a request to any path of a service. Uses the client's token, timeouts, retries and limits.
    ///
    /// `path` begins with `/` and is appended to the base URL of the service. Set query parameters with [`RawRequest::query`].
    pub fn request(&self, method: http::Method, service: &'static ServiceMeta, path: impl Into<String>) -> RawRequest {
        RawRequest::new(self.clone(), method, service, path.into())
    }

    /// Returns the time of a service's clock: the `Date` header of its last response, plus the time since then. Returns `None` before the
    /// first response with a valid `Date` header, and after the client was closed.
    ///
    /// The header states whole seconds, and the response takes a moment to arrive.
    #[must_use]
    pub fn service_time(&self, service: &ServiceMeta) -> Option<Timestamp> {
        self.state().ok()?.last_response(service)?.service_time()
    }

    /// Returns the data set of the sandbox that sent a service's last response, such as `seed=7`. Returns `None` if the service is not a
    /// sandbox, before its first response, and after the client was closed.
    #[must_use]
    pub fn sandbox(&self, service: &ServiceMeta) -> Option<String> {
        self.state().ok()?.last_response(service)?.sandbox()
    }

    /// Returns the base URL of a service. Returns `None` if it has none, and after the client was closed.
    #[must_use]
    pub fn base_url(&self, service: &ServiceMeta) -> Option<String> {
        Some(self.state().ok()?.base_url(service).ok()?.as_str().to_owned())
    }

    /// Returns the SHA-256 of the user that a service's current token names, or of the token. `None` before the first token.
    #[doc(hidden)]
    #[must_use]
    pub fn token_user_digest(&self, service: &ServiceMeta) -> Option<[u8; 32]> {
        Some(self.state().ok()?.auth(service).ok()?.cached()?.user_digest())
    }

    pub(crate) fn interface(&self) -> &'static Interface {
        self.interface
    }
}

/// Redacted: shows which services have a base URL, but no URL, token or proxy.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Client");
        if let Ok(state) = self.state() {
            for (service, endpoint) in self.interface.services.iter().zip(&state.endpoints) {
                debug.field(service.name, &endpoint.base_url.is_some());
            }
        }
        debug.finish_non_exhaustive()
    }
}
