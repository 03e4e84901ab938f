//! The client object.

use std::sync::Arc;

use vitalwire::Client;

use crate::call::guarded;
use crate::error::ApiError;
use crate::generated::ClientOptions;
use crate::token::{Foreign, TokenProvider};

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
        guarded(|| Self::build(&options, token_provider, care_token_provider))
    }
}

impl NativeClient {
    fn build(
        options: &ClientOptions,
        token_provider: Option<Arc<dyn TokenProvider>>,
        care_token_provider: Option<Arc<dyn TokenProvider>>,
    ) -> Result<Arc<Self>, ApiError> {
        let mut builder = options.tell(Client::builder());
        if let Some(provider) = token_provider {
            builder = builder.token_provider(Foreign(provider));
        }
        if let Some(provider) = care_token_provider {
            builder = builder.care_token_provider(Foreign(provider));
        }
        Ok(Arc::new(Self { core: builder.build()? }))
    }
}
