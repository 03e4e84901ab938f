//! Static descriptions of operations, and their responses.

mod interface;
mod projection;
mod provenance;
mod response;
#[cfg(test)]
pub(crate) mod testing;

pub use interface::{EMPTY_INTERFACE, Interface, ServiceMeta};
pub use projection::{Projection, UnrequestedTable};
pub use provenance::Provenance;
pub use response::{RawResponse, Response, ResponseMetadata};

/// Effect that a failed call may have had, in ascending order of severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Certainly no effect.
    #[default]
    None,
    /// May have taken effect. A second request would have no further effect.
    Repeatable,
    /// May have taken effect. A second request would have a second effect.
    Once,
}

/// Class of a request that decides whether it may be retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetryClass {
    /// A read: no effect.
    Safe,
    /// Idempotent: a second request has no further effect.
    Idempotent,
    /// A second request has a second effect. Retried only if nothing was sent, or once with a new token after a 401.
    /// [`CallOptions::allow_resend`](crate::client::CallOptions::allow_resend) allows more.
    Once,
}

/// Class of a request that decides which default timeouts apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeadlineClass {
    /// Requests with an immediate response. Defaults to 30 seconds per attempt and 60 seconds in total.
    Short,
    /// Uploads, and requests whose response waits for an analysis. Defaults to 180 seconds per attempt and 240 seconds in total.
    Long,
}

/// Static description of an operation.
#[derive(Clone, Copy, Debug)]
pub struct OperationMeta {
    /// Id, for example `get_sleep`.
    pub id: &'static str,
    /// Group of operations, for example `sleeps`.
    pub group: &'static str,
    /// Name within the group, for example `get`.
    pub method_name: &'static str,
    /// Service that offers the operation.
    pub service: &'static ServiceMeta,
    /// HTTP method, for example `GET`.
    pub http_method: &'static str,
    /// Path with parameter names, for example `/v3/sleeps/{id}`.
    pub path: &'static str,
    /// Whether requests carry the service's token.
    pub authenticated: bool,
    /// Whether requests may be retried.
    pub retry: RetryClass,
    /// Default timeouts that apply.
    pub deadline: DeadlineClass,
    /// Success statuses that the interface lists. Any other 2xx is decoded like the first of them.
    pub success: &'static [u16],
    /// Maximum size of a request body that the service accepts, in bytes.
    pub max_request_bytes: Option<u64>,
    /// Names of the query parameters that are lists.
    pub array_params: &'static [&'static str],
    /// Interface that the operation belongs to.
    #[doc(hidden)]
    pub interface: &'static Interface,
}

impl OperationMeta {
    /// Returns the listed status to decode a response by. Every 2xx is a success, even if the interface does not list it.
    pub(crate) fn documented_status(&self, status: u16) -> u16 {
        if self.success.contains(&status) { status } else { self.success.first().copied().unwrap_or(status) }
    }

    /// Returns the effect of a request that the service may have received.
    pub(crate) fn effect(&self) -> Effect {
        match self.retry {
            RetryClass::Safe => Effect::None,
            RetryClass::Idempotent => Effect::Repeatable,
            RetryClass::Once => Effect::Once,
        }
    }
}
