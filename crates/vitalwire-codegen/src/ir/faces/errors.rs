//! What is known of a failed call.

use super::{Elsewhere, Face, Has, WRAPPERS, has};

/// What a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// The kind of error.
    Kind,
    /// Its number.
    Code,
    /// A text, where it is known.
    Text,
    /// A number of 16 bits, where it is known.
    Status,
    /// A time, where it is known.
    Duration,
    /// A number from 0 on.
    Count,
    /// True or false.
    Flag,
    /// The problem details, where there are some.
    Problem,
    /// A record that is waited for, where it was read.
    Record,
    /// Bytes, where they were kept.
    Bytes,
    /// What only Rust has a type for.
    Rust,
}

/// A fact of an error.
#[derive(Clone, Copy, Debug)]
pub struct ErrorFact {
    /// As the engine's function is called.
    pub name: &'static str,
    /// What it is.
    pub gives: Gives,
    /// Sentences.
    pub about: &'static str,
    elsewhere: Elsewhere,
}

impl ErrorFact {
    const fn new(name: &'static str, gives: Gives, about: &'static str) -> Self {
        Self { name, gives, about, elsewhere: &[] }
    }

    const fn elsewhere(self, elsewhere: Elsewhere) -> Self {
        Self { elsewhere, ..self }
    }

    /// How a language has it.
    #[must_use]
    pub fn has(&self, face: Face) -> Has {
        has(self.elsewhere, face)
    }
}

/// The kind says it.
const SAID_BY_KIND: Elsewhere = &[(WRAPPERS, Has::Never("`kind` says it"))];

/// In the order in which they are shown.
pub const ERROR_FACTS: &[ErrorFact] = &[
    ErrorFact::new("kind", Gives::Kind, "What went wrong.").elsewhere(&[(&[Face::Python], Has::ByHand("a class for each, with `kind`"))]),
    ErrorFact::new("code", Gives::Code, "The kind's stable number, the same in every language.")
        .elsewhere(&[(&[Face::Python], Has::ByHand("a member of each class"))]),
    ErrorFact::new("reason", Gives::Text, "A fixed sentence about the cause, where there is one."),
    ErrorFact::new("status", Gives::Status, "The HTTP status, if the service answered."),
    ErrorFact::new("problem", Gives::Problem, "What the service said about it, if it did. It may hold personal data."),
    ErrorFact::new("request_id", Gives::Text, "The id that the service gave the request, as it came."),
    ErrorFact::new("retry_after", Gives::Duration, "How long the service asks to wait before another request."),
    ErrorFact::new("attempts", Gives::Count, "How many times the request was tried; 0 if it never was."),
    ErrorFact::new(
        "may_have_taken_effect",
        Gives::Flag,
        "Whether the service may have done what the failed call requested, although no answer says so. False where it certainly did not: \
         a read, a refused connection, a definite 4xx, a local check, a deadline or a cancellation before it was sent. Otherwise look \
         whether it is there before sending it again.",
    ),
    ErrorFact::new("is_transient", Gives::Flag, "Whether the same call may succeed later. False for an upload that may have been taken."),
    ErrorFact::new("operation", Gives::Text, "The operation's id, for example `get_sleep`."),
    ErrorFact::new("path_template", Gives::Text, "The operation's path with its parameters' names, for example `/v3/sleeps/{id}`."),
    ErrorFact::new("argument", Gives::Text, "The name of the argument or setting that is refused."),
    ErrorFact::new("json_path", Gives::Text, "Where the answer is not as described, for example `statistics[3].from_timestamp`."),
    ErrorFact::new(
        "record_id",
        Gives::Text,
        "The id of the record that the failed call made, where that much is known: it can be waited for.",
    ),
    ErrorFact::new("last", Gives::Record, "Of a wait that ended early: the record as it was read last, if it was.").elsewhere(&[
        (&[Face::Rust], Has::ByHand("`WaitError`, whose type is the record's")),
        (&[Face::Python], Has::ByHand("set by what waits")),
        (&[Face::C], Has::ByHand("a function for each record")),
    ]),
    ErrorFact::new("headers", Gives::Rust, "The headers of the answer, if the service answered. They may hold private data.")
        .elsewhere(&[(WRAPPERS, Has::Never("what is needed of them is told by itself: request id and wait"))]),
    ErrorFact::new("body", Gives::Bytes, "The body of an answer that cannot be decoded, if `keep_raw` was set. It may hold health data."),
    ErrorFact::new("is_timeout", Gives::Flag, "Whether a deadline passed, or the service answered 408.").elsewhere(SAID_BY_KIND),
    ErrorFact::new("is_not_found", Gives::Flag, "Whether the service does not have what was requested.").elsewhere(SAID_BY_KIND),
];
