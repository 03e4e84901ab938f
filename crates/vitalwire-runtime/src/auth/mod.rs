//! Tokens: where they come from, and how they are kept until they are sent.

mod cache;
mod token;

pub(crate) use cache::Auth;
pub(crate) use token::Secret;
pub use token::{BoxFuture, Token, TokenProvider, TokenReason};
