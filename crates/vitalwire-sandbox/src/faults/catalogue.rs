//! Catalogue of all faults, with the limits and defaults of their settings. Parsing, error messages and listings use it.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    Delay,
    Status,
    Slow,
    ResetBefore,
    ResetAfter,
    ResetMidBody,
    Truncate,
    WrongLength,
    MalformedJson,
    Html,
    UnknownValues,
    UnknownMembers,
    Nulls,
    MissingOffsets,
    Gzip,
    BigBody,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueType {
    /// An integer within these limits. Absent if it has no default.
    Integer { min: i64, max: i64, default: Option<i64> },
    /// A word from this list. Defaults to the first.
    Word(&'static [&'static str]),
    /// Any text, without a default.
    Text,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) value_type: ValueType,
}

/// Documentation of a fault.
#[derive(Debug)]
pub(crate) struct FaultEntry {
    pub(crate) kind: FaultKind,
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) settings: &'static [Setting],
}

const fn integer(name: &'static str, about: &'static str, min: i64, max: i64, default: Option<i64>) -> Setting {
    Setting { name, about, value_type: ValueType::Integer { min, max, default } }
}

const fn word(name: &'static str, about: &'static str, words: &'static [&'static str]) -> Setting {
    Setting { name, about, value_type: ValueType::Word(words) }
}

const fn text(name: &'static str, about: &'static str) -> Setting {
    Setting { name, about, value_type: ValueType::Text }
}

const fn entry(kind: FaultKind, name: &'static str, about: &'static str, settings: &'static [Setting]) -> FaultEntry {
    FaultEntry { kind, name, about, settings }
}

const PERCENT: Setting = integer("percent", "percentage of the body that is sent", 0, 100, Some(50));
const THEN: Setting = word("then", "close the connection, or leave it open and send nothing more", &["close", "hang"]);

/// Settings common to all faults.
pub(crate) static COMMON: [Setting; 5] = [
    text("operation", "only this operation, by its id in the specifications"),
    text("route", "only this operation, by method and path template: GET /v3/userinfo"),
    text("user", "only requests whose token names this user"),
    text("times", "number of requests that it applies to (default: 1; in the header: every attempt), or always"),
    integer("delay_ms", "delay before everything else, in milliseconds", 0, 600_000, Some(0)),
];

pub(crate) static FAULTS: [FaultEntry; 16] = [
    entry(FaultKind::Delay, "delay", "Delays the response by delay_ms (default: 1,000).", &[]),
    entry(
        FaultKind::Status,
        "status",
        "Returns this status after reading the request, without executing the operation.",
        &[
            integer("status", "the HTTP status", 200, 599, Some(503)),
            word("body", "the documented problem body, a gateway's HTML page, or nothing", &["problem", "html", "empty"]),
            text("detail", "detail of the problem (default for 401: expired jwt)"),
            integer("retry_after", "Retry-After as this many seconds", 0, 86_400, None),
            integer(
                "retry_after_date",
                "Retry-After as an HTTP date this many seconds from now, by the machine's clock rather than the sandbox's",
                -86_400,
                86_400,
                None,
            ),
        ],
    ),
    entry(
        FaultKind::Slow,
        "slow",
        "Sends the response body in small pieces with pauses.",
        &[
            integer("bytes", "bytes in a piece", 1, 1_048_576, Some(64)),
            integer("pause_ms", "milliseconds between pieces", 1, 60_000, Some(50)),
        ],
    ),
    entry(FaultKind::ResetBefore, "reset_before", "Resets the connection before the body is read, without executing the operation.", &[]),
    entry(FaultKind::ResetAfter, "reset_after", "Executes the operation, then resets the connection without a response.", &[]),
    entry(FaultKind::ResetMidBody, "reset_mid_body", "Resets the connection within the response body.", &[PERCENT]),
    entry(FaultKind::Truncate, "truncate", "Ends the response body early with a normal close.", &[PERCENT, THEN]),
    entry(
        FaultKind::WrongLength,
        "wrong_length",
        "Sends a wrong Content-Length with the whole response body.",
        &[integer("by", "difference between the declared and the actual length, in bytes", -10_000, 10_000, Some(10)), THEN],
    ),
    entry(FaultKind::MalformedJson, "malformed_json", "Cuts the JSON of the response, with a matching Content-Length.", &[PERCENT]),
    entry(FaultKind::Html, "html", "Returns an HTML page with status 200 after executing the operation.", &[]),
    entry(
        FaultKind::UnknownValues,
        "unknown_values",
        "Replaces values of open sets (status, stage, unit, ...) by an unknown one.",
        &[text("member", "only fields with this name")],
    ),
    entry(
        FaultKind::UnknownMembers,
        "unknown_members",
        "Adds an undocumented field to every object: a number in number maps, a series of the same length in `samples`.",
        &[],
    ),
    entry(
        FaultKind::Nulls,
        "nulls",
        "Replaces lists or fields by null, except in `samples`.",
        &[word("what", "every list, every optional text, number and boolean, or both", &["lists", "members", "both"])],
    ),
    entry(FaultKind::MissingOffsets, "missing_offsets", "Removes the Z of date-times.", &[]),
    entry(
        FaultKind::Gzip,
        "gzip",
        "Compresses the response with gzip, even if the client does not accept it.",
        &[
            integer("megabytes", "MiB of spaces to append, which compress to almost nothing", 0, 1_024, Some(0)),
            word("stream", "complete, or cut before its end with a matching Content-Length", &["whole", "cut"]),
        ],
    ),
    entry(
        FaultKind::BigBody,
        "big_body",
        "Appends spaces to the response, which JSON allows.",
        &[integer("megabytes", "MiB of spaces", 1, 10_240, Some(64))],
    ),
];

/// Returns the names of items, for error messages.
pub(crate) fn join_names<T>(items: &[T], name: impl Fn(&T) -> &'static str) -> String {
    items.iter().map(name).collect::<Vec<_>>().join(", ")
}
