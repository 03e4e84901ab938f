//! Parts of a range that are read one by one: exclusive reading and the effects of closing.

use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join;
use serde_json::json;
use vitalwire::Error;
use vitalwire::range::{AnyPart, AnyParts, RangeError};

use super::calls::{CallOutcome, CanonicalResponse};
use super::mode::Mode;
use crate::case::PartsAction;

/// Time after which a read is in flight. The judge delays its response longer.
const IN_FLIGHT_DELAY: Duration = Duration::from_millis(150);

type PartOutcome = Result<Option<AnyPart<()>>, RangeError>;

#[derive(Default)]
struct ReadResults {
    indexes: Vec<u32>,
    error: Option<Error>,
}

impl ReadResults {
    /// Adds the result of a read. Returns whether there was a part.
    fn add(&mut self, read: PartOutcome) -> bool {
        match read {
            Ok(part) => {
                self.indexes.extend(part.as_ref().and_then(|part| part.index));
                part.is_some()
            }
            Err(failure) => {
                self.error = Some(failure.into());
                false
            }
        }
    }

    fn outcome(self, parts: &AnyParts<()>) -> CallOutcome {
        let left = parts.resume_token().map_or(0, |token| token.parts_left());
        let mut value = json!({ "read": self.indexes, "left": left });
        if let Some(error) = self.error {
            value["error"] = error.kind().as_str().into();
            value["code"] = error.code().into();
        }
        Ok(CanonicalResponse { value, ..CanonicalResponse::default() })
    }
}

/// Reads the parts.
pub(super) async fn read_parts(parts: &AnyParts<()>, action: PartsAction, mode: Mode) -> CallOutcome {
    let mut results = ReadResults::default();
    results.add(next(parts, mode).await);
    match action {
        PartsAction::SecondReader => {
            let mut second = None;
            let first = read_during(parts, mode, async { second = Some(next(parts, mode).await) }).await;
            for read in second.into_iter().chain([first]) {
                results.add(read);
            }
        }
        PartsAction::ClosedWhileRead => {
            results.add(read_during(parts, mode, async { parts.close() }).await);
        }
        PartsAction::Closed => parts.close(),
        PartsAction::ReadOn => {}
    }
    while results.add(next(parts, mode).await) {}
    results.outcome(parts)
}

async fn next(parts: &AnyParts<()>, mode: Mode) -> PartOutcome {
    match mode {
        Mode::Async => parts.next().await,
        Mode::Blocking => parts.next_blocking(),
    }
}

/// Reads a part. The action runs during the read; a blocking read runs on a thread of its own.
async fn read_during(parts: &AnyParts<()>, mode: Mode, action: impl Future<Output = ()>) -> PartOutcome {
    let action = async {
        mode.sleep(IN_FLIGHT_DELAY).await;
        action.await;
    };
    match mode {
        Mode::Async => join(parts.next(), action).await.0,
        Mode::Blocking => std::thread::scope(|scope| {
            let reading = scope.spawn(|| parts.next_blocking());
            action.now_or_never();
            reading.join().unwrap_or_else(|_| Err(Error::internal("a read panicked").into()))
        }),
    }
}
