//! The calls of a night search.

use std::sync::Arc;

use futures_util::future::{self, Either};
use futures_util::stream::{self, StreamExt};

use super::listing::{Day, ListedRecord, Listing, statistics_ranges};
use crate::client::{CallOptions, Response};
use crate::error::Error;
use crate::operations::{SleepsGetParams, StatisticsDailyParams};
use crate::range::{
    OnError, PartPlan, PartStream, PartValue, Range, RangeBounds, RangeOperation, TaskWrapper, buffer_parts, part_indexes, spawn_part,
};
use crate::value::Date;
use vitalwire_runtime::client::{Call, Client};

/// Everything that a started search needs to make its calls.
pub(super) struct SearchCalls {
    pub(super) client: Client,
    pub(super) days: StatisticsDailyParams,
    pub(super) sleep: SleepsGetParams,
    pub(super) options: CallOptions,
    pub(super) plan: PartPlan,
    pub(super) todo: Vec<(u32, u32)>,
    pub(super) concurrency: usize,
    pub(super) on_error: OnError,
    pub(super) spawned: Option<TaskWrapper>,
}

impl SearchCalls {
    /// Requests the statistics, then reads the sleeps of each day with `send`. Sleeps of one day are read one after the other, up to
    /// `concurrency` days in parallel. `add` adds each response to the day's value, which starts as `empty`.
    pub(super) fn run<T, V, F>(
        self,
        empty: impl Fn() -> V + Send + Sync + 'static,
        send: impl Fn(Call<SleepsGetParams>) -> F + Send + Sync + 'static,
        add: impl Fn(&mut V, Vec<Date>, Response<T>) -> Result<(), Error> + Send + Sync + 'static,
    ) -> PartStream<PartValue<V>>
    where
        T: Send + 'static,
        V: Send + 'static,
        F: Future<Output = Result<Response<T>, Error>> + Send + 'static,
    {
        let (send, add) = (Arc::new(send), Arc::new(add));
        let listed = stream::once(async move {
            let listing = self.list().await;
            let Self { client, sleep, options, todo, concurrency, spawned, .. } = self;
            let days = listing.days(part_indexes(todo)).into_iter().map(move |(index, day)| match day {
                Day::Failed(days, error) => Either::Left(future::ready((days, Err(error)))),
                Day::Listed(records, duplicates) => {
                    let (client, sleep, options, send) = (client.clone(), sleep.clone(), options.clone(), Arc::clone(&send));
                    let calls = records.into_iter().map(move |ListedRecord { id, days }| {
                        let sleep = SleepsGetParams { sleep_id: id.as_str().to_owned(), ..sleep.clone() };
                        (days, send(Call::new(&client, sleep).options(options.clone())))
                    });
                    let found = PartValue { value: empty(), skipped: Default::default(), duplicates, not_found: 0 };
                    let found = spawn_part(spawned.clone(), read_sleeps(calls, found, Arc::clone(&add)));
                    Either::Right(async move { (vec![index], found.await) })
                }
            });
            buffer_parts(days, concurrency)
        });
        listed.flatten().boxed()
    }

    /// Requests the statistics of all days. With `OnError::Stop`, returns those before the first failure.
    async fn list(&self) -> Listing {
        let calls = statistics_ranges(&self.todo, self.plan.count).map(|days| {
            let mut parameters = self.days.clone();
            if let Some(range) = self.plan.parts(*days.start(), *days.end()).and_then(RangeBounds::dates) {
                let [from, to] = range.bounds();
                parameters.set_bounds(from, to);
            }
            let call = Call::new(&self.client, parameters).options(self.options.clone());
            let response = spawn_part(self.spawned.clone(), call.send());
            async move { (days, response.await) }
        });
        let mut responses = stream::iter(calls).buffered(self.concurrency);
        let mut listing = Listing::default();
        while let Some((days, response)) = responses.next().await {
            match response {
                Ok(response) => listing.add(&self.plan, &days, &response),
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

/// Reads the sleeps of one day, one after the other.
async fn read_sleeps<T, V, F>(
    calls: impl Iterator<Item = (Vec<Date>, F)>,
    mut found: PartValue<V>,
    add: Arc<impl Fn(&mut V, Vec<Date>, Response<T>) -> Result<(), Error>>,
) -> Result<PartValue<V>, Error>
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    for (days, call) in calls {
        match call.await {
            Ok(response) => {
                response.metadata().skipped().into_iter().for_each(|items| found.skipped.extend(items));
                add(&mut found.value, days, response)?;
            }
            Err(error) if error.is_not_found() => found.not_found += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
