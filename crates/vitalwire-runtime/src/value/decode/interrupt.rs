//! Interruption of the decoding of a large body, at a deadline or a cancellation.
//!
//! serde passes no context to the values it decodes, so the check is a thread-local. It runs after every few dozen objects, every few
//! thousand numbers, and every [`SLICE`] of memory: a few milliseconds of work in a debug build. An unknown field is skipped without
//! checks.

use std::cell::RefCell;

/// Message of an interrupted decoder; callers never see it. It contains a position, because serde_json would otherwise count the lines of
/// everything read so far, which takes 30 ms for a large body in a debug build.
const ENDED: &str = "ended at line 1 column 1";

/// Memory that may be allocated between two checks, in bytes.
pub(super) const SLICE: usize = 64 << 10;

#[derive(Default)]
struct Interrupt {
    must_end: Option<Box<dyn Fn() -> bool>>,
    ended: bool,
}

thread_local! {
    static INTERRUPT: RefCell<Interrupt> = const { RefCell::new(Interrupt { must_end: None, ended: false }) };
}

/// Runs `decode` until `must_end` returns true. Returns `None` if it was interrupted.
pub(crate) fn interruptible<T>(must_end: impl Fn() -> bool + 'static, decode: impl FnOnce() -> T) -> Option<T> {
    let before = INTERRUPT.replace(Interrupt { must_end: Some(Box::new(must_end)), ended: false });
    let result = decode();
    let Interrupt { ended, .. } = INTERRUPT.replace(before);
    (!ended).then_some(result)
}

/// Whether the decoder was interrupted.
pub(super) fn is_ended() -> bool {
    INTERRUPT.with_borrow(|interrupt| interrupt.ended)
}

/// Checks whether to interrupt, and fails if so.
#[cold]
pub(crate) fn check<E: serde::de::Error>() -> Result<(), E> {
    let ended = INTERRUPT.with_borrow_mut(|interrupt| {
        interrupt.ended = interrupt.ended || interrupt.must_end.as_ref().is_some_and(|must_end| must_end());
        interrupt.ended
    });
    if ended { Err(E::custom(ENDED)) } else { Ok(()) }
}

/// Same as [`check`], but only at every 64th list item.
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
    use crate::value::decode::{DecodeFailure, NullIsEmpty, from_slice};

    /// Decodes until the check was called `asks` times.
    fn until<T: serde::de::DeserializeOwned>(asks: u32, body: &str) -> (Option<Result<T, DecodeFailure>>, u32) {
        let asked = Rc::new(Cell::new(0));
        let counter = Rc::clone(&asked);
        let must_end = move || {
            counter.set(counter.get() + 1);
            counter.get() > asks
        };
        let outcome = interruptible(must_end, || from_slice::<T>(body.as_bytes(), &[]));
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
            assert_eq!((outcome.is_none(), asked), (true, 1));
            let (outcome, asked) = until::<Texts>(u32::MAX, &body);
            assert!(outcome.is_some() && asked >= least, "{asked}");
        }
        let (outcome, asked) = until::<NullIsEmpty<f64>>(u32::MAX, &list("1.5", 100_000));
        assert!(outcome.is_some_and(|list| list.is_ok_and(|NullIsEmpty(list)| list.len() == 100_000)));
        assert!((24..60).contains(&asked), "{asked}");
    }

    #[test]
    fn what_was_asked_for_one_body_is_not_asked_for_the_next() {
        let (outcome, _) = until::<NullIsEmpty<bool>>(0, &list("true", 1000));
        assert!(outcome.is_none());
        assert!(from_slice::<NullIsEmpty<bool>>(list("true", 1000).as_bytes(), &[]).is_ok());
        assert!(!is_ended());
    }
}
