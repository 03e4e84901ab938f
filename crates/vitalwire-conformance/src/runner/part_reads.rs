//! Parts of a range that are read one by one: exclusive reading and the effects of closing.

use std::time::Duration;

use futures_util::future::join;
use serde_json::json;
use vitalwire::Error;
use vitalwire::range::{AnyPart, AnyParts, RangeError};

use super::calls::{CallOutcome, CanonicalResponse};
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

/// Reads the parts with async calls.
pub(super) async fn read_parts(parts: &AnyParts<()>, action: PartsAction) -> CallOutcome {
    let mut results = ReadResults::default();
    results.add(parts.next().await);
    match action {
        PartsAction::SecondReader => {
            let (first, second) = join(parts.next(), parts.next()).await;
            results.add(second);
            results.add(first);
        }
        PartsAction::ClosedWhileRead => {
            let closing = async {
                tokio::time::sleep(IN_FLIGHT_DELAY).await;
                parts.close();
            };
            results.add(join(parts.next(), closing).await.0);
        }
        PartsAction::Closed => parts.close(),
        PartsAction::ReadOn => while results.add(parts.next().await) {},
    }
    while results.add(parts.next().await) {}
    results.outcome(parts)
}

/// Reads the parts with blocking calls. A concurrent read runs on a thread of its own.
pub(super) fn read_parts_blocking(parts: &AnyParts<()>, action: PartsAction) -> CallOutcome {
    let mut results = ReadResults::default();
    results.add(parts.next_blocking());
    let during_read = |action_during_read: &mut dyn FnMut()| {
        std::thread::scope(|scope| {
            let reading = scope.spawn(|| parts.next_blocking());
            std::thread::sleep(IN_FLIGHT_DELAY);
            action_during_read();
            reading.join().unwrap_or_else(|_| Err(Error::internal("a read panicked").into()))
        })
    };
    match action {
        PartsAction::SecondReader => {
            let mut second = None;
            let first = during_read(&mut || second = Some(parts.next_blocking()));
            for read in second.into_iter().chain([first]) {
                results.add(read);
            }
        }
        PartsAction::ClosedWhileRead => {
            let read = during_read(&mut || parts.close());
            results.add(read);
        }
        PartsAction::Closed => parts.close(),
        PartsAction::ReadOn => while results.add(parts.next_blocking()) {},
    }
    while results.add(parts.next_blocking()) {}
    results.outcome(parts)
}
