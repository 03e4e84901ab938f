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
