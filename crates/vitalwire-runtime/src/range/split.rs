//! A call that is made in parts.

use std::fmt;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt};

use super::error::RangeError;
use super::fingerprint::Fingerprint;
use super::merge::MergedRange;
use super::plan::{PartLength, Plan};
use super::settings::{Settings, carry};
use super::state::{Progress, Report, RunState, Running};
use super::stream::RangeParts;
use super::token::{Origin, ResumeToken};
use super::{Range, RangeOperation};
use crate::client::{BoxFuture, Call, CallOptions, Client};
use crate::error::Error;

/// What happens when a part fails, after its own retries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnError {
    /// The parts before it are returned, then its error. Later parts that are running are dropped.
    #[default]
    Stop,
    /// All other parts are read, and the failures are listed.
    Collect,
}

/// A call over a range, made in parts. Set options, then [`collect`](RangeCall::collect) it or read its [`stream`](RangeCall::stream).
#[must_use = "nothing is asked before it is collected or its stream is read"]
pub struct RangeCall<O: RangeOperation> {
    client: Client,
    parameters: O,
    options: CallOptions,
    part_length: Option<PartLength>,
    settings: Settings,
    report: Option<Report>,
}

impl<O: RangeOperation> Call<O> {
    /// Sets both bounds. Bounds that are no range are refused when the call is made.
    pub fn range(self, range: impl Into<O::Range>) -> Self {
        let [from, to] = range.into().bounds();
        // Named as the parameter: the type's own word for it is none of the caller's.
        let refused = O::Range::between(from, to).err().and_then(|error| Some((O::BOUNDS[1], error.reason()?)));
        self.refused(refused).with(|mut parameters| {
            parameters.set_bounds(from, to);
            parameters
        })
    }

    /// Splits the range into parts of this length, several of which are requested at once. With `None`, one call requests the whole range.
    ///
    /// The call's options apply to each part by itself, timeouts included.
    pub fn split(self, part_length: impl Into<Option<PartLength>>) -> RangeCall<O> {
        let (client, parameters, options) = self.into_parts();
        RangeCall { client, parameters, options, part_length: part_length.into(), settings: Settings::new(), report: None }
    }
}

impl<O: RangeOperation> RangeCall<O> {
    /// Number of parts that may be requested at once. Defaults to 4. 0 is an error when the split starts.
    pub fn concurrency(mut self, parts: usize) -> Self {
        self.settings.concurrency = parts;
        self
    }

    /// What happens when a part fails.
    pub fn on_error(mut self, on_error: OnError) -> Self {
        self.settings.on_error = on_error;
        self
    }

    /// Requests only what an earlier run of the same call left. The part_length of that run applies, whatever is set here.
    pub fn resume(mut self, token: &ResumeToken) -> Self {
        self.settings.resume = Some(token.clone());
        self
    }

    /// Binds resume tokens to a key of the caller, such as their own id of the person: a token made under one key is rejected under another,
    /// and without one. Calls for two people differ only in their access tokens, which resume tokens do not contain.
    ///
    /// The token has a hash of the key and the call's parameters. Someone who can guess the key can verify the guess.
    pub fn resume_key(mut self, key: impl Into<String>) -> Self {
        self.settings.resume_key = Some(key.into());
        self
    }

    /// Spawns each part's call as a task on the tokio runtime in which the parts are read. As many as may run at once start together, and
    /// a part that has started continues while nobody reads; no further part starts meanwhile. Dropping the stream still ends running parts.
    pub fn spawned(self) -> Self {
        self.spawned_within(|part| part)
    }

    /// Like [`spawned`](RangeCall::spawned), with each task wrapped by `around`, for example to set a task-local value. `around` is called by the
    /// task that reads the parts.
    pub fn spawned_within(mut self, around: impl Fn(BoxFuture<'static, ()>) -> BoxFuture<'static, ()> + Send + Sync + 'static) -> Self {
        self.settings.spawned = Some(Arc::new(around));
        self
    }

    /// Calls `report` after each part, in the order of the parts, on the task that reads them. It should be quick.
    pub fn on_progress(mut self, report: impl FnMut(Progress) + Send + 'static) -> Self {
        self.report = Some(Box::new(report));
        self
    }

    /// Returns a stream of the parts in order, each as soon as it and all parts before it have arrived. Nothing is requested before the
    /// stream is read; dropping it ends running parts. Running parts make progress only while the stream is read, and their timeouts
    /// go on: a slow reader sets [`spawned`](RangeCall::spawned).
    ///
    /// # Errors
    /// `invalid_argument` for an open or empty range with a part_length, a part_length of zero or one that gives more than [`MAX_PARTS`](super::MAX_PARTS)
    /// parts, a concurrency of 0, or a token of another call.
    pub fn stream(self) -> Result<RangeParts<O>, Error> {
        let (running, state) = self.start(Call::send)?;
        Ok(RangeParts::new(running, state))
    }

    /// Reads every part and merges the responses: items in the order of the parts, without items that the previous part had too.
    ///
    /// # Errors
    /// Those of [`RangeCall::stream`]; with [`OnError::Stop`], the error of the first part that failed; with [`OnError::Collect`], the first error if
    /// every part failed. The error has what was read before, and a token for the rest.
    pub async fn collect(self) -> Result<MergedRange<O>, RangeError<O>> {
        self.stream()?.collect().await
    }

    /// Like [`RangeCall::collect`], blocking this thread.
    ///
    /// # Errors
    /// Those of [`RangeCall::collect`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn collect_blocking(self) -> Result<MergedRange<O>, RangeError<O>> {
        crate::blocking::block_on_several(self.collect())?
    }

    /// The same call with other settings of its parts.
    pub(super) fn with_settings(self, settings: Settings, report: Option<Report>) -> Self {
        Self { settings, report, ..self }
    }

    /// What is called and how, without the client.
    pub(super) fn into_settings(self) -> (O, CallOptions, Option<PartLength>, Settings) {
        (self.parameters, self.options, self.part_length, self.settings)
    }

    /// Makes each part's call with `send`, several at once.
    pub(super) fn start<T, F>(self, send: impl Fn(Call<O>) -> F + Send + 'static) -> Result<(Running<T>, RunState<O>), Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let (origin, plan) = self.plan().map_err(|error| error.in_operation(O::META))?;
        let todo = self.settings.todo(plan.count);
        let client = self.client.held().map_err(|error| error.in_operation(O::META))?;
        let (parameters, options, report) = (self.parameters, self.options, self.report);
        let Settings { concurrency, on_error, spawned, .. } = self.settings;
        let calls = indexes(todo.clone()).map(move |index| {
            let mut parameters = parameters.clone();
            if let (Some(_), Some(range)) = (plan.part_length, plan.part(index)) {
                let [from, to] = range.bounds();
                parameters.set_bounds(from, to);
            }
            let answer = carry(spawned.clone(), send(Call::new(&client, parameters).options(options.clone())));
            async move { (index, answer.await) }
        });
        let running = stream::iter(calls).buffered(concurrency).boxed();
        Ok((running, RunState::new(origin, plan, todo, on_error, report)))
    }

    /// The call's origin, and its parts.
    fn plan(&self) -> Result<(Origin, Plan<O::Range>), Error> {
        let mut hash = Fingerprint::new();
        self.parameters.others(&mut hash);
        hash.options(&self.options);
        self.settings.bind(&mut hash);
        let part_length = self.settings.resume.as_ref().map_or(self.part_length, |token| token.origin.part_length);
        let bounds = self.parameters.bounds();
        let plan = Plan::new(bounds, O::BOUNDS, part_length)?;
        let origin = Origin { operation: O::META.id.to_owned(), part_length, bounds: O::Range::keep(bounds), others: hash.finish() };
        self.settings.check(&origin)?;
        Ok((origin, plan))
    }
}

/// Every index of these runs.
pub fn indexes(runs: Vec<(u32, u32)>) -> impl Iterator<Item = u32> + Send {
    runs.into_iter().flat_map(|(first, last)| first..=last)
}

/// Shows no parameters.
impl<O: RangeOperation> fmt::Debug for RangeCall<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeCall")
            .field("operation", &O::META.id)
            .field("part_length", &self.part_length)
            .field("concurrency", &self.settings.concurrency)
            .field("on_error", &self.settings.on_error)
            .field("resume", &self.settings.resume)
            .finish_non_exhaustive()
    }
}
