//! Location of a decode error within a body.
//!
//! While an error propagates, each list and object records its step, innermost first. Only the second pass over a body records steps.

use std::cell::RefCell;

use super::decode_state::{DecodeMode, mode};

/// A step from a list or object to a value in it.
#[derive(Clone, Copy)]
pub(crate) enum PathStep {
    /// To a declared field.
    Field(&'static str),
    /// To a field whose name came from the service. The name may be personal, so it is shown as `*`.
    Undeclared,
    /// To a list item.
    Item(usize),
}

thread_local! {
    static ERROR_STEPS: RefCell<Vec<PathStep>> = const { RefCell::new(Vec::new()) };
    /// Path to the value that is being read, in the second pass.
    static PATH: RefCell<Vec<PathStep>> = const { RefCell::new(Vec::new()) };
}

/// Leaves the step of [`enter_step`] on drop.
#[must_use]
pub(crate) struct PathGuard(bool);

impl Drop for PathGuard {
    #[inline]
    fn drop(&mut self) {
        if self.0 {
            PATH.with_borrow_mut(|path| path.pop());
        }
    }
}

/// Enters a value of a list or object. Does nothing in the first pass.
#[inline]
pub(crate) fn enter_step(step: PathStep) -> PathGuard {
    let thorough = mode() == DecodeMode::Thorough;
    if thorough {
        PATH.with_borrow_mut(|path| path.push(step));
    }
    PathGuard(thorough)
}

/// Returns the path of the value that is being read.
pub(super) fn current() -> String {
    PATH.with_borrow(|path| path_text(path.iter()))
}

/// Begins a body. Returns the state to pass to [`resume`].
pub(super) fn begin() -> Vec<PathStep> {
    PATH.take()
}

/// Resumes the body that was interrupted by another one.
pub(super) fn resume(path: Vec<PathStep>) {
    PATH.set(path);
}

/// Records that an error is inside this step.
#[cold]
pub(crate) fn record_step(step: PathStep) {
    if mode() == DecodeMode::Thorough {
        ERROR_STEPS.with_borrow_mut(|steps| steps.push(step));
    }
}

/// Discards the recorded steps, because their error was handled.
pub(super) fn discard() {
    ERROR_STEPS.with_borrow_mut(Vec::clear);
}

/// Takes the recorded steps as a path. Empty for the whole body.
pub(super) fn take() -> String {
    path_text(ERROR_STEPS.take().iter().rev())
}

fn path_text<'a>(steps: impl Iterator<Item = &'a PathStep>) -> String {
    let mut text = String::new();
    for step in steps {
        let name = match *step {
            PathStep::Item(index) => {
                text.push_str(&format!("[{index}]"));
                continue;
            }
            PathStep::Field(name) => name,
            PathStep::Undeclared => "*",
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
    use super::super::decode_state::{DecodeRules, begin, resume};
    use super::*;

    #[test]
    fn a_path_starts_at_the_body_and_hides_undeclared_names() {
        let note = |mode| {
            let before = begin(mode, DecodeRules { declared: &[], strict_lists: false }, 0);
            [PathStep::Item(3), PathStep::Undeclared, PathStep::Field("stages"), PathStep::Item(0)].into_iter().for_each(record_step);
            resume(before);
        };
        note(DecodeMode::Quick);
        assert_eq!(take(), "");
        note(DecodeMode::Thorough);
        assert_eq!(take(), "[0].stages.*[3]");
        assert_eq!(take(), "");
    }
}
