//! Range calls, which are split into parts.

use std::fmt;
use std::sync::Arc;

use super::error::RangeError;
use super::fingerprint::Fingerprint;
use super::merge::PartValue;
use super::merge_run::MergeRun;
use super::merged::MergedRange;
use super::part_length::PartLength;
use super::part_plan::PartPlan;
use super::parts::{PartBodies, RangeParts};
use super::range_run::{ProgressListener, RangeRun};
use super::response_merge::ResponseMerge;
use super::resume_token::RangeOrigin;
use super::settings::{RangeSettings, buffer_parts, part_indexes, spawn_part};
use super::table_merge::TableMerge;
use super::{Range, RangeOperation};
use crate::client::{Call, CallOptions, CancelToken, Client};
use crate::error::Error;
use crate::operation::Projection;
use crate::table::{Table, TableSpec};

impl<O: RangeOperation> Call<O> {
    /// Sets both bounds. Bounds that do not form a range are rejected when the call is made.
    pub fn range(self, range: impl Into<O::Range>) -> Self {
        let [from, to] = range.into().bounds();
        // Name the parameter in the error: the caller does not know the name that the range type uses.
        let invalid = O::Range::between(from, to).err().and_then(|error| Some((O::BOUNDS[1], error.reason()?)));
        self.with_invalid_argument(invalid).map_parameters(|mut parameters| {
            parameters.set_bounds(from, to);
            parameters
        })
    }

    /// Splits the range into parts of this length and requests several concurrently. With `None`, one call requests the whole range.
    ///
    /// The options of the call, including timeouts, apply to each part separately.
    pub fn split(self, part_length: impl Into<Option<PartLength>>) -> RangeCall<O> {
        let (client, parameters, options) = self.into_parts();
        let settings = RangeSettings::default();
        RangeCall { client, listener: None, setup: CallSetup { parameters, options, part_length: part_length.into(), settings } }
    }
}

/// A call over a range, split into parts. Set options, then [`collect`](RangeCall::collect) it or read its [`stream`](RangeCall::stream).
#[must_use = "no request is sent before the range is collected or its stream is read"]
pub struct RangeCall<O: RangeOperation> {
    client: Client,
    listener: Option<ProgressListener>,
    pub(super) setup: CallSetup<O>,
}

/// The operation's parameters and the settings, without the client.
#[derive(Clone)]
pub(super) struct CallSetup<O> {
    parameters: O,
    options: CallOptions,
    part_length: Option<PartLength>,
    pub(super) settings: RangeSettings,
}

impl<O: RangeOperation> CallSetup<O> {
    pub(super) fn call(&self, client: &Client) -> RangeCall<O> {
        RangeCall { client: client.clone(), listener: None, setup: self.clone() }
    }

    /// Returns a copy of the call with its own cancellation token.
    pub(super) fn with_token(&self) -> (Self, CancelToken) {
        let (options, token) = self.options.clone().with_child_token();
        (Self { options, ..self.clone() }, token)
    }

    pub(super) fn projection(&self) -> Projection {
        Projection::new(self.parameters.unrequested_tables(), self.parameters.columns())
    }

    pub(super) fn columns(&self) -> Vec<String> {
        self.parameters.columns()
    }

    /// Returns the origin of the call, and the plan of its parts.
    fn plan(&self) -> Result<(RangeOrigin, PartPlan), Error> {
        let mut hash = Fingerprint::new();
        self.parameters.hash_parameters(&mut hash);
        hash.add_options(&self.options);
        self.settings.hash_resume_key(&mut hash);
        let part_length = self.settings.resume.as_ref().map_or(self.part_length, |token| token.origin.part_length);
        let bounds = O::Range::open_bounds(self.parameters.bounds());
        let plan = PartPlan::new(bounds, O::BOUNDS, part_length)?;
        Ok((RangeOrigin { operation: O::META.id.to_owned(), part_length, bounds, parameters_hash: hash.finish() }, plan))
    }
}

impl<O: RangeOperation> RangeCall<O> {
    crate::__range_settings!();

    fn settings_mut(&mut self) -> &mut RangeSettings {
        &mut self.setup.settings
    }

    /// Returns a stream of the parts in order. Each part is returned as soon as it and all previous parts have arrived.
    ///
    /// Nothing is requested before the stream is read, and dropping the stream cancels the parts in flight. Parts in flight make progress
    /// only while the stream is read, but their timeouts continue to run. Slow readers should set [`spawned`](RangeCall::spawned).
    ///
    /// # Errors
    /// `invalid_argument` for a token of another call, or a concurrency of 0. With a part length, also for an open or empty range, a
    /// length of zero, or more than [`MAX_PARTS`](super::MAX_PARTS) parts.
    pub fn stream(self) -> Result<RangeParts<O>, Error> {
        self.start(Call::send).map(RangeParts::new)
    }

    /// Returns a stream of the response bodies as received, in order and not decoded, for callers that store them. Two consecutive parts
    /// may contain the same item. Failures and resuming work as in [`RangeCall::stream`].
    ///
    /// # Errors
    /// The errors of [`RangeCall::stream`].
    pub fn bodies(self) -> Result<PartBodies, Error> {
        self.start(Call::raw).map(PartBodies)
    }

    /// Reads all parts and merges the responses. Items are in the order of the parts, without items that the previous part already had.
    ///
    /// # Errors
    /// The errors of [`RangeCall::stream`]. With [`OnError::Stop`](super::OnError::Stop), the error of the first failed part. With
    /// [`OnError::Collect`](super::OnError::Collect), the first error if every part failed. The error contains the parts read before, and
    /// a token for the rest.
    pub async fn collect(self) -> Result<MergedRange<O::Output>, RangeError<MergedRange<O::Output>>> {
        self.stream()?.collect().await
    }

    /// Like [`RangeCall::collect`], but blocks this thread.
    ///
    /// # Errors
    /// The errors of [`RangeCall::collect`]; a configuration error inside an async runtime, whose threads must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn collect_blocking(self) -> Result<MergedRange<O::Output>, RangeError<MergedRange<O::Output>>> {
        crate::blocking::block_on_several(self.collect())?
    }

    /// Reads the responses of all parts directly into one table. Rows are in the order of the parts, without rows that the previous part
    /// already had. Failures and resuming work as in [`RangeCall::collect`].
    ///
    /// # Errors
    /// `invalid_argument`, before anything is sent, if the response of the operation does not have the table; the errors of
    /// [`RangeCall::collect`].
    pub async fn table(self, table: impl Into<&'static TableSpec> + Send) -> Result<MergedRange<Table>, RangeError<MergedRange<Table>>> {
        self.merge_tables(table.into(), Vec::new(), None)?.collect().await
    }

    /// Like [`RangeCall::table`], but blocks this thread.
    ///
    /// # Errors
    /// The errors of [`RangeCall::table`]; a configuration error inside an async runtime, whose threads must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn table_blocking(self, table: impl Into<&'static TableSpec> + Send) -> Result<MergedRange<Table>, RangeError<MergedRange<Table>>> {
        crate::blocking::block_on_several(self.table(table))?
    }

    pub(super) fn merge(self) -> Result<MergeRun<ResponseMerge<O>>, Error> {
        Ok(self.stream()?.into_merge())
    }

    /// Reads the parts into one table. `requested` are the number columns to put first. If `columns` is set, reads only these and the key
    /// of the rows, and leaves the others empty.
    pub(super) fn merge_tables(
        self,
        table: &'static TableSpec,
        requested: Vec<String>,
        columns: Option<&[String]>,
    ) -> Result<MergeRun<TableMerge>, Error> {
        let merge = TableMerge::for_operation::<O>(table)?.with_columns(requested);
        let columns = columns.map(|columns| columns.iter().cloned().chain(merge.key_name(table)).collect::<Arc<[String]>>());
        let run = self.start(move |call| {
            let columns = columns.clone();
            async move {
                let names = columns.as_deref().map(|columns| columns.iter().map(String::as_str).collect::<Vec<_>>());
                call.partial_table(table, names.as_deref()).await
            }
        })?;
        Ok(MergeRun::new(run.map(PartValue::from), merge))
    }

    /// Starts a run that makes the call of each part with `send`.
    fn start<T, F>(self, send: impl Fn(Call<O>) -> F + Send + 'static) -> Result<RangeRun<T>, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let plan = self.setup.plan();
        let CallSetup { parameters, options, settings, .. } = self.setup;
        let (concurrency, spawned) = (settings.concurrency, settings.spawned.clone());
        settings.start(O::META, &self.client, plan, self.listener, move |client, plan, todo| {
            let calls = part_indexes(todo).map(move |index| {
                let mut parameters = parameters.clone();
                if let (Some(_), Some(range)) = (plan.part_length, plan.part(index).and_then(O::Range::from_bounds)) {
                    let [from, to] = range.bounds();
                    parameters.set_bounds(from, to);
                }
                let part = spawn_part(spawned.clone(), send(Call::new(&client, parameters).options(options.clone())));
                async move { (vec![index], part.await) }
            });
            buffer_parts(calls, concurrency)
        })
    }
}

/// Shows no parameters.
impl<O: RangeOperation> fmt::Debug for RangeCall<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CallSetup { part_length, settings, .. } = &self.setup;
        f.debug_struct("RangeCall")
            .field("operation", &O::META.id)
            .field("part_length", part_length)
            .field("concurrency", &settings.concurrency)
            .field("on_error", &settings.on_error)
            .field("resume", &settings.resume)
            .finish_non_exhaustive()
    }
}
