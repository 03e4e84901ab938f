//! Keywords of methods in Python that no operation has: options of a call, of a range, of waiting.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::ir::faces::{self, Face, Has, Setting};

/// A keyword.
pub(super) struct Keyword {
    pub(super) name: &'static str,
    takes: Takes,
    /// What docstrings say of it.
    pub(super) about: Cow<'static, str>,
}

const fn keyword(name: &'static str, takes: Takes, about: &'static str) -> Keyword {
    Keyword { name, takes, about: Cow::Borrowed(about) }
}

/// What a keyword takes, and what it is by default.
enum Takes {
    /// Seconds or a `timedelta`.
    Seconds,
    /// A number that is not negative.
    Count,
    /// False by default.
    Flag,
    /// True, false or neither.
    Choosable,
    /// A text.
    Text,
    /// How lists travel.
    Style,
    /// Names with values.
    Pairs,
    /// What ends the call from elsewhere.
    Cancel,
    /// What the extension looks at itself, by its annotation.
    Object(&'static str),
    /// One of some texts: its annotation, and the one that it is by default.
    Choice(&'static str, &'static str),
}

/// How a keyword is written: its types and what it is by default, in the extension and in the stub.
pub(super) struct Written {
    pub(super) rust: &'static str,
    pub(super) rust_default: &'static str,
    pub(super) python: &'static str,
    pub(super) default: &'static str,
}

impl Keyword {
    /// In both languages.
    pub(super) fn written(&self) -> Written {
        let optional = |rust, python| Written { rust, rust_default: "None", python, default: "None" };
        match self.takes {
            Takes::Seconds => optional("Option<Seconds>", "float | _datetime.timedelta | None"),
            Takes::Count => optional("Option<Count>", "int | None"),
            Takes::Flag => Written { rust: "bool", rust_default: "false", python: "bool", default: "False" },
            Takes::Choosable => optional("Option<bool>", "bool | None"),
            Takes::Text => optional("Option<&str>", "str | None"),
            Takes::Style => optional("Option<&str>", STYLE),
            Takes::Pairs => optional("Option<Pairs>", "_Mapping[str, str] | _Sequence[tuple[str, str]] | None"),
            Takes::Cancel => optional("Option<Cancel>", "CancelToken | None"),
            Takes::Object(python) => optional("Option<Bound<'_, PyAny>>", python),
            Takes::Choice(python, default) => Written { rust: "&str", rust_default: default, python, default },
        }
    }
}

/// The annotation of how lists travel.
pub(super) const STYLE: &str = "_Literal[\"repeated\", \"comma\"] | None";

/// The options of a call.
pub(super) static CALL_OPTIONS: LazyLock<Vec<Keyword>> = LazyLock::new(|| told().map(of_call).collect());

/// The rows of Python's options of a call.
pub(super) fn told() -> impl Iterator<Item = &'static Setting> {
    faces::CALL_OPTIONS.iter().filter(|option| option.has(Face::Python) == Has::Generated)
}

fn of_call(option: &'static Setting) -> Keyword {
    let takes = match option.takes {
        faces::Takes::Duration => Takes::Seconds,
        faces::Takes::Count | faces::Takes::Size | faces::Takes::Bytes => Takes::Count,
        faces::Takes::Flag if option.is_off() => Takes::Flag,
        faces::Takes::Flag | faces::Takes::Switch => Takes::Choosable,
        faces::Takes::Style => Takes::Style,
        faces::Takes::Header | faces::Takes::Query => Takes::Pairs,
        faces::Takes::Cancel => Takes::Cancel,
        _ => Takes::Text,
    };
    Keyword { name: option.keyword(), takes, about: option.text().into() }
}

/// What docstrings say of options, a paragraph for each.
pub(super) fn about<'a>(options: impl IntoIterator<Item = &'a Keyword>) -> impl Iterator<Item = String> {
    options.into_iter().map(|option| format!("{}: {}", option.name, option.about))
}

/// What a range takes besides the arguments of its operation.
pub(super) static RANGE_OPTIONS: [Keyword; 6] = [
    keyword(
        "part_length",
        Takes::Object("_datetime.timedelta | str | None"),
        "Length of a part: a `timedelta`, or a text such as `30d` or `6h`. Without it, one call is made for the whole range. With \
         `resume`, the length of the earlier run applies.",
    ),
    keyword("concurrency", Takes::Count, "Maximum number of parts requested at once. Defaults to 4."),
    keyword(
        "on_error",
        Takes::Choice("_Literal[\"stop\", \"collect\"]", "\"stop\""),
        "`stop` ends the range at the first part that fails. `collect` reads the other parts and returns the failed one with its error.",
    ),
    keyword("resume", Takes::Object("ResumeToken | str | None"), "Resume token of an earlier run of the same call, or its text."),
    keyword(
        "resume_key",
        Takes::Text,
        "Your own key for the data, such as the id of the person. A token made with one key is rejected with another. Calls for two \
         people differ only in their access tokens, which are in no resume token.",
    ),
    keyword(
        "progress",
        Takes::Object("bool | _Callable[[RangeProgress], object] | None"),
        "`True` shows a progress bar, with tqdm if it is installed. A function is called after each part instead.",
    ),
];

/// Options of the calls that wait; `{thread}` is the one that `on_progress` is called on.
pub(super) static WAIT_OPTIONS: [Keyword; 3] = [
    keyword(
        "on_progress",
        Takes::Object("_Callable[[WaitProgress], object] | None"),
        "Callback to call after every response, {thread}. It must be a plain function and return quickly. An exception in it ends the \
         wait with a `CancelledError` whose `__cause__` it is; `KeyboardInterrupt` is raised unchanged.",
    ),
    keyword("wait_timeout", Takes::Seconds, "Maximum time for the whole wait in seconds, including an upload. Defaults to 300."),
    keyword(
        "interval",
        Takes::Object("float | _datetime.timedelta | tuple[float | _datetime.timedelta, float | _datetime.timedelta] | None"),
        "Seconds between two reads of the record, or a pair of the first and the longest interval; the interval grows by half each \
         time. Defaults to 1 and 5.",
    ),
];

/// Of a call that sends a picture.
pub(super) static WITHOUT_METADATA: Keyword = keyword(
    "without_metadata",
    Takes::Flag,
    "Removes metadata from the picture before sending it: place, time, camera, texts, thumbnails. For JPEG, PNG and WebP; other \
         formats are an `InvalidArgumentError`.",
);
