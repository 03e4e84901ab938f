//! Range calls, made in parts.

use vitalwire::Client;
use vitalwire::client::Call;
use vitalwire::range::{MergedRange, OnError, PartLength, RangeCall, RangeError, RangeOperation};

use super::arguments::CaseError;
use super::calls::{CanonicalResponse, PendingCall};
use super::canonical::Canonical;
use super::failure::CallFailure;
use super::generated::calls;
use super::mode::Mode;
use super::options::options;
use super::part_reads;
use crate::case;

/// Starts a range call in parts.
///
/// # Errors
/// Like [`send`](super::send), if the operation has no range, and if the part length is given in both days and hours.
pub fn split(client: &Client, split: &case::RangeCall, mode: Mode) -> Result<PendingCall, CaseError> {
    calls::split(client, &split.id, &split.arguments, PartSettings::new(client, split, mode)?)
}

/// An action on a call that has a range.
pub(super) trait RangeVisitor {
    type Out;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> Self::Out;
}

/// How a range is split, and how its parts are read.
struct PartSettings<'a> {
    part_length: Option<PartLength>,
    concurrency: Option<usize>,
    case: &'a case::RangeCall,
    client: &'a Client,
    mode: Mode,
}

impl<'a> PartSettings<'a> {
    fn new(client: &'a Client, case: &'a case::RangeCall, mode: Mode) -> Result<Self, CaseError> {
        let part_length = match (case.days, case.hours) {
            (Some(_), Some(_)) => return Err(CaseError::new("set the part length in days or in hours, not both")),
            (Some(days), None) => Some(PartLength::Days(days)),
            (None, hours) => hours.map(PartLength::Hours),
        };
        let concurrency = case.concurrency.map(usize::try_from).transpose();
        let concurrency = concurrency.map_err(|_| CaseError::new("the concurrency is too large"))?;
        Ok(Self { part_length, concurrency, case, client, mode })
    }
}

impl RangeVisitor for PartSettings<'_> {
    type Out = PendingCall;

    fn split<O: RangeOperation<Output: Canonical + Clone + Sync>>(self, call: Call<O>) -> PendingCall {
        let (mode, on_error) = (self.mode, if self.case.collect_errors { OnError::Collect } else { OnError::Stop });
        let mut range = call.options(options(&self.case.options)).split(self.part_length).on_error(on_error);
        if let Some(parts) = self.concurrency {
            range = range.concurrency(parts);
        }
        let Some(action) = self.case.action else {
            let outcome = |merged: Result<_, _>| merged.map(canonical_merged).map_err(range_failure);
            return mode.start(range, RangeCall::collect, RangeCall::collect_blocking, outcome);
        };
        let parts = range.erased(|_, _| ()).parts(self.client.engine());
        Box::pin(async move { part_reads::read_parts(&parts?, action, mode).await })
    }
}

fn canonical_merged<T: Canonical>(merged: MergedRange<T>) -> CanonicalResponse {
    let failed_parts = merged.failures().iter().map(|failure| (failure.index(), failure.error().kind().as_str())).collect();
    CanonicalResponse { failed_parts, ..CanonicalResponse::new(&*merged, 0) }.with_skipped_items(merged.skipped_items())
}

pub(super) fn range_failure<T>(error: RangeError<T>) -> CallFailure {
    CallFailure::from(vitalwire::Error::from(error))
}
