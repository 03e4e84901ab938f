//! Stages of an upload's analysis. They follow from the clock alone, without a background task.

use jiff::Timestamp;

use crate::values::calendar::plus;

/// Returns the instant at which an analysis begins. It is queued for the first tenth of its duration.
pub(crate) fn processing_start(from: Timestamp, to: Timestamp) -> Timestamp {
    plus(from, from.duration_until(to) / 10)
}

/// Returns the status of an analysis that has not ended.
pub(crate) fn stage_at(from: Timestamp, to: Timestamp, now: Timestamp) -> Option<&'static str> {
    (now < to).then_some(if now < processing_start(from, to) { "pending" } else { "processing" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_follows_the_clock() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let stages: Vec<_> = [0, 9, 10, 99, 100].into_iter().map(|now| stage_at(at(0), at(100), at(now))).collect();
        assert_eq!(stages, [Some("pending"), Some("pending"), Some("processing"), Some("processing"), None]);
        assert_eq!(stage_at(at(5), at(5), at(5)), None);
    }
}
