//! Range calls, made in parts.

use vitalwire::Client;
use vitalwire::client::{Call, CallOptions};
use vitalwire::range::{AnyParts, MergedRange, OnError, PartLength, RangeCall, RangeError, RangeOperation};

use super::arguments::CaseError;
use super::calls::{Async, Blocking, CallOutcome, CanonicalResponse, PendingCall};
use super::canonical::Canonical;
use super::failure::CallFailure;
use super::generated::calls;
use super::options::options;
use super::part_reads;
use crate::case;

/// Starts a range call in parts.
///
/// # Errors
/// Like [`send`](super::send), if the operation has no range, and if the part length is given in both days and hours.
pub fn split(client: &Client, split: &case::RangeCall) -> Result<PendingCall, CaseError> {
    match split.action {
        Some(action) => {
            calls::split(client, &split.id, &split.arguments, Async(PartReads { parts: PartSettings::from_case(split)?, action, client }))
        }
        None => calls::split(client, &split.id, &split.arguments, Async(PartSettings::from_case(split)?)),
    }
}

/// Like [`split()`], on this thread.
///
/// # Errors
/// Like [`split()`].
pub fn split_blocking(client: &Client, split: &case::RangeCall) -> Result<CallOutcome, CaseError> {
    match split.action {
        Some(action) => calls::split(
            client,
            &split.id,
            &split.arguments,
            Blocking(PartReads { parts: PartSettings::from_case(split)?, action, client }),
        ),
        None => calls::split(client, &split.id, &split.arguments, Blocking(PartSettings::from_case(split)?)),
    }
}

/// An action on a call that has a range.
pub(super) trait RangeVisitor {
    type Out;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> Self::Out;
}

/// Part length and concurrency of a range.
struct PartSettings {
    part_length: Option<PartLength>,
    concurrency: Option<usize>,
    on_error: OnError,
    options: CallOptions,
}

impl PartSettings {
    fn from_case(case: &case::RangeCall) -> Result<Self, CaseError> {
        let part_length = match (case.days, case.hours) {
            (Some(_), Some(_)) => return Err(CaseError::new("set the part length in days or in hours, not both")),
            (Some(days), None) => Some(PartLength::Days(days)),
            (None, hours) => hours.map(PartLength::Hours),
        };
        let concurrency = case.concurrency.map(usize::try_from).transpose();
        let on_error = if case.collect_errors { OnError::Collect } else { OnError::Stop };
        let concurrency = concurrency.map_err(|_| CaseError::new("the concurrency is too large"))?;
        Ok(Self { part_length, concurrency, on_error, options: options(&case.options) })
    }

    fn apply<O: RangeOperation>(self, call: Call<O>) -> RangeCall<O> {
        let split = call.options(self.options).split(self.part_length).on_error(self.on_error);
        match self.concurrency {
            Some(parts) => split.concurrency(parts),
            None => split,
        }
    }
}

impl RangeVisitor for Async<PartSettings> {
    type Out = PendingCall;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> PendingCall {
        let collected = self.0.apply(call).collect();
        Box::pin(async move { collected.await.map(canonical_merged).map_err(range_failure) })
    }
}

impl RangeVisitor for Blocking<PartSettings> {
    type Out = CallOutcome;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> CallOutcome {
        self.0.apply(call).collect_blocking().map(canonical_merged).map_err(range_failure)
    }
}

/// Settings of a range whose parts are read one by one.
struct PartReads<'a> {
    parts: PartSettings,
    action: case::PartsAction,
    client: &'a Client,
}

impl PartReads<'_> {
    fn start<O: RangeOperation<Output: Canonical + Clone + Sync>>(
        self,
        call: Call<O>,
    ) -> Result<(AnyParts<()>, case::PartsAction), CallFailure> {
        let range = self.parts.apply(call).erased(|_, _| ());
        Ok((range.parts(self.client.engine())?, self.action))
    }
}

impl RangeVisitor for Async<PartReads<'_>> {
    type Out = PendingCall;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> PendingCall {
        let started = self.0.start(call);
        Box::pin(async move {
            let (parts, action) = started?;
            part_reads::read_parts(&parts, action).await
        })
    }
}

impl RangeVisitor for Blocking<PartReads<'_>> {
    type Out = CallOutcome;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> CallOutcome {
        let (parts, action) = self.0.start(call)?;
        part_reads::read_parts_blocking(&parts, action)
    }
}

fn canonical_merged<T: Canonical>(merged: MergedRange<T>) -> CanonicalResponse {
    let failed_parts = merged.failures().iter().map(|failure| (failure.index(), failure.error().kind().as_str())).collect();
    CanonicalResponse { failed_parts, ..CanonicalResponse::new(&*merged, 0) }.with_skipped_items(merged.skipped_items())
}

pub(super) fn range_failure<T>(error: RangeError<T>) -> CallFailure {
    CallFailure::from(vitalwire::Error::from(error))
}
