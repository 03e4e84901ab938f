//! How long analyses take on the sandbox's clock, and waiting for them.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::clock::plus;
use crate::people::labs::Report;
use crate::people::meals::{Meal, Outcome};
use crate::state::{Kind, MealChange, StoreError};
use crate::webhooks::Notice;
use crate::world::World;

/// Why a synchronous upload ends when its time is over.
const TIMED_OUT: &str = "Analysis timed out";

/// How long uploads are under way.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pace {
    /// All as long.
    Fixed(Duration),
    /// As publicly stated: 4 to 30 seconds for meals, 10 to 60 for lab reports. The contents decide, so that the same upload takes as
    /// long again.
    Typical,
}

/// What is analysed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    Meal,
    /// Half the time of a usual one.
    FastMeal,
    Report,
}

/// When an analysis that begins now is over.
pub(crate) struct Plan {
    pub(crate) ready_at: Timestamp,
    /// The reason why it ends without a result, if somebody waits for it and it takes too long.
    pub(crate) failure: Option<&'static str>,
}

impl Pace {
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

/// When an analysis begins: it is queued for the first tenth of its time.
pub(crate) fn queued_until(from: Timestamp, to: Timestamp) -> Timestamp {
    plus(from, from.duration_until(to) / 10)
}

/// What an analysis that is not over yet is called.
pub(crate) fn stage(from: Timestamp, to: Timestamp, now: Timestamp) -> Option<&'static str> {
    (now < to).then_some(if now < queued_until(from, to) { "pending" } else { "processing" })
}

impl World {
    /// When the analysis of an upload that arrives now is over. The key belongs to the contents.
    pub(crate) fn plan(&self, task: Task, key: u64, now: Timestamp, wait: bool) -> Plan {
        let (time, limit) = (self.options().pace.time(task, key), self.options().wait_limit);
        let failure = (wait && time > limit).then_some(TIMED_OUT);
        let time = if failure.is_some() { limit } else { time };
        Plan { ready_at: plus(now, SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX)), failure }
    }

    /// Waits on the sandbox's clock; false if as much real time as a wait may take went by first, as on a clock that stands still.
    async fn reached(&self, at: Timestamp) -> bool {
        at <= self.now() || tokio::time::timeout(self.options().wait_limit, self.sleep_until(at)).await.is_ok()
    }

    /// Waits for a kept nutrition record. One that takes too long has failed, now and for good.
    pub(crate) async fn finished_meal(&self, user: &str, meal: Meal) -> Result<Meal, StoreError> {
        if self.reached(meal.ready_at).await {
            return Ok(meal);
        }
        let (now, id) = (self.now(), meal.id.to_string());
        let end = move |there: Option<MealChange>| match there {
            // Done, and perhaps changed, in the meantime.
            Some(MealChange::Kept(there)) if there.ready_at <= now || there.modified_at != meal.modified_at => (None, (*there, false)),
            Some(MealChange::Kept(there)) => {
                let ended = Meal { outcome: Outcome::Failed(TIMED_OUT.into()), ready_at: now, ..*there };
                (Some((ended.listed_at(), MealChange::Kept(Box::new(ended.clone())))), (ended, true))
            }
            // Deleted by somebody else meanwhile.
            _ => (None, (Meal { outcome: Outcome::Failed(TIMED_OUT.into()), ready_at: now, ..meal }, false)),
        };
        let (meal, ended) = self.store().update(Kind::Meal, user, &id, end).await?;
        if ended {
            self.announce(Notice::Meal { user: user.to_owned(), id: meal.id }, meal.ready_at).await?;
        }
        Ok(meal)
    }

    /// The same for a lab report.
    pub(crate) async fn finished_report(&self, user: &str, report: Report) -> Result<Report, StoreError> {
        if self.reached(report.ready_at).await {
            return Ok(report);
        }
        let (now, id) = (self.now(), report.id.to_string());
        let end = move |there: Option<Report>| match there {
            Some(there) if there.ready_at <= now => (None, (there, false)),
            Some(there) => {
                let ended = Report { failure: Some(TIMED_OUT.into()), ready_at: now, ..there };
                (Some((ended.uploaded_at, ended.clone())), (ended, true))
            }
            // Forgotten meanwhile.
            None => (None, (Report { failure: Some(TIMED_OUT.into()), ready_at: now, ..report }, false)),
        };
        let (report, ended) = self.store().update(Kind::Report, user, &id, end).await?;
        if ended {
            self.announce_report(user, &report).await?;
        }
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::meals;

    #[test]
    fn typical_times_are_the_stated_ones() {
        let times = |task| {
            let times: Vec<u64> = (0..60_000).map(|key| Pace::Typical.time(task, key).as_millis().try_into().unwrap()).collect();
            (times.iter().min().copied().unwrap(), times.iter().max().copied().unwrap())
        };
        assert_eq!(times(Task::Meal), (4_000, 30_000));
        assert_eq!(times(Task::FastMeal), (2_000, 15_000));
        assert_eq!(times(Task::Report), (10_000, 60_000));
    }

    #[tokio::test]
    async fn what_was_changed_meanwhile_is_not_ended_by_a_wait() {
        let builder = crate::Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).wait_limit(Duration::from_millis(1));
        let world = builder.world("http://localhost:1").unwrap();
        let (person, now) = (world.profile("person-1"), world.now());
        let awaited = Meal { ready_at: plus(now, SignedDuration::from_secs(100)), ..meals::eaten(&person, world.today(), 0).unwrap() };
        let changed = Meal { serving: Some(50.0), modified_at: now, ..awaited.clone() };
        world.store().put_meal("person-1", &changed).await.unwrap();
        let meal = world.finished_meal("person-1", awaited.clone()).await.unwrap();
        assert_eq!((meal.serving, meal.ready_at), (Some(50.0), changed.ready_at));
        let kept = world.store().meal("person-1", changed.id).await.unwrap();
        assert!(matches!(kept, Some(MealChange::Kept(kept)) if kept.serving == Some(50.0) && !matches!(kept.outcome, Outcome::Failed(_))));
        // Without that it has failed now.
        world.store().put_meal("person-1", &awaited).await.unwrap();
        let meal = world.finished_meal("person-1", awaited).await.unwrap();
        assert!(matches!(meal.outcome, Outcome::Failed(_)) && meal.ready_at == now);
    }

    #[test]
    fn stages_by_the_clock() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let stages: Vec<_> = [0, 9, 10, 99, 100].into_iter().map(|now| stage(at(0), at(100), at(now))).collect();
        assert_eq!(stages, [Some("pending"), Some("pending"), Some("processing"), Some("processing"), None]);
        assert_eq!(stage(at(5), at(5), at(5)), None);
    }
}
