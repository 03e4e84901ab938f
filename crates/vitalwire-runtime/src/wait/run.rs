//! Polling until the analysis has ended.

use std::time::Duration;

use tokio::time::Instant;

use super::{DEFAULT_TIMEOUT, Follow, OnProgress, Plan, WaitCall, WaitError, WaitOperation, WaitProgress};
use crate::client::{CallOptions, Client, Operation, Response};
use crate::error::{Error, ErrorKind};
use crate::operation::{Effect, Projection};

/// How long an upload on its way may still be answered after its wait was cancelled: its record is there then, and the answer alone has
/// its id. Services answer an upload in well under a second; nobody should wait much longer for what was cancelled.
const LAST_ANSWER: Duration = Duration::from_secs(2);

/// What is known of the record so far.
struct Known<O: WaitOperation> {
    client: Client,
    options: CallOptions,
    poll: O::Poll,
    record_id: Option<String>,
    last: Option<Response<O::Record>>,
    /// What the upload requested: a poll returns no more than that.
    projection: Projection,
    polls: u32,
    started: Instant,
    /// The deadline; `None` if it is beyond what the clock can express.
    end: Option<Instant>,
    on_progress: Option<OnProgress>,
}

pub(super) async fn run<O: WaitOperation>(wait: WaitCall<O>) -> Result<Response<O::Record>, WaitError<O::Record>> {
    let WaitCall { client, operation, options, timeout, mut interval, on_progress } = wait;
    interval.check().map_err(WaitError::new)?;
    let client = client.held().map_err(|error| WaitError::new(error.in_operation(O::META)))?;
    let timeout = match timeout {
        Some(timeout) => timeout,
        None => client.shared().map_err(WaitError::new)?.deadlines.scaled(DEFAULT_TIMEOUT),
    };
    let started = Instant::now();
    let end = started.checked_add(timeout);
    let first = options.within(timeout).answered_after_cancel(LAST_ANSWER);
    let rest = options.for_another_request();
    let mut known = match operation.plan() {
        Plan::Poll(poll) => {
            let projection = Projection::default();
            Known::<O> { client, options: rest, poll, record_id: None, last: None, projection, polls: 0, started, end, on_progress }
        }
        Plan::Start(operation, follow) => {
            let answer = client.execute(operation, &first).await.map_err(WaitError::new)?;
            let Follow { id, status, poll } = follow(&answer);
            let (record_id, projection) = (Some(id), answer.metadata().projection.clone());
            let mut known = Known { client, options: rest, poll, record_id, last: None, projection, polls: 0, started, end, on_progress };
            known.notify(&status);
            // What has ended already is read at once: the upload's answer is not the record as it is read.
            if !O::ENDED.contains(&status.as_str()) {
                known.pause(interval.next()).await?;
            }
            known
        }
    };
    loop {
        if known.ask().await? {
            return known.last.take().ok_or_else(|| WaitError::new(Error::internal("a record was read and lost")));
        }
        known.pause(interval.next()).await?;
    }
}

impl<O: WaitOperation> Known<O> {
    /// Polls the record. Returns whether the analysis has ended.
    async fn ask(&mut self) -> Result<bool, WaitError<O::Record>> {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        let options = left.map_or_else(|| self.options.clone(), |left| self.options.within(left));
        match self.client.execute(self.poll.clone(), &options).await {
            Ok(mut record) => {
                record.meta_mut().projection = self.projection.clone();
                self.polls += 1;
                let ended = O::ENDED.contains(&O::status(&record));
                self.notify(O::status(&record).to_owned().as_str());
                self.last = Some(record);
                Ok(ended)
            }
            // The id is not the caller's argument but the service's answer.
            Err(error) if self.record_id.is_some() && error.kind() == ErrorKind::InvalidArgument => {
                Err(self.fail(Error::with_reason(ErrorKind::Decode, "the response has an id that no record can have")))
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    async fn pause(&mut self, wait: Duration) -> Result<(), WaitError<O::Record>> {
        // What would be asked after the end is not waited for; `None` lies beyond what the clock can express.
        let next = Instant::now().checked_add(wait);
        let late = self.end.filter(|end| next.is_none_or(|next| next >= *end));
        let until = late.or(next);
        let sleep = async move {
            match until {
                Some(until) => tokio::time::sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        let shared = self.client.shared().map_err(|error| self.fail(error))?;
        match shared.unless_ended(&self.options, sleep).await {
            Err(error) => Err(self.fail(error)),
            Ok(()) if late.is_some() => {
                Err(self.fail(Error::with_reason(ErrorKind::Timeout, "the analysis did not end within the timeout")))
            }
            Ok(()) => Ok(()),
        }
    }

    fn notify(&mut self, status: &str) {
        if let Some(notify) = &mut self.on_progress {
            notify(&WaitProgress { polls: self.polls, status, elapsed: self.started.elapsed(), record_id: self.record_id.as_deref() });
        }
    }

    fn fail(&mut self, error: Error) -> WaitError<O::Record> {
        // What was uploaded is there, whatever becomes of the waiting.
        let effect = if self.record_id.is_some() { <O as Operation>::META.effect() } else { Effect::None };
        let error = error.in_operation(<O::Poll as Operation>::META).effect(effect).of_record(self.record_id.clone());
        WaitError::with(error, self.last.take())
    }
}
