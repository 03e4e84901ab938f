//! Token providers of the application.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use vitalwire::client::{self, BoxFuture, Token};
use vitalwire::error::BoxError;

use crate::error::ApiError;
use crate::failed_run::FailedRun;

/// A token and its lifetime.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct AccessToken {
    /// The token.
    pub secret: String,
    /// Lifetime from now in milliseconds; absent if unknown.
    #[uniffi(default = None)]
    pub lifetime_ms: Option<u64>,
}

/// Omits the token from debug output.
impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(..)")
    }
}

/// The token providers that run in a task.
///
/// A call that a provider makes to its own client fails immediately, because it would wait for the token that the provider has to return.
#[derive(uniffi::Object)]
pub struct ProviderContext {
    pub(crate) core: client::ProviderContext,
    run: u64,
}

#[uniffi::export]
impl ProviderContext {
    /// Makes this the context of the thread and returns the previous one. Enter that again when the provider leaves the thread.
    #[must_use]
    pub fn enter(&self) -> Arc<Self> {
        Arc::new(Self { core: self.core.enter(), run: self.run })
    }

    /// Returns the number of the provider's run, which no other run in the process has. Errors that the run causes have it, too.
    #[must_use]
    pub fn run_number(&self) -> u64 {
        self.run
    }
}

/// Reason why a token is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum RefreshReason {
    /// There is no token yet.
    Missing,
    /// The current token expires soon, or has expired.
    Expiring,
    /// The service rejected the current token.
    Rejected,
}

impl From<client::RefreshReason> for RefreshReason {
    fn from(reason: client::RefreshReason) -> Self {
        match reason {
            client::RefreshReason::Expiring => Self::Expiring,
            client::RefreshReason::Rejected => Self::Rejected,
            _ => Self::Missing,
        }
    }
}

/// Callback that returns tokens, implemented by the application. It gets them from its own server.
#[uniffi::export(foreign)]
#[async_trait::async_trait]
pub trait TokenProvider: Send + Sync {
    /// Returns a valid token. Calls of the provider run in `context`.
    async fn token(&self, reason: RefreshReason, context: Arc<ProviderContext>) -> Result<AccessToken, ApiError>;
}

/// Adapts a provider of the application to the core's trait.
pub(crate) struct ForeignTokenProvider(pub(crate) Arc<dyn TokenProvider>);

impl vitalwire::client::TokenProvider for ForeignTokenProvider {
    fn token(&self, reason: client::RefreshReason) -> BoxFuture<'_, Result<Token, BoxError>> {
        Box::pin(async move {
            static NEXT_RUN: AtomicU64 = AtomicU64::new(1);
            let run = NEXT_RUN.fetch_add(1, Ordering::Relaxed);
            let context = Arc::new(ProviderContext { core: client::ProviderContext::current().unwrap_or_default(), run });
            let token = self.0.token(reason.into(), context).await.map_err(|_| FailedRun(run))?;
            // A lifetime beyond the range of the clock never ends.
            let expires = token.lifetime_ms.and_then(|milliseconds| SystemTime::now().checked_add(Duration::from_millis(milliseconds)));
            Ok(match expires {
                Some(at) => Token::expiring(&token.secret, at),
                None => Token::new(&token.secret),
            })
        })
    }
}
