//! The polling loop of a wait.

use std::time::Duration;

use tokio::time::Instant;

use super::{DEFAULT_TIMEOUT, FirstStep, OnProgress, UploadedRecord, WaitCall, WaitError, WaitOperation, WaitProgress};
use crate::client::{CallOptions, Client, Operation, Response};
use crate::error::{Error, ErrorKind};
use crate::operation::{Effect, Projection};

/// Extra time for the response to an upload after its wait was cancelled. The record already exists, and only the response has its id.
/// Services respond to an upload in well under a second; a cancelled call should not take much longer.
const UPLOAD_GRACE: Duration = Duration::from_secs(2);

struct WaitState<O: WaitOperation> {
    client: Client,
    options: CallOptions,
    poll: O::Poll,
    record_id: Option<String>,
    last: Option<Response<O::Record>>,
    /// Projection of the upload; a poll returns no more than that.
    projection: Projection,
    polls: u32,
    started: Instant,
    /// Deadline. `None` if it exceeds the range of the clock.
    end: Option<Instant>,
    on_progress: Option<OnProgress>,
}

pub(super) async fn run<O: WaitOperation>(wait: WaitCall<O>) -> Result<Response<O::Record>, WaitError<O::Record>> {
    let WaitCall { client, operation, options, timeout, mut interval, on_progress } = wait;
    interval.check().map_err(WaitError::new)?;
    let client = client.keep_open().map_err(|error| WaitError::new(error.with_operation(O::META)))?;
    let timeout = match timeout {
        Some(timeout) => timeout,
        None => client.state().map_err(WaitError::new)?.deadlines.scaled(DEFAULT_TIMEOUT),
    };
    let started = Instant::now();
    let end = started.checked_add(timeout);
    let first = options.with_remaining_time(timeout).grace_after_cancel(UPLOAD_GRACE);
    let rest = options.for_another_request();
    let mut state = match operation.first_step() {
        FirstStep::Poll(poll) => {
            let projection = Projection::default();
            WaitState::<O> { client, options: rest, poll, record_id: None, last: None, projection, polls: 0, started, end, on_progress }
        }
        FirstStep::Upload(operation, read_record) => {
            let response = client.execute(operation, &first).await.map_err(WaitError::new)?;
            let UploadedRecord { id, status, poll } = read_record(&response);
            let (record_id, projection) = (Some(id), response.metadata().projection.clone());
            let mut state =
                WaitState { client, options: rest, poll, record_id, last: None, projection, polls: 0, started, end, on_progress };
            state.notify(&status);
            // Poll even if the analysis has already ended: the response to the upload is not the full record.
            if !O::ENDED.contains(&status.as_str()) {
                state.pause(interval.next()).await?;
            }
            state
        }
    };
    loop {
        if state.poll_record().await? {
            return state.last.take().ok_or_else(|| WaitError::new(Error::internal("the polled record is missing")));
        }
        state.pause(interval.next()).await?;
    }
}

impl<O: WaitOperation> WaitState<O> {
    /// Polls the record. Returns whether the analysis has ended.
    async fn poll_record(&mut self) -> Result<bool, WaitError<O::Record>> {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        let options = left.map_or_else(|| self.options.clone(), |left| self.options.with_remaining_time(left));
        match self.client.execute(self.poll.clone(), &options).await {
            Ok(mut record) => {
                record.meta_mut().projection = self.projection.clone();
                self.polls += 1;
                let ended = O::ENDED.contains(&O::status(&record));
                self.notify(O::status(&record).to_owned().as_str());
                self.last = Some(record);
                Ok(ended)
            }
            // The invalid id comes from the service, not from the caller.
            Err(error) if self.record_id.is_some() && error.kind() == ErrorKind::InvalidArgument => {
                Err(self.fail(Error::with_reason(ErrorKind::Decode, "the id in the response is not a valid record id")))
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    async fn pause(&mut self, wait: Duration) -> Result<(), WaitError<O::Record>> {
        // If the next poll would be after the deadline, sleep only until the deadline. `None` exceeds the range of the clock.
        let next = Instant::now().checked_add(wait);
        let late = self.end.filter(|end| next.is_none_or(|next| next >= *end));
        let until = late.or(next);
        let sleep = async move {
            match until {
                Some(until) => tokio::time::sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        let state = self.client.state().map_err(|error| self.fail(error))?;
        match state.unless_ended(&self.options, sleep).await {
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
        // The upload has taken effect, whether or not the wait succeeds.
        let effect = if self.record_id.is_some() { <O as Operation>::META.effect() } else { Effect::None };
        let error = error.with_operation(<O::Poll as Operation>::META).with_effect(effect).with_record_id(self.record_id.clone());
        WaitError::with_last(error, self.last.take())
    }
}
