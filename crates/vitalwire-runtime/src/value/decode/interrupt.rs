//! Interruption of the decoding of a large body, at a deadline or a cancellation.
//!
//! serde passes no context to the values it decodes, so the check is a thread-local. It runs after every few dozen objects, every few
//! thousand numbers, and every [`MEMORY_SLICE`] of memory: a few milliseconds of work in a debug build. An unknown field is skipped without
//! checks.

use std::cell::RefCell;

/// Message of an interrupted decoder; callers never see it. It contains a position, because serde_json would otherwise count all lines read
/// so far. Counting takes 30 ms for a large body in a debug build.
const INTERRUPTED: &str = "ended at line 1 column 1";

/// Memory that may be allocated between two checks, in bytes.
pub(super) const MEMORY_SLICE: usize = 64 << 10;

#[derive(Default)]
struct Interrupt {
    should_stop: Option<Box<dyn Fn() -> bool>>,
    interrupted: bool,
}

thread_local! {
    static INTERRUPT: RefCell<Interrupt> = const { RefCell::new(Interrupt { should_stop: None, interrupted: false }) };
}

/// Runs `decode` until `should_stop` returns true. Returns `None` if it was interrupted.
pub(crate) fn run_interruptibly<T>(should_stop: impl Fn() -> bool + 'static, decode: impl FnOnce() -> T) -> Option<T> {
    let before = INTERRUPT.replace(Interrupt { should_stop: Some(Box::new(should_stop)), interrupted: false });
    let result = decode();
    let Interrupt { interrupted, .. } = INTERRUPT.replace(before);
    (!interrupted).then_some(result)
}

/// Whether the decoder was interrupted.
pub(super) fn is_interrupted() -> bool {
    INTERRUPT.with_borrow(|interrupt| interrupt.interrupted)
}

/// Checks whether to interrupt, and fails if so.
#[cold]
pub(crate) fn check<E: serde::de::Error>() -> Result<(), E> {
    let interrupted = INTERRUPT.with_borrow_mut(|interrupt| {
        interrupt.interrupted = interrupt.interrupted || interrupt.should_stop.as_ref().is_some_and(|should_stop| should_stop());
        interrupt.interrupted
    });
    if interrupted { Err(E::custom(INTERRUPTED)) } else { Ok(()) }
}

/// Same as [`check`], but only at every 64th list item.
#[inline]
pub(crate) fn check_item<E: serde::de::Error>(item: usize) -> Result<(), E> {
    const CHECK_INTERVAL: usize = 64;
    if item.is_multiple_of(CHECK_INTERVAL) { check() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;
    use crate::value::decode::{DecodeFailure, FromBody, NullableList, from_slice};

    /// Decodes until the check was called `checks` times.
    fn decode_until<T: FromBody>(checks: u32, body: &str) -> (Option<Result<T, DecodeFailure>>, u32) {
        let checked = Rc::new(Cell::new(0));
        let counter = Rc::clone(&checked);
        let should_stop = move || {
            counter.set(counter.get() + 1);
            counter.get() > checks
        };
        let outcome = run_interruptibly(should_stop, || from_slice::<T>(body.as_bytes(), &[]));
        (outcome, checked.get())
    }

    fn list(item: &str, times: usize) -> String {
        format!("[{}]", vec![item; times].join(","))
    }

    #[test]
    fn a_list_is_interrupted_at_the_next_check() {
        type Texts = NullableList<String>;
        for (body, least) in [(list("\"text\"", 10_000), 10_000 / 64), (list("null,\"text\"", 10_000), 0)] {
            let (outcome, checked) = decode_until::<Texts>(0, &body);
            assert_eq!((outcome.is_none(), checked), (true, 1));
            let (outcome, checked) = decode_until::<Texts>(u32::MAX, &body);
            assert!(outcome.is_some() && checked >= least, "{checked}");
        }
        let (outcome, checked) = decode_until::<NullableList<f64>>(u32::MAX, &list("1.5", 100_000));
        assert!(outcome.is_some_and(|list| list.is_ok_and(|NullableList(list)| list.len() == 100_000)));
        assert!((24..60).contains(&checked), "{checked}");
    }

    #[test]
    fn an_interruption_does_not_affect_the_next_body() {
        let (outcome, _) = decode_until::<NullableList<bool>>(0, &list("true", 1000));
        assert!(outcome.is_none());
        assert!(from_slice::<NullableList<bool>>(list("true", 1000).as_bytes(), &[]).is_ok());
        assert!(!is_interrupted());
    }
}
