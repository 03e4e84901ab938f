//! Facts about an operation, and about its response.

mod answer;
mod asked;
mod interface;
mod provenance;
#[cfg(test)]
pub(crate) mod testing;

pub use answer::{RawResponse, Response, ResponseMetadata};
pub use asked::{NotRequested, Projection};
pub use interface::{Interface, NO_INTERFACE, ServiceMeta};
pub use provenance::Provenance;

/// The effect of a failed call, in ascending order of severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Certainly none.
    #[default]
    None,
    /// It may have taken effect; repeating it changes nothing.
    Repeatable,
    /// It may have taken effect; repeating it has a second effect.
    Once,
}

/// Whether a request may be retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetryClass {
    /// A read, without effect.
    Safe,
    /// Repeating it changes nothing more.
    Idempotent,
    /// Repeating it has a second effect: retried only if the request provably never left or was refused.
    Once,
}

/// Which timeouts apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeadlineClass {
    /// Immediate responses: 30 s per attempt and 60 s in total by default.
    Short,
    /// Uploads, and responses that wait for an analysis: 180 s per attempt and 240 s in total by default.
    Long,
}

/// Facts about one operation.
#[derive(Clone, Copy, Debug)]
pub struct OperationMeta {
    /// The operation's id, for example `get_sleep`.
    pub id: &'static str,
    /// Its group, for example `sleeps`.
    pub group: &'static str,
    /// Its name in the group, for example `get`.
    pub method_name: &'static str,
    /// The service it belongs to.
    pub service: &'static ServiceMeta,
    /// `GET`, `POST`, …
    pub http_method: &'static str,
    /// The path with its parameters' names, for example `/v3/sleeps/{id}`.
    pub path: &'static str,
    /// Whether the request has the service's token.
    pub authenticated: bool,
    /// Whether it may be retried.
    pub retry: RetryClass,
    /// Which timeouts apply.
    pub deadline: DeadlineClass,
    /// The statuses of success that the interface names; any other 2xx is read like the first.
    pub success: &'static [u16],
    /// Maximum request body that the service accepts, in bytes.
    pub max_request_bytes: Option<u64>,
    /// The query parameters that are lists.
    pub array_params: &'static [&'static str],
    /// The interface it is part of.
    #[doc(hidden)]
    pub interface: &'static Interface,
}

impl OperationMeta {
    /// Returns the stated status that represents a response's: every 2xx is a success, also one that the interface does not name.
    pub(crate) fn stated(&self, status: u16) -> u16 {
        if self.success.contains(&status) { status } else { self.success.first().copied().unwrap_or(status) }
    }

    /// Returns the effect of a request that the service may have read.
    pub(crate) fn effect(&self) -> Effect {
        match self.retry {
            RetryClass::Safe => Effect::None,
            RetryClass::Idempotent => Effect::Repeatable,
            RetryClass::Once => Effect::Once,
        }
    }
}
