//! Parts of a range that are read one by one: exclusive reading and the effects of closing.

use std::time::Duration;

use futures_util::future::join;
use serde_json::json;
use vitalwire::Error;
use vitalwire::range::{AnyPart, AnyParts, RangeError};

use super::run::{Answer, Played};
use crate::case::Turn;

/// Time after which a read is in flight. The judge delays its response longer.
const UNDER_WAY: Duration = Duration::from_millis(150);

type Read = Result<Option<AnyPart<()>>, RangeError>;

/// Results of the reads.
#[derive(Default)]
struct Told {
    read: Vec<u32>,
    error: Option<Error>,
}

impl Told {
    /// Adds the result of a read. Returns whether there was a part.
    fn take(&mut self, read: Read) -> bool {
        match read {
            Ok(part) => {
                self.read.extend(part.as_ref().and_then(|part| part.index));
                part.is_some()
            }
            Err(failure) => {
                self.error = Some(failure.into());
                false
            }
        }
    }

    fn outcome(self, parts: &AnyParts<()>) -> Played {
        let left = parts.resume_token().map_or(0, |token| token.parts_left());
        let mut value = json!({ "read": self.read, "left": left });
        if let Some(error) = self.error {
            value["error"] = error.kind().as_str().into();
            value["code"] = error.code().into();
        }
        Ok(Answer { value, ..Answer::default() })
    }
}

/// Reads with futures.
pub(super) async fn play(parts: &AnyParts<()>, turn: Turn) -> Played {
    let mut told = Told::default();
    told.take(parts.next().await);
    match turn {
        Turn::SecondReader => {
            let (first, second) = join(parts.next(), parts.next()).await;
            told.take(second);
            told.take(first);
        }
        Turn::ClosedWhileRead => {
            let closing = async {
                tokio::time::sleep(UNDER_WAY).await;
                parts.close();
            };
            told.take(join(parts.next(), closing).await.0);
        }
        Turn::Closed => parts.close(),
        Turn::ReadOn => while told.take(parts.next().await) {},
    }
    while told.take(parts.next().await) {}
    told.outcome(parts)
}

/// Reads with blocking threads.
pub(super) fn play_blocking(parts: &AnyParts<()>, turn: Turn) -> Played {
    let mut told = Told::default();
    told.take(parts.next_blocking());
    let beside = |then: &mut dyn FnMut()| {
        std::thread::scope(|scope| {
            let reading = scope.spawn(|| parts.next_blocking());
            std::thread::sleep(UNDER_WAY);
            then();
            reading.join().unwrap_or_else(|_| Err(Error::internal("a reading panicked").into()))
        })
    };
    match turn {
        Turn::SecondReader => {
            let mut second = None;
            let first = beside(&mut || second = Some(parts.next_blocking()));
            for read in second.into_iter().chain([first]) {
                told.take(read);
            }
        }
        Turn::ClosedWhileRead => {
            let read = beside(&mut || parts.close());
            told.take(read);
        }
        Turn::Closed => parts.close(),
        Turn::ReadOn => while told.take(parts.next_blocking()) {},
    }
    while told.take(parts.next_blocking()) {}
    told.outcome(parts)
}
