//! Tokens: where they come from, and how they are kept until they are sent.

mod asking;
#[cfg(feature = "blocking")]
mod blocking;
mod cache;
mod token;

#[cfg(feature = "blocking")]
pub use blocking::BlockingProvider;
pub(crate) use cache::Auth;
pub(crate) use token::Secret;
pub use token::{BoxFuture, Token, TokenProvider, TokenReason};
