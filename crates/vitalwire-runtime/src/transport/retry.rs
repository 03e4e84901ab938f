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
mod tests {
    use super::*;

    #[test]
    fn backoff_delays_are_evenly_distributed_up_to_their_bound() {
        let policy = RetryPolicy::default();
        // Expected values: 250 ms, doubled for each retry, at most 8 s.
        for (retry, bound) in [(0, 250), (1, 500), (2, 1000), (4, 4000), (5, 8000), (6, 8000), (40, 8000)] {
            let waits: Vec<_> = (0..4000).map(|_| retry_delay(&policy, retry, None).expect("a wait").as_secs_f64() * 1000.0).collect();
            let (bound, mean) = (f64::from(bound), waits.iter().sum::<f64>() / 4000.0);
            assert!(waits.iter().all(|wait| (0.0..=bound).contains(wait)));
            assert!((mean / bound - 0.5).abs() < 0.05, "mean {mean} of {bound}");
            assert!(waits.iter().any(|wait| *wait < bound * 0.1) && waits.iter().any(|wait| *wait > bound * 0.9));
        }
    }

    #[test]
    fn a_retry_after_up_to_the_cap_is_respected() {
        let policy = RetryPolicy::default();
        assert_eq!(retry_delay(&policy, 0, Some(Duration::from_secs(7))), Some(Duration::from_secs(7)));
        assert_eq!(retry_delay(&policy, 0, Some(Duration::from_secs(60))), Some(Duration::from_secs(60)));
        assert_eq!(retry_delay(&policy, 0, Some(Duration::from_secs(61))), None);
        assert_eq!(retry_delay(&policy, 0, Some(Duration::MAX)), None);
        assert!(retry_delay(&policy, 0, Some(Duration::ZERO)).expect("a wait") <= Duration::from_millis(250));
        let tests = RetryPolicy { delay_scale: 0.01, ..policy };
        assert_eq!(retry_delay(&tests, 0, Some(Duration::from_secs(7))), Some(Duration::from_millis(70)));
    }

    #[test]
    fn retries_empty_the_budget_and_successes_fill_it() {
        let budget = RetryBudget::new(2);
        assert!(budget.take() && budget.take() && !budget.take());
        (0..9).for_each(|_| budget.record_success(false));
        assert!(!budget.take());
        budget.record_success(false);
        assert!(budget.take() && !budget.take());
        (0..100).for_each(|_| budget.record_success(true));
        assert!(budget.take() && budget.take() && !budget.take());
    }

    #[test]
    fn an_upload_is_retried_only_if_it_was_not_sent() {
        for decision in [RetryDecision::Rejected, RetryDecision::MayHaveTakenEffect] {
            assert!(decision.allows(RetryClass::Safe, false) && decision.allows(RetryClass::Idempotent, false));
            assert!(!decision.allows(RetryClass::Once, false) && decision.allows(RetryClass::Once, true));
        }
        assert!(RetryDecision::NotSent.allows(RetryClass::Once, false));
        for decision in [RetryDecision::NewToken, RetryDecision::Permanent, RetryDecision::PermanentMayHaveTakenEffect] {
            assert!(!decision.allows(RetryClass::Safe, true));
        }
    }
}
