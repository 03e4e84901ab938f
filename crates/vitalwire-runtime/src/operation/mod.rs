//! What is known of an operation before it is called, and of its answer besides the value.

mod answer;
mod asked;
mod interface;
#[cfg(test)]
pub(crate) mod testing;

pub use answer::{RawResponse, Response, ResponseMeta};
pub use asked::{NotRequested, Projection};
pub use interface::{Interface, NO_INTERFACE, ServiceMeta};

/// What a failed call may have done, ordered by what a caller must mind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Surely nothing.
    #[default]
    None,
    /// Perhaps what it was to do, which a second time would not change.
    Repeatable,
    /// Perhaps what it was to do, which a second time would do twice.
    Once,
}

/// Whether a request may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetryClass {
    /// Reading: no effect.
    Safe,
    /// A second time changes nothing more.
    Idempotent,
    /// A second time would have a second effect: sent again only when the first provably never left or was refused.
    Once,
}

/// Which set of deadlines holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeadlineClass {
    /// Answered at once: 30 s an attempt, 60 s in all by default.
    Short,
    /// Uploads and answers that wait for an analysis: 180 s an attempt, 240 s in all by default.
    Long,
}

/// The facts of one operation.
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
    /// Whether the service's token goes with it.
    pub authenticated: bool,
    /// Whether it may be sent again.
    pub retry: RetryClass,
    /// Which deadlines hold.
    pub deadline: DeadlineClass,
    /// The statuses of success that the interface names; any other 2xx is read like the first.
    pub success: &'static [u16],
    /// Largest request body that the service takes, in bytes.
    pub max_request_bytes: Option<u64>,
    /// The query parameters that are lists.
    pub array_params: &'static [&'static str],
    /// The interface it is part of.
    #[doc(hidden)]
    pub interface: &'static Interface,
}

impl OperationMeta {
    /// The stated status that stands for an answer's: any 2xx is a success, also one that the interface does not name.
    pub(crate) fn stated(&self, status: u16) -> u16 {
        if self.success.contains(&status) { status } else { self.success.first().copied().unwrap_or(status) }
    }

    /// What the request may have done, where the service may have read it.
    pub(crate) fn effect(&self) -> Effect {
        match self.retry {
            RetryClass::Safe => Effect::None,
            RetryClass::Idempotent => Effect::Repeatable,
            RetryClass::Once => Effect::Once,
        }
    }
}
