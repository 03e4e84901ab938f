//! Where in a body an error is.
//!
//! Each list and object notes its own step while the error goes outwards, so the last step comes first. Nothing is noted in a
//! first reading: where that fails, the body is read again.

use std::cell::RefCell;

use super::reading::{Mode, mode};

/// A step from a list or an object to what it holds.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// To a declared member.
    Member(&'static str),
    /// To a member under a name that came from the service, which might be personal: it is shown as `*`.
    Unknown,
    /// To an item.
    Item(usize),
}

thread_local! {
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
    /// From the body to what is read now, in a second reading.
    static PATH: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

/// Ends the step that [`enter`] began when it is dropped.
#[must_use]
pub(crate) struct Entered(bool);

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        if self.0 {
            PATH.with_borrow_mut(|path| path.pop());
        }
    }
}

/// Notes that what a step leads to is read now. Without effect in a first reading.
#[inline]
pub(crate) fn enter(step: Step) -> Entered {
    let thorough = mode() == Mode::Thorough;
    if thorough {
        PATH.with_borrow_mut(|path| path.push(step));
    }
    Entered(thorough)
}

/// The place that is read now, as text.
pub(super) fn current() -> String {
    PATH.with_borrow(|path| text(path.iter()))
}

/// Begins a body. Returns what [`resume`] needs.
pub(super) fn begin() -> Vec<Step> {
    PATH.take()
}

/// Continues the body that another one interrupted.
pub(super) fn resume(path: Vec<Step>) {
    PATH.set(path);
}

/// Notes that an error is within what a step leads to.
#[cold]
pub(crate) fn within(step: Step) {
    if mode() == Mode::Thorough {
        STEPS.with_borrow_mut(|steps| steps.push(step));
    }
}

/// Forgets what was noted: its error goes no further.
pub(super) fn forget() {
    STEPS.with_borrow_mut(Vec::clear);
}

/// What was noted, as text; empty for a whole body.
pub(super) fn take() -> String {
    text(STEPS.take().iter().rev())
}

fn text<'a>(steps: impl Iterator<Item = &'a Step>) -> String {
    let mut text = String::new();
    for step in steps {
        let name = match *step {
            Step::Item(index) => {
                text.push_str(&format!("[{index}]"));
                continue;
            }
            Step::Member(name) => name,
            Step::Unknown => "*",
        };
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(name);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::reading::{Rules, begin, resume};
    use super::*;

    #[test]
    fn steps_lead_from_the_body_and_show_no_name_of_the_service() {
        let note = |mode| {
            let before = begin(mode, Rules { declared: &[], strict_lists: false }, 0);
            [Step::Item(3), Step::Unknown, Step::Member("stages"), Step::Item(0)].into_iter().for_each(within);
            resume(before);
        };
        note(Mode::Quick);
        assert_eq!(take(), "");
        note(Mode::Thorough);
        assert_eq!(take(), "[0].stages.*[3]");
        assert_eq!(take(), "");
    }
}
