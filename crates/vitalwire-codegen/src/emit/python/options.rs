//! Keywords of methods in Python that no operation has: options of a call, of a range, of waiting.

use crate::ir::option;
pub(crate) use crate::ir::{CALL_OPTIONS, CallOption, Takes};

/// How a keyword is written: its types and what it is unless it is given, in the extension and in the stub.
pub(super) struct Written {
    pub(super) rust: &'static str,
    pub(super) rust_default: &'static str,
    pub(super) python: &'static str,
    pub(super) default: &'static str,
}

impl Takes {
    /// In both languages.
    pub(super) fn written(&self) -> Written {
        let optional = |rust, python| Written { rust, rust_default: "None", python, default: "None" };
        match *self {
            Self::Seconds => optional("Option<Seconds>", "float | _datetime.timedelta | None"),
            Self::Count => optional("Option<Count>", "int | None"),
            Self::Flag => Written { rust: "bool", rust_default: "false", python: "bool", default: "False" },
            Self::Text => optional("Option<&str>", "str | None"),
            Self::Cancel => optional("Option<Cancel>", "CancelToken | None"),
            Self::Object(python) => optional("Option<Bound<'_, PyAny>>", python),
            Self::Choice(python, default) => Written { rust: "&str", rust_default: default, python, default },
        }
    }
}

/// What docstrings say of options, a paragraph for each.
pub(super) fn about<'a>(options: impl IntoIterator<Item = &'a CallOption>) -> impl Iterator<Item = String> {
    options.into_iter().map(|option| format!("{}: {}", option.name, option.about))
}

/// What a range takes besides the arguments of its operation.
pub(super) const RANGE_OPTIONS: [CallOption; 6] = [
    option(
        "split",
        Takes::Object("_datetime.timedelta | str | None"),
        "How long a part is: a `timedelta`, or a text such as `30d` or `6h`. Without it one call is made for the whole range. \
         With `resume`, the length of the earlier run counts.",
    ),
    option("concurrency", Takes::Count, "How many parts are asked for at once; 4 unless given."),
    option(
        "on_error",
        Takes::Choice("_Literal[\"stop\", \"collect\"]", "\"stop\""),
        "`stop`: the first part that fails ends the range. `collect`: the others are read, and it is handed out with its error.",
    ),
    option("resume", Takes::Object("ResumeToken | str | None"), "What an earlier run of the same call left, as a token or its text."),
    option(
        "resume_key",
        Takes::Text,
        "What you know the data by, such as your own id of the person. A token made under a key is refused under another one: \
         calls for two people look alike but for their access tokens, which are in no resume token.",
    ),
    option(
        "progress",
        Takes::Object("bool | _Callable[[RangeProgress], object] | None"),
        "`True` shows a bar, by tqdm where that is installed. A function is called after each part instead.",
    ),
];

/// Options of the calls that wait; `{thread}` is the one that `on_progress` is called on.
pub(super) const WAIT_OPTIONS: [CallOption; 3] = [
    option(
        "on_progress",
        Takes::Object("_Callable[[WaitProgress], object] | None"),
        "A plain function that is told after every answer, {thread}; it should return quickly. An exception in it ends the \
         waiting: it is the `__cause__` of the `CancelledError` that is raised, while `KeyboardInterrupt` is raised as it is.",
    ),
    option("wait_timeout", Takes::Seconds, "How long may be waited in all, in seconds, an upload included; 300 unless given."),
    option(
        "interval",
        Takes::Object("float | _datetime.timedelta | tuple[float | _datetime.timedelta, float | _datetime.timedelta] | None"),
        "Seconds between two readings, or a pair of the first such wait and the longest, to which it grows by half each time; 1 \
         to 5 unless given.",
    ),
];

/// Of a call that sends a picture.
pub(super) const WITHOUT_METADATA: CallOption = option(
    "without_metadata",
    Takes::Flag,
    "Send the picture without what it tells besides: place, time, camera, texts, thumbnails. For JPEG, PNG and WebP; others \
         are an `InvalidArgumentError`, as what is not understood is never sent unstripped.",
);
