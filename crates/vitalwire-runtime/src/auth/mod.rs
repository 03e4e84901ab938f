//! Authentication: token providers and the token cache.
//!
//! Implement [`TokenProvider`], or pass a function, to supply tokens on demand.

#[cfg(feature = "blocking")]
mod blocking;
mod cache;
mod provider_context;
mod provider_failure;
#[doc(hidden)]
pub mod secret;
mod token;

#[cfg(feature = "blocking")]
pub use blocking::BlockingProvider;
pub(crate) use cache::Auth;
pub use provider_context::ProviderContext;
pub(crate) use token::Secret;
pub use token::{BoxFuture, RefreshReason, Token, TokenProvider};
