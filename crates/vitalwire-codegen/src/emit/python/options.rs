//! Options of a call, which are keywords of every method in Python.

use super::resources::Style;

/// An option that every call takes, by its keyword.
pub(crate) struct CallOption {
    pub(crate) name: &'static str,
    /// Its type in the extension's signature.
    pub(crate) rust: &'static str,
    /// What it is there unless it is given.
    pub(crate) rust_default: &'static str,
    /// Its annotation.
    pub(crate) python: &'static str,
    /// What it is in the stub unless it is given.
    pub(crate) default: &'static str,
    /// What docstrings say of it.
    pub(crate) about: &'static str,
}

/// What docstrings say of options: a paragraph for each, after a first one.
pub(super) fn about<'a>(options: impl IntoIterator<Item = &'a CallOption>) -> String {
    options.into_iter().map(|option| format!("\n\n{}: {}", option.name, option.about)).collect()
}

/// What the docstring of a call says of [`CALL_OPTIONS`], which that of the client explains.
pub(super) fn of_every_call(style: &Style) -> String {
    let names: Vec<String> = CALL_OPTIONS.iter().map(|option| format!("`{}`", option.name)).collect();
    format!("\n\n{} are keywords of every call: see `{}`.", names.join(", "), style.client)
}

/// The options of a call, in the order of `Options` in `crates/vitalwire-python/src/options.rs`.
pub(crate) const CALL_OPTIONS: [CallOption; 7] = [
    CallOption {
        name: "timeout",
        rust: "Option<Seconds>",
        rust_default: "None",
        python: "float | _datetime.timedelta | None",
        default: "None",
        about: "How long the call may take: attempts, waits between them and getting a token. Seconds or a `timedelta`, as all timeouts.",
    },
    CallOption {
        name: "attempt_timeout",
        rust: "Option<Seconds>",
        rust_default: "None",
        python: "float | _datetime.timedelta | None",
        default: "None",
        about: "How long one attempt may take, from sending to the end of the answer.",
    },
    CallOption {
        name: "connect_timeout",
        rust: "Option<Seconds>",
        rust_default: "None",
        python: "float | _datetime.timedelta | None",
        default: "None",
        about: "How long making a connection may take, TLS included.",
    },
    CallOption {
        name: "retries",
        rust: "Option<Count>",
        rust_default: "None",
        python: "int | None",
        default: "None",
        about: "How often a failed attempt is tried again at most; 0 is never.",
    },
    CallOption {
        name: "allow_resend",
        rust: "bool",
        rust_default: "false",
        python: "bool",
        default: "False",
        about: "Whether an upload is sent again although the first may have had an effect: it may then be there twice.",
    },
    CallOption {
        name: "token",
        rust: "Option<&str>",
        rust_default: "None",
        python: "str | None",
        default: "None",
        about: "A token instead of the client's.",
    },
    CallOption {
        name: "cancel",
        rust: "Option<Cancel>",
        rust_default: "None",
        python: "CancelToken | None",
        default: "None",
        about: "A `CancelToken`, whose `cancel()` ends the call from elsewhere.",
    },
];
