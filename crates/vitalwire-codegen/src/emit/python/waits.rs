//! Calls that end when an analysis has.

use crate::ir::{Answer, Ir, Operation};

use super::options::{self, CallOption};
use super::resources::Style;

/// Options of the calls that wait; `{thread}` is the one that `on_progress` is called on. In the order of `Waiting` in `crates/vitalwire-python/src/waits.rs`.
pub(super) const OPTIONS: [CallOption; 3] = [
    CallOption {
        name: "on_progress",
        rust: "Option<Bound<'_, PyAny>>",
        rust_default: "None",
        python: "_Callable[[WaitProgress], object] | None",
        default: "None",
        about: "A plain function that is told after every answer, {thread}; it should return quickly. An exception in it ends the waiting: it \
                is the `__cause__` of the `CancelledError` that is raised, while `KeyboardInterrupt` is raised as it is.",
    },
    CallOption {
        name: "wait_timeout",
        rust: "Option<Seconds>",
        rust_default: "None",
        python: "float | _datetime.timedelta | None",
        default: "None",
        about: "How long may be waited in all, in seconds, an upload included; 300 unless given.",
    },
    CallOption {
        name: "interval",
        rust: "Option<Bound<'_, PyAny>>",
        rust_default: "None",
        python: "float | _datetime.timedelta | tuple[float | _datetime.timedelta, float | _datetime.timedelta] | None",
        default: "None",
        about: "Seconds between two readings, or a pair of the first such wait and the longest, to which it grows by half each time; 1 to 5 \
                unless given.",
    },
];

/// The method's name, and the record that it gives; none where nothing is waited for.
pub(in crate::emit) fn of(ir: &Ir, operation: &Operation) -> Option<(String, String)> {
    match &ir.record_of(operation)?.answer {
        Answer::Model(record) => Some((ir.wait_method(operation), record.clone())),
        Answer::Nothing | Answer::List(_) => None,
    }
}

/// What the method says of itself, after what the operation says.
pub(super) fn about(record: &str) -> String {
    format!(
        "\n\nWaits until the analysis has ended, and gives the `{record}` as it is read at the end. An analysis that failed is a result: \
         the record's status says so. Statuses that this version does not know are waited out."
    )
}

/// What the stub says of the options, and of errors.
pub(super) fn about_options(style: &Style) -> String {
    let thread = if style.is_async() { "on the event loop's thread" } else { "on the calling thread" };
    options::about(&OPTIONS).replace("{thread}", thread)
        + "\n\nErrors have what was known by then: `record`, as it was read last, and after an upload `record_id`, which can be waited for again."
}
