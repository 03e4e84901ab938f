//! Options of a call, which are keywords of every method in Python.

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
}

/// The options of a call, in the order of `Options` in `crates/vitalwire-python/src/options.rs`.
pub(crate) const CALL_OPTIONS: [CallOption; 7] = [
    CallOption {
        name: "timeout",
        rust: "Option<Seconds>",
        rust_default: "None",
        python: "float | _datetime.timedelta | None",
        default: "None",
    },
    CallOption {
        name: "attempt_timeout",
        rust: "Option<Seconds>",
        rust_default: "None",
        python: "float | _datetime.timedelta | None",
        default: "None",
    },
    CallOption {
        name: "connect_timeout",
        rust: "Option<Seconds>",
        rust_default: "None",
        python: "float | _datetime.timedelta | None",
        default: "None",
    },
    CallOption { name: "retries", rust: "Option<Count>", rust_default: "None", python: "int | None", default: "None" },
    CallOption { name: "allow_resend", rust: "bool", rust_default: "false", python: "bool", default: "False" },
    CallOption { name: "token", rust: "Option<&str>", rust_default: "None", python: "str | None", default: "None" },
    CallOption { name: "cancel", rust: "Option<Cancel>", rust_default: "None", python: "CancelToken | None", default: "None" },
];
