//! A range that is read to its end in one go, and tells how far it is.

use std::fmt;
use std::future::IntoFuture;
use std::pin::pin;

use futures_util::future::{self, Either};
use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::super::state::{Progress, Report};
use super::merged::AnyMerged;
use super::{AnyFailure, Ended};
use crate::client::BoxFuture;
use crate::error::Error;

/// A range that is being collected. Await it, or go on [step](Self::step) by step to hear of its progress. Dropping it ends running parts.
#[must_use = "nothing is requested before it is awaited"]
pub struct Gathering<T> {
    future: BoxFuture<'static, Ended<T>>,
    reports: UnboundedReceiver<Progress>,
    /// What came of the future, while there are reports yet to tell.
    ended: Option<Ended<T>>,
}

/// What happens next to a range that is being collected.
#[derive(Debug)]
pub enum Step<T> {
    /// A part is done.
    Progress(Progress),
    /// All of them are.
    Ended(AnyMerged<T>),
}

impl<T: Send + 'static> Gathering<T> {
    pub(super) fn new(begin: impl FnOnce(Option<Report>) -> BoxFuture<'static, Ended<T>>) -> Self {
        let (told, reports) = mpsc::unbounded_channel();
        // Nobody listens any more once this was dropped.
        let report: Report = Box::new(move |progress| told.send(progress).unwrap_or_default());
        Self { future: begin(Some(report)), reports, ended: None }
    }

    /// Goes on to the next part that is done, or to the end.
    ///
    /// # Errors
    /// Why the range ended early; an internal error after the end.
    pub async fn step(&mut self) -> Result<Step<T>, AnyFailure<AnyMerged<T>>> {
        if self.ended.is_none() && !self.reports.is_closed() {
            match future::select(pin!(self.reports.recv()), &mut self.future).await {
                Either::Left((Some(progress), _)) => return Ok(Step::Progress(progress)),
                // No more is reported, so the end is near.
                Either::Left((None, _)) => self.ended = Some((&mut self.future).await),
                Either::Right((ended, _)) => self.ended = Some(ended),
            }
        }
        match (self.reports.try_recv(), self.ended.take()) {
            (Ok(progress), ended) => {
                self.ended = ended;
                Ok(Step::Progress(progress))
            }
            (Err(_), Some(ended)) => {
                self.reports.close();
                ended.map(Step::Ended)
            }
            (Err(_), None) => Err(Error::internal("a range ended without a result").into()),
        }
    }

    /// The same, with what `make` makes of the merged answer.
    pub fn map<U: Send + 'static>(self, make: impl Fn(T) -> U + Clone + Send + Sync + 'static) -> Gathering<U> {
        let change = move |ended: Ended<T>| match ended {
            Ok(merged) => Ok(merged.map(make)),
            Err(failure) => Err(failure.map(|so_far| so_far.map(make))),
        };
        let Self { future, reports, ended } = self;
        match ended {
            Some(ended) => Gathering { future: Box::pin(future::pending()), reports, ended: Some(change(ended)) },
            None => Gathering { future: Box::pin(async move { change(future.await) }), reports, ended: None },
        }
    }

    /// Like awaiting it, blocking this thread.
    ///
    /// # Errors
    /// Why the range ended early; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn blocking(self) -> Ended<T> {
        crate::blocking::block_on_several(self.into_future())?
    }
}

impl<T: Send + 'static> IntoFuture for Gathering<T> {
    type Output = Ended<T>;
    type IntoFuture = BoxFuture<'static, Ended<T>>;

    fn into_future(mut self) -> Self::IntoFuture {
        // What is not heard is not kept.
        self.reports.close();
        match self.ended {
            Some(ended) => Box::pin(future::ready(ended)),
            None => self.future,
        }
    }
}

impl<T> fmt::Debug for Gathering<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gathering").field("ended", &self.ended.is_some()).finish_non_exhaustive()
    }
}
