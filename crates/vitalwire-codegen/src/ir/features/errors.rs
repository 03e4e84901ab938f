//! Fields of an error: the details of a failed call.

use super::setting::{Availability, Exceptions, Language, WRAPPERS, availability};

/// Type of an error field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorFieldType {
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
pub struct ErrorField {
    /// Name of the engine's function.
    pub name: &'static str,
    /// Type of the field.
    pub field_type: ErrorFieldType,
    /// Text of the documentation.
    pub text: &'static str,
    exceptions: Exceptions,
}

impl ErrorField {
    const fn new(name: &'static str, field_type: ErrorFieldType, text: &'static str) -> Self {
        Self { name, field_type, text, exceptions: &[] }
    }

    const fn except(self, exceptions: Exceptions) -> Self {
        Self { exceptions, ..self }
    }

    /// Returns the availability in a language.
    #[must_use]
    pub fn availability(&self, language: Language) -> Availability {
        availability(self.exceptions, language)
    }
}

/// Availability of fields that follow from the kind.
const DERIVED_FROM_KIND: Exceptions = &[(WRAPPERS, Availability::Unsupported("derived from `kind`"))];

/// All fields, in the order in which they are shown.
pub const ERROR_FIELDS: &[ErrorField] = &[
    ErrorField::new("kind", ErrorFieldType::Kind, "Kind of error.")
        .except(&[(&[Language::Python], Availability::HandWritten("one exception class per kind, each with `kind`"))]),
    ErrorField::new("code", ErrorFieldType::Code, "Stable number of the kind, the same in every language.")
        .except(&[(&[Language::Python], Availability::HandWritten("a constant of each class"))]),
    ErrorField::new("reason", ErrorFieldType::Text, "Fixed text about the cause, if there is one."),
    ErrorField::new("status", ErrorFieldType::Status, "HTTP status, if the service responded."),
    ErrorField::new("problem", ErrorFieldType::Problem, "Problem details, if the service sent any. They may contain personal data."),
    ErrorField::new("request_id", ErrorFieldType::Text, "Id that the service gave the request, unchanged."),
    ErrorField::new("retry_after", ErrorFieldType::Duration, "Delay that the service requests before the next attempt."),
    ErrorField::new("attempts", ErrorFieldType::Count, "Number of attempts. 0 if no request was sent."),
    ErrorField::new(
        "may_have_taken_effect",
        ErrorFieldType::Flag,
        "Whether the service may have carried out the failed call, although no response says so. False if it certainly did not: a read, a \
         refused connection, a definite 4xx, a local check, or a timeout or cancellation before the request was sent. If true, check \
         whether the record exists before sending it again.",
    ),
    ErrorField::new(
        "is_transient",
        ErrorFieldType::Flag,
        "Whether the same call may succeed later. False for an upload that may have taken effect.",
    ),
    ErrorField::new("operation", ErrorFieldType::Text, "Id of the operation, for example `\"get_sleep\"`."),
    ErrorField::new("path_template", ErrorFieldType::Text, "Path of the operation with parameter names, for example `/v3/sleeps/{id}`."),
    ErrorField::new("argument", ErrorFieldType::Text, "Name of the rejected argument or setting."),
    ErrorField::new(
        "json_path",
        ErrorFieldType::Text,
        "Path of the value that does not match the specification, for example `statistics[3].from_timestamp`.",
    ),
    ErrorField::new("record_id", ErrorFieldType::Text, "Id of the record that the failed call created, if known. It can be waited for."),
    ErrorField::new("last", ErrorFieldType::Record, "Record that a failed wait read last, if any.").except(&[
        (&[Language::Rust], Availability::HandWritten("`WaitError`, with the type of the record")),
        (&[Language::Python], Availability::HandWritten("set by waits")),
        (&[Language::C], Availability::HandWritten("a function for each record")),
    ]),
    ErrorField::new("headers", ErrorFieldType::Rust, "Headers of the response, if the service responded. They may contain private data.")
        .except(&[(WRAPPERS, Availability::Unsupported("the request id and the delay are separate fields"))]),
    ErrorField::new(
        "body",
        ErrorFieldType::Bytes,
        "Body of a response that cannot be decoded, if `keep_body` was set. It may contain health data.",
    ),
    ErrorField::new("is_timeout", ErrorFieldType::Flag, "Whether a timeout expired, or the service responded with 408.")
        .except(DERIVED_FROM_KIND),
    ErrorField::new("is_not_found", ErrorFieldType::Flag, "Whether the service does not have the requested record.")
        .except(DERIVED_FROM_KIND),
];
