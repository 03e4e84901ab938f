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
    let steps = STEPS.take();
    let mut text = String::new();
    for step in steps.iter().rev() {
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
    use super::super::reading::of_body;
    use super::*;

    #[test]
    fn steps_lead_from_the_body_and_show_no_name_of_the_service() {
        let all = || [Step::Item(3), Step::Unknown, Step::Member("stages"), Step::Item(0)].map(within);
        of_body(Mode::Quick, 0, all);
        assert_eq!(take(), "");
        of_body(Mode::Thorough, 0, all);
        assert_eq!(take(), "[0].stages.*[3]");
        assert_eq!(take(), "");
    }
}
