//! Settings of calls made in parts, whatever the parts are.

use std::sync::Arc;

use futures_util::future::Either;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::fingerprint::Fingerprint;
use super::split::OnError;
use super::token::{Origin, ResumeToken};
use crate::auth::ProviderContext;
use crate::client::BoxFuture;
use crate::error::Error;

/// Default number of parts that are requested at once.
const CONCURRENCY: usize = 4;

/// Wraps the task of a part.
pub type Around = Arc<dyn Fn(BoxFuture<'static, ()>) -> BoxFuture<'static, ()> + Send + Sync>;

/// How parts are run.
#[derive(Clone)]
pub struct Settings {
    /// Number of parts that may be requested at once.
    pub concurrency: usize,
    /// What happens when a part fails.
    pub on_error: OnError,
    /// The rest of an earlier run, where only that is read.
    pub resume: Option<ResumeToken>,
    /// The key that resume tokens are bound to.
    pub resume_key: Option<String>,
    /// Wraps the task of a part, if each part is a task.
    pub spawned: Option<Around>,
}

impl Settings {
    /// The defaults.
    #[expect(clippy::new_without_default, reason = "for generated code")]
    pub fn new() -> Self {
        Self { concurrency: CONCURRENCY, on_error: OnError::Stop, resume: None, resume_key: None, spawned: None }
    }

    /// Adds the resume key to a fingerprint.
    pub fn bind(&self, hash: &mut Fingerprint) {
        // No parameter has this name.
        if let Some(key) = &self.resume_key {
            hash.add("resume key", key);
        }
    }

    /// Rejects settings that request nothing, and tokens of another call.
    pub fn check(&self, origin: &Origin) -> Result<(), Error> {
        if self.concurrency == 0 {
            return Err(Error::invalid_argument("concurrency", "must be at least 1"));
        }
        match &self.resume {
            Some(token) if token.origin.operation != origin.operation => Err(foreign("the resume token was made by another operation")),
            Some(token) if token.origin.bounds != origin.bounds => Err(foreign("the resume token was made for another range")),
            Some(token) if token.origin != *origin => {
                Err(foreign("the resume token was made by a call with other parameters or another resume key"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the parts of this run, out of `count`, as the first and last index of each sequence.
    pub fn todo(&self, count: u32) -> Vec<(u32, u32)> {
        self.resume.as_ref().map_or_else(|| vec![(0, count - 1)], |token| token.todo.clone())
    }
}

/// Awaits a part, in a task of its own if that is set. The task ends with this future.
///
/// The task begins here, before this is first awaited. A part before it may have its answer as soon as that is awaited, is handed out then,
/// and nobody looks at this one while its reader pauses.
pub fn carry<T: Send + 'static>(
    spawned: Option<Around>,
    answer: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> impl Future<Output = Result<T, Error>> + Send + 'static {
    let Some(around) = spawned else { return Either::Left(answer) };
    let (sender, receiver) = oneshot::channel();
    let mut task = JoinSet::new();
    let context = ProviderContext::current();
    task.spawn(around(Box::pin(async move {
        let answer = match context {
            Some(context) => context.carry(Box::pin(answer)).await,
            None => answer.await,
        };
        // Nobody waits any more where this was dropped.
        let _ = sender.send(answer);
    })));
    Either::Right(async move {
        let answer = receiver.await.unwrap_or_else(|_| Err(Error::internal("a part's task gave no answer")));
        drop(task);
        answer
    })
}

fn foreign(reason: &'static str) -> Error {
    Error::invalid_argument("resume_token", reason)
}
