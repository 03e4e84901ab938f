//! Location of a decode error within a body.
//!
//! While an error propagates, each list and object records its step, innermost first. Only the second pass over a body records steps.

use std::cell::RefCell;

use super::state::{Mode, mode};

/// A step from a list or object to a value in it.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// To a declared field.
    Member(&'static str),
    /// To a field whose name came from the service. The name may be personal, so it is shown as `*`.
    Unknown,
    /// To a list item.
    Item(usize),
}

thread_local! {
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
    /// Path to the value that is being read, in the second pass.
    static PATH: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

/// Leaves the step of [`enter`] on drop.
#[must_use]
pub(crate) struct StepGuard(bool);

impl Drop for StepGuard {
    #[inline]
    fn drop(&mut self) {
        if self.0 {
            PATH.with_borrow_mut(|path| path.pop());
        }
    }
}

/// Enters a value of a list or object. Does nothing in the first pass.
#[inline]
pub(crate) fn enter(step: Step) -> StepGuard {
    let thorough = mode() == Mode::Thorough;
    if thorough {
        PATH.with_borrow_mut(|path| path.push(step));
    }
    StepGuard(thorough)
}

/// Returns the path of the value that is being read.
pub(super) fn current() -> String {
    PATH.with_borrow(|path| text(path.iter()))
}

/// Begins a body. Returns the state to pass to [`resume`].
pub(super) fn begin() -> Vec<Step> {
    PATH.take()
}

/// Resumes the body that was interrupted by another one.
pub(super) fn resume(path: Vec<Step>) {
    PATH.set(path);
}

/// Records that an error is inside this step.
#[cold]
pub(crate) fn within(step: Step) {
    if mode() == Mode::Thorough {
        STEPS.with_borrow_mut(|steps| steps.push(step));
    }
}

/// Discards the recorded steps, because their error was handled.
pub(super) fn forget() {
    STEPS.with_borrow_mut(Vec::clear);
}

/// Takes the recorded steps as a path. Empty for the whole body.
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
    use super::super::state::{Rules, begin, resume};
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
