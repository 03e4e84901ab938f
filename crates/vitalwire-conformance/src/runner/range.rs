//! Range calls, made in parts.

use vitalwire::Client;
use vitalwire::client::{Call, CallOptions};
use vitalwire::range::{AnyParts, MergedRange, OnError, PartLength, RangeCall, RangeError, RangeOperation};

use super::arguments::CaseError;
use super::canonical::Canonical;
use super::failure::Failed;
use super::generated::calls;
use super::options::options;
use super::run::{Answer, Async, Blocking, Pending, Played};
use super::turns;
use crate::case;

/// Starts a range call in parts.
///
/// # Errors
/// Like [`send`](super::send), if the operation has no range, and if the part length is given in both days and hours.
pub fn split(client: &Client, split: &case::Split) -> Result<Pending, CaseError> {
    match split.turn {
        Some(turn) => calls::split(client, &split.id, &split.arguments, Async(Turns { parts: Parts::of(split)?, turn, client })),
        None => calls::split(client, &split.id, &split.arguments, Async(Parts::of(split)?)),
    }
}

/// Like [`split()`], on this thread.
///
/// # Errors
/// Like [`split()`].
pub fn split_blocking(client: &Client, split: &case::Split) -> Result<Played, CaseError> {
    match split.turn {
        Some(turn) => calls::split(client, &split.id, &split.arguments, Blocking(Turns { parts: Parts::of(split)?, turn, client })),
        None => calls::split(client, &split.id, &split.arguments, Blocking(Parts::of(split)?)),
    }
}

/// An action on a call that has a range.
pub(super) trait Splits {
    type Out;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> Self::Out;
}

/// Part length and concurrency of a range.
struct Parts {
    part_length: Option<PartLength>,
    concurrency: Option<usize>,
    on_error: OnError,
    options: CallOptions,
}

impl Parts {
    fn of(case: &case::Split) -> Result<Self, CaseError> {
        let part_length = match (case.days, case.hours) {
            (Some(_), Some(_)) => return Err(CaseError::new("the parts of a split have a length in days or in hours, not both")),
            (Some(days), None) => Some(PartLength::Days(days)),
            (None, hours) => hours.map(PartLength::Hours),
        };
        let concurrency = case.concurrency.map(usize::try_from).transpose();
        let on_error = if case.collect_errors { OnError::Collect } else { OnError::Stop };
        let concurrency = concurrency.map_err(|_| CaseError::new("too many parts at once"))?;
        Ok(Self { part_length, concurrency, on_error, options: options(&case.options) })
    }

    fn of_call<O: RangeOperation>(self, call: Call<O>) -> RangeCall<O> {
        let split = call.options(self.options).split(self.part_length).on_error(self.on_error);
        match self.concurrency {
            Some(parts) => split.concurrency(parts),
            None => split,
        }
    }
}

impl Splits for Async<Parts> {
    type Out = Pending;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> Pending {
        let collected = self.0.of_call(call).collect();
        Box::pin(async move { collected.await.map(merged).map_err(stopped) })
    }
}

impl Splits for Blocking<Parts> {
    type Out = Played;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> Played {
        self.0.of_call(call).collect_blocking().map(merged).map_err(stopped)
    }
}

/// A range whose parts are read one by one.
struct Turns<'a> {
    parts: Parts,
    turn: case::Turn,
    client: &'a Client,
}

impl Turns<'_> {
    fn begin<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> Result<(AnyParts<()>, case::Turn), Failed> {
        let range = self.parts.of_call(call).erased(|_, _| ());
        Ok((range.parts(self.client.engine())?, self.turn))
    }
}

impl Splits for Async<Turns<'_>> {
    type Out = Pending;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> Pending {
        let begun = self.0.begin(call);
        Box::pin(async move {
            let (parts, turn) = begun?;
            turns::play(&parts, turn).await
        })
    }
}

impl Splits for Blocking<Turns<'_>> {
    type Out = Played;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> Played {
        let (parts, turn) = self.0.begin(call)?;
        turns::play_blocking(&parts, turn)
    }
}

fn merged<T: Canonical>(merged: MergedRange<T>) -> Answer {
    let failed_parts = merged.failures().iter().map(|failure| (failure.index(), failure.error().kind().as_str())).collect();
    Answer { failed_parts, ..Answer::of(&*merged, 0) }.skipping(merged.skipped_items())
}

fn stopped<T>(error: RangeError<T>) -> Failed {
    Failed::from(vitalwire::Error::from(error))
}
