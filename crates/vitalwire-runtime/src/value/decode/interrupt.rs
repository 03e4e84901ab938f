//! Ends the decoding of a large body early, at a deadline or a cancellation.
//!
//! serde hands nothing down to the values it makes, so the question is kept for the thread. It is asked after every few dozen objects,
//! every few thousand numbers, and every [`SLICE`] of memory that values take: a few milliseconds of work in a debug build. A value that
//! no model knows is skipped in one piece.

use std::cell::RefCell;

use crate::error::Error;

/// The error of a decoder that was ended. No caller sees it.
const ENDED: &str = "ended";

/// Memory that may be taken between two questions, in bytes.
pub(super) const SLICE: usize = 64 << 10;

#[derive(Default)]
struct Interrupt {
    ask: Option<Box<dyn Fn() -> Option<Error>>>,
    answer: Option<Error>,
}

thread_local! {
    static INTERRUPT: RefCell<Interrupt> = const { RefCell::new(Interrupt { ask: None, answer: None }) };
}

/// Decodes until `ask` returns an error, which is then the outcome, whatever became of what was read.
pub(crate) fn interruptible<T>(ask: impl Fn() -> Option<Error> + 'static, decode: impl FnOnce() -> T) -> Result<T, Error> {
    let before = INTERRUPT.replace(Interrupt { ask: Some(Box::new(ask)), answer: None });
    let result = decode();
    let Interrupt { answer, .. } = INTERRUPT.replace(before);
    answer.map_or(Ok(result), Err)
}

/// Whether the decoder was ended.
pub(super) fn is_ended() -> bool {
    INTERRUPT.with_borrow(|interrupt| interrupt.answer.is_some())
}

/// Asks whether to go on.
#[cold]
pub(crate) fn check<E: serde::de::Error>() -> Result<(), E> {
    let ended = INTERRUPT.with_borrow_mut(|interrupt| {
        if interrupt.answer.is_none() {
            interrupt.answer = interrupt.ask.as_ref().and_then(|ask| ask());
        }
        interrupt.answer.is_some()
    });
    if ended { Err(E::custom(ENDED)) } else { Ok(()) }
}

/// Asks whether to go on at every few items of a list.
#[inline]
pub(crate) fn check_at<E: serde::de::Error>(item: usize) -> Result<(), E> {
    const EVERY: usize = 64;
    if item.is_multiple_of(EVERY) { check() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;
    use crate::error::ErrorKind;
    use crate::value::decode::{DecodeFailure, NullIsEmpty, from_slice};

    /// Decodes until the question was asked `asks` times.
    fn until<T: serde::de::DeserializeOwned>(asks: u32, body: &str) -> (Result<Result<T, DecodeFailure>, Error>, u32) {
        let asked = Rc::new(Cell::new(0));
        let counter = Rc::clone(&asked);
        let ask = move || {
            counter.set(counter.get() + 1);
            (counter.get() > asks).then(Error::cancelled)
        };
        let outcome = interruptible(ask, || from_slice::<T>(body.as_bytes(), &[]));
        (outcome, asked.get())
    }

    fn list(item: &str, times: usize) -> String {
        format!("[{}]", vec![item; times].join(","))
    }

    #[test]
    fn a_list_is_ended_at_the_next_question() {
        type Texts = NullIsEmpty<String>;
        for (body, least) in [(list("\"text\"", 10_000), 10_000 / 64), (list("null,\"text\"", 10_000), 0)] {
            let (outcome, asked) = until::<Texts>(0, &body);
            assert_eq!((outcome.err().map(|error| error.kind()), asked), (Some(ErrorKind::Cancelled), 1));
            let (outcome, asked) = until::<Texts>(u32::MAX, &body);
            assert!(outcome.is_ok() && asked >= least, "{asked}");
        }
        let (outcome, asked) = until::<NullIsEmpty<f64>>(u32::MAX, &list("1.5", 100_000));
        assert!(outcome.is_ok_and(|list| list.is_ok_and(|NullIsEmpty(list)| list.len() == 100_000)));
        assert!((24..60).contains(&asked), "{asked}");
    }

    #[test]
    fn what_was_asked_for_one_body_is_not_asked_for_the_next() {
        let (outcome, _) = until::<NullIsEmpty<bool>>(0, &list("true", 1000));
        assert!(outcome.is_err());
        assert!(from_slice::<NullIsEmpty<bool>>(list("true", 1000).as_bytes(), &[]).is_ok());
        assert!(!is_ended());
    }
}
