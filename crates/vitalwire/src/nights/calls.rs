//! The calls of a night search.

use std::sync::Arc;

use futures_util::future::{self, Either};
use futures_util::stream::{self, StreamExt};

use super::listing::{Day, ListedRecord, Listing, statistics_ranges};
use crate::client::{CallOptions, Response};
use crate::error::Error;
use crate::operations::{SleepsGetParams, StatisticsDailyParams};
use crate::range::{
    DateRange, NotFoundRecord, OnError, PartPlan, PartStream, PartValue, Range, RangeBounds, RangeOperation, TaskWrapper, buffer_parts,
    part_indexes, spawn_part,
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

/// Functions that read the sleeps of a day into one value.
pub(super) struct DayReader<E, S, A, D> {
    /// Creates the value of a day.
    pub(super) empty: E,
    /// Sends the call for a sleep.
    pub(super) send: S,
    /// Adds a response to the value.
    pub(super) add: A,
    /// Completes the value after the last sleep of the day, whose date it gets.
    pub(super) finish: D,
}

impl SearchCalls {
    /// Requests the statistics, then reads the sleeps of each day. Sleeps of one day are read one after the other, up to `concurrency` days
    /// in parallel.
    pub(super) fn run<T, V, F>(
        self,
        reader: DayReader<
            impl Fn() -> V + Send + Sync + 'static,
            impl Fn(Call<SleepsGetParams>) -> F + Send + Sync + 'static,
            impl Fn(&mut V, ListedRecord, Response<T>) -> Result<(), Error> + Send + Sync + 'static,
            impl Fn(&mut PartValue<V>, Option<Date>) -> Result<(), Error> + Send + Sync + 'static,
        >,
    ) -> PartStream<PartValue<V>>
    where
        T: Send + 'static,
        V: Send + 'static,
        F: Future<Output = Result<Response<T>, Error>> + Send + 'static,
    {
        let DayReader { empty, send, add, finish } = reader;
        let (send, add, finish) = (Arc::new(send), Arc::new(add), Arc::new(finish));
        let plan = self.plan;
        let listed = stream::once(async move {
            let mut listing = self.list().await;
            // They have no day, so the first day that is read names them.
            let mut skipped = std::mem::take(&mut listing.skipped);
            let Self { client, sleep, options, todo, concurrency, spawned, .. } = self;
            let days = listing.days(part_indexes(todo)).into_iter().map(move |(index, day)| match day {
                Day::Failed(days, error) => Either::Left(future::ready((days, Err(error)))),
                Day::Listed(records, duplicates) => {
                    let (client, sleep, options, send) = (client.clone(), sleep.clone(), options.clone(), Arc::clone(&send));
                    let calls = records.into_iter().map(move |record| {
                        let sleep = SleepsGetParams { sleep_id: record.id.as_str().to_owned(), ..sleep.clone() };
                        (record, send(Call::new(&client, sleep).options(options.clone())))
                    });
                    let found = PartValue { value: empty(), skipped: std::mem::take(&mut skipped), duplicates, not_found: Vec::new() };
                    let date = plan.part(index).and_then(RangeBounds::dates).map(DateRange::first);
                    let (add, finish) = (Arc::clone(&add), Arc::clone(&finish));
                    let read = async move {
                        let mut found = read_sleeps(calls, found, add).await?;
                        finish(&mut found, date).map(|()| found)
                    };
                    let found = spawn_part(spawned.clone(), Box::pin(read));
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
            let response = spawn_part(self.spawned.clone(), Box::pin(call.send()));
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
    calls: impl Iterator<Item = (ListedRecord, F)>,
    mut found: PartValue<V>,
    add: Arc<impl Fn(&mut V, ListedRecord, Response<T>) -> Result<(), Error>>,
) -> Result<PartValue<V>, Error>
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    for (record, call) in calls {
        match call.await {
            Ok(response) => {
                response.metadata().skipped().into_iter().for_each(|items| found.skipped.extend(items));
                add(&mut found.value, record, response)?;
            }
            Err(error) if error.is_not_found() => {
                found.not_found.push(NotFoundRecord { id: record.id.as_str().to_owned(), days: record.days });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
