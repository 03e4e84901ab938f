//! Decides whether and when to retry an attempt.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::RetryPolicy;
use crate::operation::RetryClass;

/// Whether a failed attempt can be retried, and whether it may have taken effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryDecision {
    /// The request was never sent: any request may be retried.
    NotSent,
    /// A temporary failure, rejected before processing (429). Only requests that are safe to repeat are retried. The attempt had no effect.
    Rejected,
    /// A temporary failure that may have taken effect.
    MayHaveTakenEffect,
    /// The token was rejected: retry with a new one.
    NewToken,
    /// A permanent failure without effect.
    Permanent,
    /// A permanent failure that may have taken effect.
    PermanentMayHaveTakenEffect,
}

impl RetryDecision {
    /// Whether a request of this class may be retried after this failure.
    pub(super) fn allows(self, class: RetryClass, allow_resend: bool) -> bool {
        match self {
            Self::NotSent => true,
            Self::Rejected | Self::MayHaveTakenEffect => class != RetryClass::Once || allow_resend,
            Self::NewToken | Self::Permanent | Self::PermanentMayHaveTakenEffect => false,
        }
    }

    pub(super) fn may_have_taken_effect(self) -> bool {
        matches!(self, Self::MayHaveTakenEffect | Self::PermanentMayHaveTakenEffect)
    }
}

/// Whether a `Retry-After` is longer than the policy's cap.
fn exceeds_cap(policy: &RetryPolicy, retry_after: Duration) -> bool {
    retry_after > policy.retry_after_cap
}

/// Returns the delay before retry number `retry` (0 for the first): full jitter, but at least the `Retry-After`.
///
/// Returns `None` if the `Retry-After` exceeds the cap.
pub(crate) fn retry_delay(policy: &RetryPolicy, retry: u32, retry_after: Option<Duration>) -> Option<Duration> {
    if retry_after.is_some_and(|requested| exceeds_cap(policy, requested)) {
        return None;
    }
    let factor = 2_u32.saturating_pow(retry.min(31));
    let bound = policy.base_delay.saturating_mul(factor).min(policy.max_delay);
    let wait = bound.mul_f64(fastrand::f64()).max(retry_after.unwrap_or_default());
    Some(scaled(policy, wait))
}

/// Returns the pause for all calls after a response. Returns `None` without a `Retry-After`, or if it exceeds the cap.
pub(crate) fn pause_length(policy: &RetryPolicy, retry_after: Option<Duration>) -> Option<Duration> {
    retry_after.filter(|requested| !requested.is_zero() && !exceeds_cap(policy, *requested)).map(|requested| scaled(policy, requested))
}

fn scaled(policy: &RetryPolicy, wait: Duration) -> Duration {
    // Only a scale meant for tests is out of range: fall back to the unscaled delay.
    Duration::try_from_secs_f64(wait.as_secs_f64() * policy.delay_scale).unwrap_or(wait)
}

/// Cost of a retry, in units of the budget.
const RETRY_COST: u32 = 10;
/// Refill after a call that succeeds at its first attempt. A call that needed retries refills the cost of its last one.
const SUCCESS_GAIN: u32 = 1;

/// Limits the retries of all calls of a client together, so that a failing service is not flooded. Retries empty this token bucket, and
/// successful calls refill it.
pub(crate) struct RetryBudget {
    units: AtomicU32,
    full: u32,
}

impl RetryBudget {
    /// Creates a full bucket for this number of retries.
    pub(crate) fn new(retries: u32) -> Self {
        let full = retries.saturating_mul(RETRY_COST);
        Self { units: AtomicU32::new(full), full }
    }

    /// Takes one retry from the budget, if one is left.
    pub(super) fn take(&self) -> bool {
        self.units.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |units| units.checked_sub(RETRY_COST)).is_ok()
    }

    pub(super) fn record_success(&self, after_retry: bool) {
        let gain = if after_retry { RETRY_COST } else { SUCCESS_GAIN };
        let fill = |units: u32| (units < self.full).then(|| units.saturating_add(gain).min(self.full));
        // An error means that the bucket is full.
        let _ = self.units.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fill);
    }
}

#[cfg(test)]
mod tests;
