//! A call that is made in parts.

use std::fmt;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt};

use super::course::{Course, Progress, Running};
use super::fingerprint::Fingerprint;
use super::incomplete::SplitError;
use super::merge::Merged;
use super::plan::{Plan, Span};
use super::settings::{Settings, carry};
use super::stream::Parts;
use super::token::{Origin, ResumeToken};
use super::{Range, RangeOperation};
use crate::client::{BoxFuture, Call, CallOptions, Client};
use crate::error::Error;

/// What happens when a part fails, after its own retries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnError {
    /// The parts before it are handed out, then its error; later ones that are running are dropped.
    #[default]
    Stop,
    /// The others are read, and the failures are listed.
    Collect,
}

/// A call over a range, made in parts. Set options, then [`collect`](Split::collect) it or read its [`stream`](Split::stream).
#[must_use = "nothing is asked before it is collected or its stream is read"]
pub struct Split<O: RangeOperation> {
    client: Client,
    parameters: O,
    options: CallOptions,
    span: Option<Span>,
    settings: Settings,
}

impl<O: RangeOperation> Call<O> {
    /// Sets both bounds.
    pub fn range(self, range: impl Into<O::Range>) -> Self {
        let [from, to] = range.into().bounds();
        self.with(|mut parameters| {
            parameters.set_bounds(from, to);
            parameters
        })
    }

    /// Asks for the range in parts of this length, several at once. With `None` one call is made for the whole range.
    ///
    /// The call's options hold for each part: a timeout is a part's own.
    pub fn split(self, span: impl Into<Option<Span>>) -> Split<O> {
        let (client, parameters, options) = self.into_parts();
        Split { client, parameters, options, span: span.into(), settings: Settings::new() }
    }
}

impl<O: RangeOperation> Split<O> {
    /// How many parts may be asked for at once; 4 unless set. 0 is refused when the split starts.
    pub fn concurrency(mut self, parts: usize) -> Self {
        self.settings.concurrency = parts;
        self
    }

    /// What happens when a part fails.
    pub fn on_error(mut self, on_error: OnError) -> Self {
        self.settings.on_error = on_error;
        self
    }

    /// Does only what an earlier run of the same call left; its span counts, whatever span is set here.
    pub fn resume(mut self, token: &ResumeToken) -> Self {
        self.settings.resume = Some(token.clone());
        self
    }

    /// Binds resume tokens to what the caller knows the data by, such as their own id of the person: a token made under a key is refused
    /// under another one, and without one. Calls for two people look alike but for their access tokens, which are in no resume token.
    ///
    /// The token holds a hash of it, made with the call's parameters. Who can guess the key can check the guess.
    pub fn resume_key(mut self, key: impl Into<String>) -> Self {
        self.settings.resume_key = Some(key.into());
        self
    }

    /// Makes each part's call a task of its own, of the tokio runtime in which the parts are read: a part that was begun goes on while
    /// nobody reads. No more are begun meanwhile, and dropping the stream still ends those that are running.
    pub fn spawned(self) -> Self {
        self.spawned_within(|part| part)
    }

    /// As [`spawned`](Split::spawned), each task being what `around` makes of it, such as one that has a task-local value. It is called
    /// by the task that reads the parts.
    pub fn spawned_within(mut self, around: impl Fn(BoxFuture<'static, ()>) -> BoxFuture<'static, ()> + Send + Sync + 'static) -> Self {
        self.settings.spawned = Some(Arc::new(around));
        self
    }

    /// Calls `report` after each part, in the order of the parts, on the task that reads them. It should be quick.
    pub fn on_progress(mut self, report: impl FnMut(Progress) + Send + 'static) -> Self {
        self.settings.report = Some(Box::new(report));
        self
    }

    /// Starts: the parts in their order, each as soon as it and all before it are there. Nothing is asked before the stream is
    /// read; dropping it ends what is running. Parts that are running make progress only while the stream is read, so a reader
    /// that takes its time sets [`spawned`](Split::spawned): their timeouts go on.
    ///
    /// # Errors
    /// `invalid_argument` for an open or empty range with a span, a span of no length or one that makes more than
    /// [`MAX_PARTS`](super::MAX_PARTS) parts, a concurrency of 0, or a token of another call.
    pub fn stream(self) -> Result<Parts<O>, Error> {
        let (running, course) = self.start(Call::send)?;
        Ok(Parts::new(running, course))
    }

    /// Reads every part and merges the answers: items in the order of the parts, an item that the part before had too left out.
    ///
    /// # Errors
    /// As [`Split::stream`]; with [`OnError::Stop`] the first part that failed; with [`OnError::Collect`] the first failure
    /// where every part failed. The error has what was read before it and a token for the rest.
    pub async fn collect(self) -> Result<Merged<O>, SplitError<O>> {
        self.stream()?.collect().await
    }

    /// As [`Split::collect`], waiting on this thread.
    ///
    /// # Errors
    /// As [`Split::collect`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn collect_blocking(self) -> Result<Merged<O>, SplitError<O>> {
        crate::blocking::block_on(self.collect())?
    }

    /// Makes every part's call by `send`, several at once.
    pub(super) fn start<T, F>(self, send: impl Fn(Call<O>) -> F + Send + 'static) -> Result<(Running<T>, Course<O>), Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let (origin, plan) = self.plan().map_err(|error| error.in_operation(O::META))?;
        let todo = self.settings.todo(plan.count);
        let (client, parameters, options) = (self.client, self.parameters, self.options);
        let Settings { concurrency, on_error, spawned, report, .. } = self.settings;
        let calls = indexes(todo.clone()).map(move |index| {
            let mut parameters = parameters.clone();
            if let (Some(_), Some(range)) = (plan.span, plan.part(index)) {
                let [from, to] = range.bounds();
                parameters.set_bounds(from, to);
            }
            let answer = send(Call::new(&client, parameters).options(options.clone()));
            let spawned = spawned.clone();
            async move { (index, carry(spawned, answer).await) }
        });
        let running = stream::iter(calls).buffered(concurrency).boxed();
        Ok((running, Course::new(origin, plan, todo, on_error, report)))
    }

    /// Which call it is, and how it is cut.
    fn plan(&self) -> Result<(Origin, Plan<O::Range>), Error> {
        let mut hash = Fingerprint::new();
        self.parameters.others(&mut hash);
        hash.options(&self.options);
        self.settings.bind(&mut hash);
        let span = self.settings.resume.as_ref().map_or(self.span, |token| token.origin.span);
        let bounds = self.parameters.bounds();
        let plan = Plan::new(bounds, O::BOUNDS, span)?;
        let origin = Origin { operation: O::META.id.to_owned(), span, bounds: O::Range::keep(bounds), others: hash.finish() };
        self.settings.check(&origin)?;
        Ok((origin, plan))
    }
}

/// Every index of these runs.
pub fn indexes(runs: Vec<(u32, u32)>) -> impl Iterator<Item = u32> + Send {
    runs.into_iter().flat_map(|(first, last)| first..=last)
}

/// Shows no parameters.
impl<O: RangeOperation> fmt::Debug for Split<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Split")
            .field("operation", &O::META.id)
            .field("span", &self.span)
            .field("concurrency", &self.settings.concurrency)
            .field("on_error", &self.settings.on_error)
            .field("resume", &self.settings.resume)
            .finish_non_exhaustive()
    }
}
