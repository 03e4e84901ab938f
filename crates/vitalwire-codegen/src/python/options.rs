//! Keywords of methods that are not parameters of an operation: options of calls, ranges, waits and uploads.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::ir::features::{self, Language, Setting};

pub(super) struct Keyword {
    pub(super) name: &'static str,
    keyword_type: KeywordType,
    /// Text for docstrings.
    pub(super) about: Cow<'static, str>,
}

const fn keyword(name: &'static str, keyword_type: KeywordType, about: &'static str) -> Keyword {
    Keyword { name, keyword_type, about: Cow::Borrowed(about) }
}

/// Type of a keyword. Unless stated otherwise, it defaults to `None`.
enum KeywordType {
    /// Seconds or a `timedelta`.
    Seconds,
    /// A non-negative integer.
    Count,
    /// A bool. Defaults to false.
    Flag,
    /// A bool or `None`.
    Choosable,
    /// A text.
    Text,
    /// Encoding of lists in a query.
    Style,
    /// Pairs of name and value.
    Pairs,
    /// A cancel token.
    Cancel,
    /// An object that the extension converts itself; its annotation.
    Object(&'static str),
    /// One of several texts: annotation and default.
    Choice(&'static str, &'static str),
}

/// Types and defaults of a keyword in the extension and in the stub.
pub(super) struct Signature {
    pub(super) rust: &'static str,
    pub(super) rust_default: &'static str,
    pub(super) python: &'static str,
    pub(super) default: &'static str,
}

impl Keyword {
    /// Returns the types and defaults.
    pub(super) fn signature(&self) -> Signature {
        let optional = |rust, python| Signature { rust, rust_default: "None", python, default: "None" };
        match self.keyword_type {
            KeywordType::Seconds => optional("Option<Seconds>", "float | _datetime.timedelta | None"),
            KeywordType::Count => optional("Option<Count>", "int | None"),
            KeywordType::Flag => Signature { rust: "bool", rust_default: "false", python: "bool", default: "False" },
            KeywordType::Choosable => optional("Option<bool>", "bool | None"),
            KeywordType::Text => optional("Option<&str>", "str | None"),
            KeywordType::Style => optional("Option<&str>", STYLE),
            KeywordType::Pairs => optional("Option<Pairs>", "_Mapping[str, str] | _Sequence[tuple[str, str]] | None"),
            KeywordType::Cancel => optional("Option<Cancellation>", "CancelToken | None"),
            KeywordType::Object(python) => optional("Option<Bound<'_, PyAny>>", python),
            KeywordType::Choice(python, default) => Signature { rust: "&str", rust_default: default, python, default },
        }
    }
}

/// Annotation of the list encoding.
pub(super) const STYLE: &str = "_Literal[\"repeated\", \"comma\"] | None";

pub(super) static CALL_OPTIONS: LazyLock<Vec<Keyword>> =
    LazyLock::new(|| features::call_options(Language::Python).map(|option| call_keyword(option.row)).collect());

fn call_keyword(option: &'static Setting) -> Keyword {
    let keyword_type = match option.value_type {
        features::ValueType::Duration => KeywordType::Seconds,
        features::ValueType::Count | features::ValueType::Size | features::ValueType::Bytes => KeywordType::Count,
        features::ValueType::Flag if option.is_off_by_default() => KeywordType::Flag,
        features::ValueType::Flag | features::ValueType::Switch => KeywordType::Choosable,
        features::ValueType::Style => KeywordType::Style,
        features::ValueType::Header | features::ValueType::Query => KeywordType::Pairs,
        features::ValueType::Cancel => KeywordType::Cancel,
        _ => KeywordType::Text,
    };
    Keyword { name: option.keyword(), keyword_type, about: option.text().into() }
}

/// Returns a docstring paragraph for each option.
pub(super) fn about<'a>(options: impl IntoIterator<Item = &'a Keyword>) -> impl Iterator<Item = String> {
    options.into_iter().map(|option| format!("{}: {}", option.name, option.about))
}

pub(super) static RANGE_OPTIONS: [Keyword; 6] = [
    keyword(
        "part_length",
        KeywordType::Object("_datetime.timedelta | str | None"),
        "Length of a part: a `timedelta`, or a text such as `30d` or `6h`. With `resume`, the length of the earlier run applies. \
         Defaults to a single part for the whole range.",
    ),
    keyword("concurrency", KeywordType::Count, "Maximum number of parts in flight. Defaults to 4."),
    keyword(
        "on_error",
        KeywordType::Choice("_Literal[\"stop\", \"collect\"]", "\"stop\""),
        "`stop` raises the error of the first failed part. `collect` reads the other parts and returns the failed one with its error. \
         Defaults to `stop`.",
    ),
    keyword(
        "resume",
        KeywordType::Object("ResumeToken | str | None"),
        "Resume token of an earlier run of the same call, or the text of one.",
    ),
    keyword(
        "resume_key",
        KeywordType::Text,
        "Your own key for the data, such as the id of the user. A resume token with another key is rejected. Set it if you read \
         several users: resume tokens do not contain access tokens, so they would otherwise fit the calls of any user.",
    ),
    keyword(
        "progress",
        KeywordType::Object("bool | _Callable[[RangeProgress], object] | None"),
        "`True` shows a progress bar, with tqdm if it is installed. A function is called with a `RangeProgress` after each part.",
    ),
];

/// Options of waits. `{thread}` stands for the thread that calls `on_progress`.
pub(super) static WAIT_OPTIONS: [Keyword; 3] = [
    keyword(
        "on_progress",
        KeywordType::Object("_Callable[[WaitProgress], object] | None"),
        "Called with a `WaitProgress` after every response, {thread}. It must be a plain function and return quickly. If it raises an \
         exception, the wait raises `CancelledError` with that exception as `__cause__`; `KeyboardInterrupt` is raised unchanged.",
    ),
    keyword("wait_timeout", KeywordType::Seconds, "Maximum duration of the wait in seconds, including an upload. Defaults to 300."),
    keyword(
        "interval",
        KeywordType::Object("float | _datetime.timedelta | tuple[float | _datetime.timedelta, float | _datetime.timedelta] | None"),
        "Seconds between two reads of the record, or a pair of the first and the longest interval. The interval grows by half each \
         time. Defaults to 1 and 5.",
    ),
];

/// Option of calls that upload a picture.
pub(super) static WITHOUT_METADATA: Keyword = keyword(
    "without_metadata",
    KeywordType::Flag,
    "Removes metadata from the picture before sending it: place, time, camera, texts, thumbnails. Other formats than JPEG, PNG and \
         WebP raise `InvalidArgumentError`. Defaults to `False`.",
);
