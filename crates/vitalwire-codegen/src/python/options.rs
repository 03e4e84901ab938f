//! Keywords of methods that are not parameters of an operation: options of calls, ranges, waits and uploads.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::ir::features::{Language, Setting, ValueType, call_options};

pub(super) struct Keyword {
    pub(super) name: &'static str,
    pub(super) signature: Signature,
    /// Text for docstrings.
    pub(super) about: Cow<'static, str>,
}

const fn keyword(name: &'static str, signature: Signature, about: &'static str) -> Keyword {
    Keyword { name, signature, about: Cow::Borrowed(about) }
}

/// Types and defaults of a keyword in the extension and in the stub.
#[derive(Clone, Copy)]
pub(super) struct Signature {
    pub(super) rust: &'static str,
    pub(super) rust_default: &'static str,
    pub(super) python: &'static str,
    pub(super) default: &'static str,
}

const fn optional(rust: &'static str, python: &'static str) -> Signature {
    Signature { rust, rust_default: "None", python, default: "None" }
}

/// An object that the extension converts itself.
const fn object(python: &'static str) -> Signature {
    optional("Option<Bound<'_, PyAny>>", python)
}

const SECONDS: Signature = optional("Option<Seconds>", "float | _datetime.timedelta | None");
const COUNT: Signature = optional("Option<Count>", "int | None");
const FLAG: Signature = Signature { rust: "bool", rust_default: "false", python: "bool", default: "False" };

impl Signature {
    /// Returns the signature of a setting or option. `text` is the type of texts in the extension. `Provider` stands for the token
    /// callable.
    pub(super) fn new(row: &Setting, text: &'static str) -> Self {
        match row.value_type {
            ValueType::Duration => SECONDS,
            ValueType::Count | ValueType::Size | ValueType::Bytes => COUNT,
            ValueType::Flag if row.is_off_by_default() => FLAG,
            ValueType::Flag | ValueType::Switch => optional("Option<bool>", "bool | None"),
            ValueType::Factor => optional("Option<f64>", "float | None"),
            ValueType::Style => optional(text, "_Literal[\"repeated\", \"comma\"] | None"),
            ValueType::Header | ValueType::Query => optional("Option<Pairs>", "_Mapping[str, str] | _Sequence[tuple[str, str]] | None"),
            ValueType::Cancel => optional("Option<Cancellation>", "CancelToken | None"),
            ValueType::Secret if row.per_service => optional("Option<Source>", "str | Provider | None"),
            ValueType::Pem if row.secret => optional("Option<ClientCertificate>", "_Buffer | str | _os.PathLike[str] | None"),
            ValueType::Pem => optional("Option<Certificates>", "_Buffer | str | _os.PathLike[str] | None"),
            ValueType::MockResponses => optional("Option<MockSetting>", "MockResponses | None"),
            ValueType::Hook => optional("Option<AttemptCallback>", "_Callable[[Attempt], object] | None"),
            _ => optional(text, "str | None"),
        }
    }
}

pub(super) static CALL_OPTIONS: LazyLock<Vec<Keyword>> = LazyLock::new(|| {
    let keyword =
        |row: &'static Setting| Keyword { name: row.keyword(), signature: Signature::new(row, "Option<&str>"), about: row.text().into() };
    call_options(Language::Python).map(|option| keyword(option.row)).collect()
});

/// Returns a docstring paragraph for each option.
pub(super) fn about<'a>(options: impl IntoIterator<Item = &'a Keyword>) -> impl Iterator<Item = String> {
    options.into_iter().map(|option| format!("{}: {}", option.name, option.about))
}

pub(super) static RANGE_OPTIONS: [Keyword; 6] = [
    keyword(
        "part_length",
        object("_datetime.timedelta | str | None"),
        "Length of a part: a `timedelta`, or a text such as `30d` or `6h`. With `resume`, the length of the earlier run applies. \
         Defaults to a single part for the whole range.",
    ),
    keyword("concurrency", COUNT, "Maximum number of parts in flight. Defaults to 4."),
    keyword(
        "on_error",
        Signature { rust: "&str", rust_default: "\"stop\"", python: "_Literal[\"stop\", \"collect\"]", default: "\"stop\"" },
        "`stop` raises the error of the first failed part. `collect` reads the other parts and returns the failed one with its error. \
         Defaults to `stop`.",
    ),
    keyword("resume", object("ResumeToken | str | None"), "Resume token of an earlier run of the same call, or the text of one."),
    keyword(
        "resume_key",
        optional("Option<&str>", "str | None"),
        "Your own key for the data, such as the id of the user. A resume token with another key is rejected. Set it if you read \
         several users: resume tokens do not contain access tokens, so they would otherwise fit the calls of any user.",
    ),
    keyword(
        "progress",
        object("bool | _Callable[[RangeProgress], object] | None"),
        "`True` shows a progress bar, with tqdm if it is installed. A function is called with a `RangeProgress` after each part.",
    ),
];

/// Options of waits. `{thread}` stands for the thread that calls `on_progress`.
pub(super) static WAIT_OPTIONS: [Keyword; 3] = [
    keyword(
        "on_progress",
        object("_Callable[[WaitProgress], object] | None"),
        "Called with a `WaitProgress` after every response, {thread}. It must be a plain function and return quickly. If it raises an \
         exception, the wait raises `CancelledError` with that exception as `__cause__`; `KeyboardInterrupt` is raised unchanged.",
    ),
    keyword("wait_timeout", SECONDS, "Maximum duration of the wait in seconds, including an upload. Defaults to 300."),
    keyword(
        "interval",
        object("float | _datetime.timedelta | tuple[float | _datetime.timedelta, float | _datetime.timedelta] | None"),
        "Seconds between two reads of the record, or a pair of the first and the longest interval. The interval grows by half each \
         time. Defaults to 1 and 5.",
    ),
];

/// Option of calls that upload a picture.
pub(super) static WITHOUT_METADATA: Keyword = keyword(
    "without_metadata",
    FLAG,
    "Removes metadata from the picture before sending it: place, time, camera, texts, thumbnails. Other formats than JPEG, PNG and \
         WebP raise `InvalidArgumentError`. Defaults to `False`.",
);
