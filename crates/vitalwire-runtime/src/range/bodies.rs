//! The bodies of the parts of a split call, as received.

use std::fmt;

use futures_util::stream::StreamExt;

use super::RangeOperation;
use super::split::{OnError, RangeCall};
use super::state::{RunState, Running};
use super::stream::PartFailure;
use super::token::ResumeToken;
use crate::client::{Call, RawResponse};
use crate::error::Error;

impl<O: RangeOperation> RangeCall<O> {
    /// Returns a stream of the parts' bodies as received, in order and not decoded, for a caller that stores them. Two neighbouring parts may
    /// contain the same item. Failures and resuming work as in [`RangeCall::stream`].
    ///
    /// # Errors
    /// Those of [`RangeCall::stream`].
    pub fn bodies(self) -> Result<Bodies<O>, Error> {
        let (running, state) = self.start(Call::raw)?;
        Ok(Bodies { running: Some(running), state })
    }
}

/// The bodies of the parts of a split call, in order. Dropping it ends running parts.
#[must_use = "nothing is requested before it is read"]
pub struct Bodies<O: RangeOperation> {
    /// `None` once it has ended.
    running: Option<Running<RawResponse>>,
    state: RunState<O>,
}

impl<O: RangeOperation> Bodies<O> {
    /// Returns the next body, or `None` after the last part or the error that stopped the call.
    pub async fn next(&mut self) -> Option<Result<RawResponse, PartFailure<O>>> {
        let Some((index, answer)) = self.running.as_mut()?.next().await else {
            self.running = None;
            return None;
        };
        Some(match answer {
            Ok(body) => {
                self.state.advance(0);
                Ok(body)
            }
            Err(error) => {
                if self.state.on_error == OnError::Stop {
                    self.running = None;
                }
                Err(self.state.fail(index, error))
            }
        })
    }

    /// Returns a token for all parts that have failed or were not returned yet; `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.state.resume_token()
    }
}

impl<O: RangeOperation> fmt::Debug for Bodies<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bodies").field("operation", &O::META.id).field("progress", &self.state.progress).finish_non_exhaustive()
    }
}
