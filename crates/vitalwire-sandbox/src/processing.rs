//! Durations of analyses on the sandbox's clock, and waiting for them.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::clock::Clock;
use crate::records::StoredMeal;
use crate::records::lab_report::LabReport;
use crate::records::nutrition::{AnalysisOutcome, Meal};
use crate::store::{DocumentKind, Store, StoreError};
use crate::values::calendar::plus;
use crate::webhooks::{Notice, Webhooks};

/// Failure reason of a synchronous upload that timed out.
const TIMED_OUT: &str = "Analysis timed out";

#[derive(Clone, Copy, Debug)]
pub(crate) enum AnalysisDuration {
    /// The same duration for all.
    Fixed(Duration),
    /// Publicly stated durations: 4 to 30 seconds for meals, 10 to 60 for lab reports. Derived from the contents, so that they are
    /// reproducible.
    Typical,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum AnalysisKind {
    Meal,
    /// Takes half as long as a precise one.
    FastMeal,
    Report,
}

/// Schedule of an analysis that begins now.
pub(crate) struct AnalysisSchedule {
    pub(crate) ready_at: Timestamp,
    /// Failure reason if a caller waits and the analysis takes too long.
    pub(crate) failure: Option<&'static str>,
}

impl AnalysisDuration {
    fn for_analysis(self, kind: AnalysisKind, key: u64) -> Duration {
        let between = |least: u64, most: u64| Duration::from_millis(least + key % (most - least + 1));
        match (self, kind) {
            (Self::Fixed(time), AnalysisKind::Meal | AnalysisKind::Report) => time,
            (Self::Fixed(time), AnalysisKind::FastMeal) => time / 2,
            (Self::Typical, AnalysisKind::Meal) => between(4_000, 30_000),
            (Self::Typical, AnalysisKind::FastMeal) => between(4_000, 30_000) / 2,
            (Self::Typical, AnalysisKind::Report) => between(10_000, 60_000),
        }
    }
}

/// Schedules analyses and waits for them.
pub(crate) struct Processing {
    store: Arc<Store>,
    clock: Arc<Clock>,
    webhooks: Webhooks,
    duration: AnalysisDuration,
    /// Timeout of a synchronous upload, in sandbox time and in real time.
    wait_limit: Duration,
}

impl Processing {
    pub(crate) fn new(store: Arc<Store>, clock: Arc<Clock>, webhooks: Webhooks, duration: AnalysisDuration, wait_limit: Duration) -> Self {
        Self { store, clock, webhooks, duration, wait_limit }
    }

    /// Schedules the analysis of an upload that arrives now. `key` is derived from its contents.
    pub(crate) fn schedule(&self, kind: AnalysisKind, key: u64, now: Timestamp, wait: bool) -> AnalysisSchedule {
        let (time, limit) = (self.duration.for_analysis(kind, key), self.wait_limit);
        let failure = (wait && time > limit).then_some(TIMED_OUT);
        let time = if failure.is_some() { limit } else { time };
        AnalysisSchedule { ready_at: plus(now, SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX)), failure }
    }

    /// Waits on the sandbox's clock. Returns false if the real-time limit is exceeded first, for example because the clock is stopped.
    async fn wait_until(&self, at: Timestamp) -> bool {
        at <= self.clock.now() || tokio::time::timeout(self.wait_limit, self.clock.sleep_until(at)).await.is_ok()
    }

    /// Waits for the analysis of a stored nutrition record. Marks it as failed on timeout.
    pub(crate) async fn wait_for_meal(&self, user: &str, meal: Meal) -> Result<Meal, StoreError> {
        if self.wait_until(meal.ready_at).await {
            return Ok(meal);
        }
        let (now, id) = (self.clock.now(), meal.id.to_string());
        let end = move |stored: Option<StoredMeal>| match stored {
            // The analysis has ended meanwhile, or the record was changed.
            Some(StoredMeal::Saved(stored)) if stored.ready_at <= now || stored.modified_at != meal.modified_at => (None, (*stored, false)),
            Some(StoredMeal::Saved(stored)) => {
                let ended = Meal { outcome: AnalysisOutcome::Failed(TIMED_OUT.into()), ready_at: now, ..*stored };
                (Some((ended.listed_at(), StoredMeal::Saved(Box::new(ended.clone())))), (ended, true))
            }
            // The record was deleted meanwhile.
            _ => (None, (Meal { outcome: AnalysisOutcome::Failed(TIMED_OUT.into()), ready_at: now, ..meal }, false)),
        };
        let (meal, ended) = self.store.update(DocumentKind::Meal, user, &id, end).await?;
        if ended {
            self.webhooks.announce(Notice::Meal { user: user.to_owned(), id: meal.id }, meal.ready_at).await?;
        }
        Ok(meal)
    }

    /// Waits for the analysis of a stored lab report. Marks it as failed on timeout.
    pub(crate) async fn wait_for_report(&self, user: &str, report: LabReport) -> Result<LabReport, StoreError> {
        if self.wait_until(report.ready_at).await {
            return Ok(report);
        }
        let (now, id) = (self.clock.now(), report.id.to_string());
        let end = move |stored: Option<LabReport>| match stored {
            Some(stored) if stored.ready_at <= now => (None, (stored, false)),
            Some(stored) => {
                let ended = LabReport { failure: Some(TIMED_OUT.into()), ready_at: now, ..stored };
                (Some((ended.uploaded_at, ended.clone())), (ended, true))
            }
            // The report was removed meanwhile.
            None => (None, (LabReport { failure: Some(TIMED_OUT.into()), ready_at: now, ..report }, false)),
        };
        let (report, ended) = self.store.update(DocumentKind::Report, user, &id, end).await?;
        if ended {
            self.webhooks.announce_report(user, &report).await?;
        }
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::menu;

    #[test]
    fn typical_durations_match_the_published_ones() {
        let times = |kind| {
            let times: Vec<u64> =
                (0..60_000).map(|key| AnalysisDuration::Typical.for_analysis(kind, key).as_millis().try_into().unwrap()).collect();
            (times.iter().min().copied().unwrap(), times.iter().max().copied().unwrap())
        };
        assert_eq!(times(AnalysisKind::Meal), (4_000, 30_000));
        assert_eq!(times(AnalysisKind::FastMeal), (2_000, 15_000));
        assert_eq!(times(AnalysisKind::Report), (10_000, 60_000));
    }

    #[tokio::test]
    async fn a_changed_record_is_not_failed_by_a_timeout() {
        let builder = crate::Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).wait_limit(Duration::from_millis(1));
        let app = builder.app("http://localhost:1").unwrap();
        let (person, now) = (app.profile("person-1"), app.now());
        let awaited = Meal { ready_at: plus(now, SignedDuration::from_secs(100)), ..menu::seeded_meal(&person, app.today(), 0).unwrap() };
        let changed = Meal { serving: Some(50.0), modified_at: now, ..awaited.clone() };
        app.store().put_meal("person-1", &changed).await.unwrap();
        let meal = app.processing().wait_for_meal("person-1", awaited.clone()).await.unwrap();
        assert_eq!((meal.serving, meal.ready_at), (Some(50.0), changed.ready_at));
        let stored = app.store().meal("person-1", changed.id).await.unwrap();
        let Some(StoredMeal::Saved(stored)) = stored else { panic!("{stored:?}") };
        assert!(stored.serving == Some(50.0) && !matches!(stored.outcome, AnalysisOutcome::Failed(_)));
        // Without the change, the timeout fails the record.
        app.store().put_meal("person-1", &awaited).await.unwrap();
        let meal = app.processing().wait_for_meal("person-1", awaited).await.unwrap();
        assert!(matches!(meal.outcome, AnalysisOutcome::Failed(_)) && meal.ready_at == now);
    }
}
