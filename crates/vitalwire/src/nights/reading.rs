//! The calls that a search makes.

use std::sync::Arc;

use futures_util::future::{self, Either};
use futures_util::stream::{self, BoxStream, StreamExt};

use super::listing::{Day, Listed, Listing, asked};
use crate::client::CallOptions;
use crate::error::Error;
use crate::operations::{SleepsGetParams, StatisticsDailyParams};
use crate::range::{Around, DateRange, OnError, Range, RangeOperation, carry, indexes};
use crate::value::Date;
use vitalwire_runtime::client::{Call, Client};

pub(super) type Plan = crate::range::Plan<DateRange>;
pub(super) type RunState = crate::range::RunState<StatisticsDailyParams>;
pub(super) type PartFailure = crate::range::PartFailure<StatisticsDailyParams>;

/// What was read of a day.
pub(super) struct Found<T> {
    /// The answers, each with the days that have its record.
    pub(super) nights: Vec<(Vec<Date>, T)>,
    /// Ids that are no sleeps'.
    pub(super) skipped: usize,
    /// Ids that it, or an earlier day, has too.
    pub(super) duplicates: usize,
}

/// What became of a day, or of days that failed as one; in order.
pub(super) type Running<T> = BoxStream<'static, (Vec<u32>, Result<Found<T>, Error>)>;

/// A search that begins.
pub(super) struct Search {
    pub(super) client: Client,
    pub(super) days: StatisticsDailyParams,
    pub(super) sleep: SleepsGetParams,
    pub(super) options: CallOptions,
    pub(super) plan: Plan,
    pub(super) todo: Vec<(u32, u32)>,
    pub(super) concurrency: usize,
    pub(super) on_error: OnError,
    pub(super) spawned: Option<Around>,
}

impl Search {
    /// Asks for the statistics, then reads the sleeps of each day, one after the other, and so many days at once.
    pub(super) fn run<T, F>(self, send: impl Fn(Call<SleepsGetParams>) -> F + Send + Sync + 'static) -> Running<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let send = Arc::new(send);
        let listed = stream::once(async move {
            let listing = self.list().await;
            let Self { client, sleep, options, todo, concurrency, spawned, .. } = self;
            let days = listing.days(indexes(todo)).into_iter().map(move |(day, what)| match what {
                Day::Failed(days, error) => Either::Left(future::ready((days, Err(error)))),
                Day::Listed(records, duplicates) => {
                    let (client, sleep, options, send) = (client.clone(), sleep.clone(), options.clone(), Arc::clone(&send));
                    let calls = records.into_iter().map(move |Listed { id, days }| {
                        let sleep = SleepsGetParams { sleep_id: id.as_str().to_owned(), ..sleep.clone() };
                        (days, send(Call::new(&client, sleep).options(options.clone())))
                    });
                    let found = carry(spawned.clone(), read(calls, duplicates));
                    Either::Right(async move { (vec![day], found.await) })
                }
            });
            stream::iter(days).buffered(concurrency)
        });
        listed.flatten().boxed()
    }

    /// The statistics of all days; those up to a failure, where that ends the search.
    async fn list(&self) -> Listing {
        let calls = asked(&self.todo, self.plan.count).map(|days| {
            let mut parameters = self.days.clone();
            if let Some(range) = self.plan.parts(*days.start(), *days.end()) {
                let [from, to] = range.bounds();
                parameters.set_bounds(from, to);
            }
            let answer = carry(self.spawned.clone(), Call::new(&self.client, parameters).options(self.options.clone()).send());
            async move { (days, answer.await) }
        });
        let mut answers = stream::iter(calls).buffered(self.concurrency);
        let mut listing = Listing::default();
        while let Some((days, answer)) = answers.next().await {
            match answer {
                Ok(answer) => listing.add(&self.plan, &days, &answer),
                Err(error) => {
                    listing.fail(days, error);
                    if self.on_error == OnError::Stop {
                        break;
                    }
                }
            }
        }
        listing
    }
}

/// Reads the sleeps of a day, one after the other.
async fn read<T, F>(calls: impl Iterator<Item = (Vec<Date>, F)>, duplicates: usize) -> Result<Found<T>, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let mut found = Found { nights: Vec::new(), skipped: 0, duplicates };
    for (days, call) in calls {
        match call.await {
            Ok(answer) => found.nights.push((days, answer)),
            Err(error) if error.is_not_found() => found.skipped += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
