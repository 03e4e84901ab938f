//! From a request to an answer: token, attempts, deadlines, retries, limits, hooks.

mod attempt;
pub(crate) mod auth;
mod body;
mod classify;
mod coding;
mod connect;
pub(crate) mod deadlines;
mod execute;
pub(crate) mod hooks;
mod meta;
pub(crate) mod proxy;
pub(crate) mod queue;
pub(crate) mod retry;
pub(crate) mod retry_after;
mod status;
#[cfg(test)]
mod tests;
pub(crate) mod tls;

pub(crate) use connect::ConnectLimit;
pub(crate) use execute::execute;
pub use hooks::AttemptEvent;
pub use meta::{DeadlineClass, OperationMeta, RetryClass};
