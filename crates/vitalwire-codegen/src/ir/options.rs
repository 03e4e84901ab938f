//! Options of a call besides its parameters: what they are called where they are keywords, and what they take.

/// A keyword.
pub struct CallOption {
    /// The keyword.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What docstrings say of it.
    pub about: &'static str,
}

/// What a keyword takes, and what it is unless it is given.
pub enum Takes {
    /// Seconds or a `timedelta`.
    Seconds,
    /// A number that is not negative.
    Count,
    /// False unless given.
    Flag,
    /// A text.
    Text,
    /// What ends the call from elsewhere.
    Cancel,
    /// What the extension looks at itself, by its annotation in Python, the only language that has such options.
    Object(&'static str),
    /// One of some texts: its annotation, and the one that it is unless it is given.
    Choice(&'static str, &'static str),
}

/// An option.
pub(crate) const fn option(name: &'static str, takes: Takes, about: &'static str) -> CallOption {
    CallOption { name, takes, about }
}

/// The options of a call.
pub const CALL_OPTIONS: [CallOption; 7] = [
    option(
        "timeout",
        Takes::Seconds,
        "How long the call may take: attempts, waits between them and getting a token. Seconds or a `timedelta`, as all \
         timeouts.",
    ),
    option("attempt_timeout", Takes::Seconds, "How long one attempt may take, from sending to the end of the answer."),
    option("connect_timeout", Takes::Seconds, "How long making a connection may take, TLS included."),
    option("retries", Takes::Count, "How often a failed attempt is tried again at most; 0 is never."),
    option(
        "allow_resend",
        Takes::Flag,
        "Whether an upload is sent again although the first may have had an effect: it may then be there twice.",
    ),
    option("token", Takes::Text, "A token instead of the client's."),
    option("cancel", Takes::Cancel, "A `CancelToken`, whose `cancel()` ends the call from elsewhere."),
];
