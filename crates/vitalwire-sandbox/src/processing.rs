//! Durations of analyses on the sandbox's clock, and waiting for them.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::clock::Clock;
use crate::records::MealChange;
use crate::records::lab_report::Report;
use crate::records::nutrition::{Meal, Outcome};
use crate::store::{Kind, Store, StoreError};
use crate::values::calendar::plus;
use crate::webhooks::{Notice, Webhooks};

/// Failure reason of a synchronous upload that timed out.
const TIMED_OUT: &str = "Analysis timed out";

/// Duration of analyses.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AnalysisDuration {
    /// The same duration for all.
    Fixed(Duration),
    /// Publicly stated durations: 4 to 30 seconds for meals, 10 to 60 for lab reports. Derived from the contents, so that they are
    /// reproducible.
    Typical,
}

/// Kind of an analysis.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    Meal,
    /// Takes half as long as a precise one.
    FastMeal,
    Report,
}

/// Schedule of an analysis that begins now.
pub(crate) struct Plan {
    pub(crate) ready_at: Timestamp,
    /// Failure reason if a caller waits and the analysis takes too long.
    pub(crate) failure: Option<&'static str>,
}

impl AnalysisDuration {
    fn time(self, task: Task, key: u64) -> Duration {
        let between = |least: u64, most: u64| Duration::from_millis(least + key % (most - least + 1));
        match (self, task) {
            (Self::Fixed(time), Task::Meal | Task::Report) => time,
            (Self::Fixed(time), Task::FastMeal) => time / 2,
            (Self::Typical, Task::Meal) => between(4_000, 30_000),
            (Self::Typical, Task::FastMeal) => between(4_000, 30_000) / 2,
            (Self::Typical, Task::Report) => between(10_000, 60_000),
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
    pub(crate) fn plan(&self, task: Task, key: u64, now: Timestamp, wait: bool) -> Plan {
        let (time, limit) = (self.duration.time(task, key), self.wait_limit);
        let failure = (wait && time > limit).then_some(TIMED_OUT);
        let time = if failure.is_some() { limit } else { time };
        Plan { ready_at: plus(now, SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX)), failure }
    }

    /// Waits on the sandbox's clock. Returns false if the real-time limit is exceeded first, for example because the clock is stopped.
    async fn reached(&self, at: Timestamp) -> bool {
        at <= self.clock.now() || tokio::time::timeout(self.wait_limit, self.clock.sleep_until(at)).await.is_ok()
    }

    /// Waits for the analysis of a stored nutrition record. Marks it as failed on timeout.
    pub(crate) async fn finished_meal(&self, user: &str, meal: Meal) -> Result<Meal, StoreError> {
        if self.reached(meal.ready_at).await {
            return Ok(meal);
        }
        let (now, id) = (self.clock.now(), meal.id.to_string());
        let end = move |there: Option<MealChange>| match there {
            // The analysis has ended meanwhile, or the record was changed.
            Some(MealChange::Kept(there)) if there.ready_at <= now || there.modified_at != meal.modified_at => (None, (*there, false)),
            Some(MealChange::Kept(there)) => {
                let ended = Meal { outcome: Outcome::Failed(TIMED_OUT.into()), ready_at: now, ..*there };
                (Some((ended.listed_at(), MealChange::Kept(Box::new(ended.clone())))), (ended, true))
            }
            // The record was deleted meanwhile.
            _ => (None, (Meal { outcome: Outcome::Failed(TIMED_OUT.into()), ready_at: now, ..meal }, false)),
        };
        let (meal, ended) = self.store.update(Kind::Meal, user, &id, end).await?;
        if ended {
            self.webhooks.announce(Notice::Meal { user: user.to_owned(), id: meal.id }, meal.ready_at).await?;
        }
        Ok(meal)
    }

    /// Waits for the analysis of a stored lab report. Marks it as failed on timeout.
    pub(crate) async fn finished_report(&self, user: &str, report: Report) -> Result<Report, StoreError> {
        if self.reached(report.ready_at).await {
            return Ok(report);
        }
        let (now, id) = (self.clock.now(), report.id.to_string());
        let end = move |there: Option<Report>| match there {
            Some(there) if there.ready_at <= now => (None, (there, false)),
            Some(there) => {
                let ended = Report { failure: Some(TIMED_OUT.into()), ready_at: now, ..there };
                (Some((ended.uploaded_at, ended.clone())), (ended, true))
            }
            // The report was removed meanwhile.
            None => (None, (Report { failure: Some(TIMED_OUT.into()), ready_at: now, ..report }, false)),
        };
        let (report, ended) = self.store.update(Kind::Report, user, &id, end).await?;
        if ended {
            self.webhooks.announce_report(user, &report).await?;
        }
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::nutrition;

    #[test]
    fn typical_times_are_the_stated_ones() {
        let times = |task| {
            let times: Vec<u64> = (0..60_000).map(|key| AnalysisDuration::Typical.time(task, key).as_millis().try_into().unwrap()).collect();
            (times.iter().min().copied().unwrap(), times.iter().max().copied().unwrap())
        };
        assert_eq!(times(Task::Meal), (4_000, 30_000));
        assert_eq!(times(Task::FastMeal), (2_000, 15_000));
        assert_eq!(times(Task::Report), (10_000, 60_000));
    }

    #[tokio::test]
    async fn what_was_changed_meanwhile_is_not_ended_by_a_wait() {
        let builder = crate::Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).wait_limit(Duration::from_millis(1));
        let app = builder.app("http://localhost:1").unwrap();
        let (person, now) = (app.profile("person-1"), app.now());
        let awaited = Meal { ready_at: plus(now, SignedDuration::from_secs(100)), ..nutrition::eaten(&person, app.today(), 0).unwrap() };
        let changed = Meal { serving: Some(50.0), modified_at: now, ..awaited.clone() };
        app.store().put_meal("person-1", &changed).await.unwrap();
        let meal = app.processing().finished_meal("person-1", awaited.clone()).await.unwrap();
        assert_eq!((meal.serving, meal.ready_at), (Some(50.0), changed.ready_at));
        let kept = app.store().meal("person-1", changed.id).await.unwrap();
        assert!(matches!(kept, Some(MealChange::Kept(kept)) if kept.serving == Some(50.0) && !matches!(kept.outcome, Outcome::Failed(_))));
        // Without a change it has failed.
        app.store().put_meal("person-1", &awaited).await.unwrap();
        let meal = app.processing().finished_meal("person-1", awaited).await.unwrap();
        assert!(matches!(meal.outcome, Outcome::Failed(_)) && meal.ready_at == now);
    }
}
