//! Fields of an error: the details of a failed call.

use super::rows::{Elsewhere, Face, Has, WRAPPERS, has};

/// Type of an error field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// The kind of error.
    Kind,
    /// The number of its kind.
    Code,
    /// A text, if known.
    Text,
    /// A 16-bit number, if known.
    Status,
    /// A duration, if known.
    Duration,
    /// A number of at least 0.
    Count,
    /// True or false.
    Flag,
    /// Problem details, if any.
    Problem,
    /// The record that a wait has read, if any.
    Record,
    /// Bytes, if they were kept.
    Bytes,
    /// A type that only Rust has.
    Rust,
}

/// A field of an error.
#[derive(Clone, Copy, Debug)]
pub struct ErrorFact {
    /// Name of the engine's function.
    pub name: &'static str,
    /// Type of the field.
    pub gives: Gives,
    /// Text of the documentation.
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

    /// Returns how a language has it.
    #[must_use]
    pub fn has(&self, face: Face) -> Has {
        has(self.elsewhere, face)
    }
}

/// Derived from the kind.
const SAID_BY_KIND: Elsewhere = &[(WRAPPERS, Has::Never("`kind` says it"))];

/// All fields, in the order in which they are shown.
pub const ERROR_FACTS: &[ErrorFact] = &[
    ErrorFact::new("kind", Gives::Kind, "Kind of error.").elsewhere(&[(&[Face::Python], Has::ByHand("a class for each, with `kind`"))]),
    ErrorFact::new("code", Gives::Code, "Stable number of the kind, the same in every language.")
        .elsewhere(&[(&[Face::Python], Has::ByHand("a member of each class"))]),
    ErrorFact::new("reason", Gives::Text, "Fixed text about the cause, if there is one."),
    ErrorFact::new("status", Gives::Status, "HTTP status, if the service responded."),
    ErrorFact::new("problem", Gives::Problem, "Problem details, if the service sent any. They may contain personal data."),
    ErrorFact::new("request_id", Gives::Text, "Id that the service gave the request, unchanged."),
    ErrorFact::new("retry_after", Gives::Duration, "Delay that the service asks for before another request."),
    ErrorFact::new("attempts", Gives::Count, "Number of attempts. 0 if no request was sent."),
    ErrorFact::new(
        "may_have_taken_effect",
        Gives::Flag,
        "Whether the service may have carried out the failed call, although no response says so. False if it certainly did not: a read, a \
         refused connection, a definite 4xx, a local check, or a timeout or cancellation before the request was sent. If true, check \
         whether the record exists before sending it again.",
    ),
    ErrorFact::new("is_transient", Gives::Flag, "Whether the same call may succeed later. False for an upload that may have taken effect."),
    ErrorFact::new("operation", Gives::Text, "Id of the operation, for example `get_sleep`."),
    ErrorFact::new("path_template", Gives::Text, "Path of the operation with parameter names, for example `/v3/sleeps/{id}`."),
    ErrorFact::new("argument", Gives::Text, "Name of the rejected argument or setting."),
    ErrorFact::new(
        "json_path",
        Gives::Text,
        "Path of the value that does not match the specification, for example `statistics[3].from_timestamp`.",
    ),
    ErrorFact::new("record_id", Gives::Text, "Id of the record that the failed call created, if known. It can be waited for."),
    ErrorFact::new("last", Gives::Record, "Record that a failed wait read last, if any.").elsewhere(&[
        (&[Face::Rust], Has::ByHand("`WaitError`, whose type is the record's")),
        (&[Face::Python], Has::ByHand("set by what waits")),
        (&[Face::C], Has::ByHand("a function for each record")),
    ]),
    ErrorFact::new("headers", Gives::Rust, "Headers of the response, if the service responded. They may contain private data.")
        .elsewhere(&[(WRAPPERS, Has::Never("request id and delay are fields of their own"))]),
    ErrorFact::new("body", Gives::Bytes, "Body of a response that cannot be decoded, if `keep_raw` was set. It may contain health data."),
    ErrorFact::new("is_timeout", Gives::Flag, "Whether a timeout expired, or the service responded with 408.").elsewhere(SAID_BY_KIND),
    ErrorFact::new("is_not_found", Gives::Flag, "Whether the service does not have the requested record.").elsewhere(SAID_BY_KIND),
];
