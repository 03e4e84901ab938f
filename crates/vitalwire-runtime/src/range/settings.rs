//! Settings of ranges and searches.

use std::sync::Arc;

use futures_util::future::Either;
use futures_util::stream::{self, StreamExt};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::fingerprint::Fingerprint;
use super::part_plan::PartPlan;
use super::range_run::{OnError, PartStream, ProgressListener, RangeRun};
use super::resume_token::{RangeOrigin, ResumeToken};
use crate::auth::ProviderContext;
use crate::client::{BoxFuture, Client};
use crate::error::Error;
use crate::operation::OperationMeta;

/// Default number of parts requested concurrently.
const DEFAULT_CONCURRENCY: usize = 4;

/// Wraps the task of a part.
pub type TaskWrapper = Arc<dyn Fn(BoxFuture<'static, ()>) -> BoxFuture<'static, ()> + Send + Sync>;

/// Settings of a range or a search.
#[derive(Clone)]
pub struct RangeSettings {
    /// Maximum number of parts requested concurrently.
    pub concurrency: usize,
    /// Action when a part fails.
    pub on_error: OnError,
    /// Resume token of an earlier run. If set, only the parts that are missing from that run are read.
    pub resume: Option<ResumeToken>,
    /// Key that resume tokens are bound to.
    pub resume_key: Option<String>,
    /// Wraps the task of each part; `None` if parts are not spawned as tasks.
    pub spawned: Option<TaskWrapper>,
}

impl Default for RangeSettings {
    fn default() -> Self {
        Self { concurrency: DEFAULT_CONCURRENCY, on_error: OnError::Stop, resume: None, resume_key: None, spawned: None }
    }
}

impl RangeSettings {
    /// Adds the resume key to a fingerprint.
    pub fn hash_resume_key(&self, hash: &mut Fingerprint) {
        // No parameter has this name, because it contains a space.
        if let Some(key) = &self.resume_key {
            hash.add("resume key", key);
        }
    }

    /// Rejects settings that request nothing, and tokens of another call.
    fn check(&self, origin: &RangeOrigin) -> Result<(), Error> {
        if self.concurrency == 0 {
            return Err(Error::invalid_argument("concurrency", "must be at least 1"));
        }
        match &self.resume {
            Some(token) if token.origin.operation != origin.operation => {
                Err(invalid_token("the resume token was made by another operation"))
            }
            Some(token) if token.origin.bounds != origin.bounds => Err(invalid_token("the resume token was made for another range")),
            Some(token) if token.origin != *origin => {
                Err(invalid_token("the resume token was made by a call with other parameters or another resume key"))
            }
            _ => Ok(()),
        }
    }

    /// Starts a run. `read` receives the parts to read, as the first and last index of each sequence, and a client that the run keeps open.
    ///
    /// # Errors
    /// `invalid_argument` for settings that request nothing and for tokens of another call; `closed` if the client is closed.
    pub fn start<T>(
        self,
        operation: &'static OperationMeta,
        client: &Client,
        plan: Result<(RangeOrigin, PartPlan), Error>,
        listener: Option<ProgressListener>,
        read: impl FnOnce(Client, PartPlan, Vec<(u32, u32)>) -> PartStream<T>,
    ) -> Result<RangeRun<T>, Error> {
        let begin = || {
            let (origin, plan) = plan?;
            self.check(&origin)?;
            Ok((origin, plan, client.keep_open()?))
        };
        let (origin, plan, client) = begin().map_err(|error: Error| error.with_operation(operation))?;
        let todo = self.resume.map_or_else(|| vec![(0, plan.count - 1)], |token| token.todo);
        Ok(RangeRun::new(read(client, plan, todo.clone()), (origin, plan), todo, self.on_error, listener))
    }
}

/// Defines the settings shared by ranges and searches. Use it in the `impl` of a type with a function `settings_mut` and a field
/// `listener`.
#[doc(hidden)]
#[macro_export]
macro_rules! __range_settings {
    () => {
        /// Sets the maximum number of parts requested concurrently. 0 is rejected when the call starts. Defaults to 4.
        pub fn concurrency(mut self, parts: usize) -> Self {
            self.settings_mut().concurrency = parts;
            self
        }

        /// Sets the action when a part fails. Defaults to [`OnError::Stop`](crate::range::OnError::Stop).
        pub fn on_error(mut self, on_error: $crate::range::OnError) -> Self {
            self.settings_mut().on_error = on_error;
            self
        }

        /// Requests only the remaining parts of an earlier run of the same call. Uses the part length of that run and ignores the one set
        /// here.
        pub fn resume(mut self, token: &$crate::range::ResumeToken) -> Self {
            self.settings_mut().resume = Some(token.clone());
            self
        }

        /// Binds resume tokens to a key of the caller, such as its own id of the user. A token created with one key is rejected with
        /// another key, and without a key. Calls for two users differ only in their access tokens, which resume tokens do not contain.
        ///
        /// The token contains a hash of the key and the call's parameters. Someone who can guess the key can verify the guess.
        pub fn resume_key(mut self, key: impl Into<String>) -> Self {
            self.settings_mut().resume_key = Some(key.into());
            self
        }

        /// Spawns each part as a task on the tokio runtime that reads the parts. Up to `concurrency` parts start together. A part that
        /// has started continues while nobody reads, but no further part starts. Dropping the stream cancels the parts in flight.
        pub fn spawned(self) -> Self {
            self.spawned_within(|part| part)
        }

        /// Like [`spawned`](Self::spawned), but wraps each task with `wrap`, for example to set a task-local value. `wrap` is called on
        /// the task that reads the parts.
        pub fn spawned_within(
            mut self,
            wrap: impl Fn($crate::client::BoxFuture<'static, ()>) -> $crate::client::BoxFuture<'static, ()> + Send + Sync + 'static,
        ) -> Self {
            self.settings_mut().spawned = Some(::std::sync::Arc::new(wrap));
            self
        }

        /// Sets a callback that runs after each part, in the order of the parts, on the task that reads them. It should return quickly.
        pub fn on_progress(mut self, listener: impl FnMut($crate::range::Progress) + Send + 'static) -> Self {
            self.listener = Some(Box::new(listener));
            self
        }

        /// Replaces all of these settings except the listener, for bindings.
        #[doc(hidden)]
        pub fn with_settings(mut self, settings: $crate::range::RangeSettings) -> Self {
            *self.settings_mut() = settings;
            self
        }
    };
}

/// Returns the results of these calls in order, with limited concurrency.
pub fn buffer_parts<T, F>(calls: impl Iterator<Item = F> + Send + 'static, concurrency: usize) -> PartStream<T>
where
    T: Send + 'static,
    F: Future<Output = (Vec<u32>, Result<T, Error>)> + Send + 'static,
{
    stream::iter(calls).buffered(concurrency).boxed()
}

/// Awaits a part, in its own task if `spawned` is set. Dropping the future cancels the task.
///
/// The task is spawned before the future is first polled. Otherwise, if an earlier part completes at once and its reader pauses, this
/// part would never start.
pub fn spawn_part<T: Send + 'static>(
    spawned: Option<TaskWrapper>,
    part: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> impl Future<Output = Result<T, Error>> + Send + 'static {
    let Some(wrap) = spawned else { return Either::Left(part) };
    let (sender, receiver) = oneshot::channel();
    let mut task = JoinSet::new();
    let context = ProviderContext::current();
    task.spawn(wrap(Box::pin(async move {
        let read = match context {
            Some(context) => context.run_async(Box::pin(part)).await,
            None => part.await,
        };
        // Fails if the receiver was dropped, and then nobody waits for the result.
        let _ = sender.send(read);
    })));
    Either::Right(async move {
        let read = receiver.await.unwrap_or_else(|_| Err(Error::internal("the task of a part ended without a result")));
        drop(task);
        read
    })
}

/// Returns every index in these sequences.
pub fn part_indexes(sequences: Vec<(u32, u32)>) -> impl Iterator<Item = u32> + Send {
    sequences.into_iter().flat_map(|(first, last)| first..=last)
}

fn invalid_token(reason: &'static str) -> Error {
    Error::invalid_argument("resume_token", reason)
}
