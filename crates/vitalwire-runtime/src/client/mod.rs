//! The client, its builder, the options of one call, raw access and answers.

mod builder;
mod call;
mod deferred;
mod env;
mod life;
mod prepare;
mod raw;
mod settings;
mod table_call;

use std::fmt;
use std::sync::Arc;

pub use builder::ClientBuilder;
pub use call::{Call, Operation};
pub use deferred::Deferred;
pub use life::CloseMode;
use life::Life;
pub use raw::RawRequest;

#[cfg(feature = "blocking")]
pub use crate::auth::BlockingProvider;
pub use crate::auth::{BoxFuture, ProviderContext, Token, TokenProvider, TokenReason};
use crate::error::Error;
use crate::operation::{Interface, ServiceMeta};
pub use crate::operation::{RawResponse, Response, ResponseMetadata};
use crate::transport::Shared;
pub use crate::transport::{ArrayStyle, CallOptions, CancelToken, RetryPolicy};
pub use crate::value::decode::{SkippedItem, SkippedItems};

/// A client of an interface. Cheap to clone: all clones share connections, tokens and retry budget.
#[derive(Clone)]
pub struct Client {
    life: Arc<Life>,
    /// What work of several calls goes on with after the client was closed.
    held: Option<Arc<Shared>>,
    interface: &'static Interface,
}

impl Client {
    /// Starts a client from nothing.
    pub fn builder(interface: &'static Interface) -> ClientBuilder {
        ClientBuilder::new(interface)
    }

    /// A client from environment variables; see [`ClientBuilder::from_env`].
    ///
    /// # Errors
    /// A configuration error that names the setting.
    pub fn from_env(interface: &'static Interface) -> Result<Self, Error> {
        ClientBuilder::from_env(interface)?.build()
    }

    /// Raw access: any path of a service, with the client's token, deadlines, retries and limits.
    ///
    /// The path begins with `/` and is appended to the service's base URL; the query is given by [`RawRequest::query`].
    pub fn request(&self, method: http::Method, service: &'static ServiceMeta, path: impl Into<String>) -> RawRequest {
        RawRequest::new(self.clone(), method, service, path.into())
    }

    /// What is known of its services.
    pub(crate) fn interface(&self) -> &'static Interface {
        self.interface
    }
}

/// States which services have a base URL. No URL, token or proxy is shown.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Client");
        if let Ok(shared) = self.shared() {
            for (service, endpoint) in self.interface.services.iter().zip(&shared.endpoints) {
                shown.field(service.name, &endpoint.base_url.is_some());
            }
        }
        shown.finish_non_exhaustive()
    }
}
