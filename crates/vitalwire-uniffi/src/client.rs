//! The client object.

use std::sync::Arc;

use vitalwire::Client;
use vitalwire::client::CloseMode;

use crate::attempts::{self, AttemptListener};
use crate::call::{Driver, catch_panics};
use crate::error::ApiError;
use crate::generated::ClientOptions;
use crate::mock::MockResponses;
use crate::token::{ForeignTokenProvider, TokenProvider};

/// A client of the service. The Swift and Kotlin packages group its calls by resource.
#[derive(uniffi::Object)]
pub struct NativeClient {
    core: Client,
    driver: Driver,
}

impl NativeClient {
    pub(crate) fn core(&self) -> &Client {
        &self.core
    }

    /// Executor of its calls.
    pub(crate) fn driver(&self) -> Driver {
        self.driver
    }
}

#[uniffi::export]
impl NativeClient {
    /// Creates a client without sending a request.
    ///
    /// A token provider replaces the token of its service. With mock responses, base URLs and tokens that are not set get placeholders.
    /// `platform_trust` has the platform's root certificates as PEM text, because only the application can read them.
    #[uniffi::constructor(default(token_provider = None, care_token_provider = None, mock_responses = None, on_attempt = None, platform_trust = None))]
    pub fn new(
        options: ClientOptions,
        token_provider: Option<Arc<dyn TokenProvider>>,
        care_token_provider: Option<Arc<dyn TokenProvider>>,
        mock_responses: Option<Arc<MockResponses>>,
        on_attempt: Option<Arc<dyn AttemptListener>>,
        platform_trust: Option<String>,
    ) -> Result<Arc<Self>, ApiError> {
        catch_panics(|| {
            let mut builder = options.apply(Client::builder());
            if let Some(provider) = token_provider {
                builder = builder.token_provider(ForeignTokenProvider(provider));
            }
            if let Some(provider) = care_token_provider {
                builder = builder.care_token_provider(ForeignTokenProvider(provider));
            }
            if let Some(responses) = mock_responses {
                builder = builder.mock_responses(&responses.0);
            }
            if let Some(pem) = platform_trust {
                builder = builder.platform_trust(pem);
            }
            let driver = if on_attempt.is_some() { Driver::Caller } else { Driver::Runtime };
            if let Some(listener) = on_attempt {
                builder = builder.on_attempt(attempts::callback(listener));
            }
            Ok(Arc::new(Self { core: builder.build()?, driver }))
        })
    }

    /// Closes the client and its idle connections. New calls fail with kind `closed`. Calls in flight complete; with `abort_calls`, they
    /// fail with the same kind.
    pub fn shutdown(&self, abort_calls: bool) {
        self.core.close(if abort_calls { CloseMode::Abort } else { CloseMode::Drain });
    }
}
