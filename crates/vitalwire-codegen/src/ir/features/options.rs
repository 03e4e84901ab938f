//! Options of a call besides its parameters. Options that are not set default to the client's settings.

use super::setting::{Availability, Language, MOBILE, Setting, ValueType};

/// All options, in the order in which they are passed and shown.
pub const CALL_OPTIONS: &[Setting] = &[
    Setting::new(
        "timeout",
        ValueType::Duration,
        "Maximum time for the call, including all attempts, the delays between them and getting a token",
    ),
    Setting::new(
        "attempt_timeout",
        ValueType::Duration,
        "Maximum time for one attempt, from sending the request to the end of the response",
    ),
    Setting::new("connect_timeout", ValueType::Duration, "Maximum time to connect, including the TLS handshake"),
    Setting::new("max_retries", ValueType::Count, "Maximum number of retries").details("0 disables retries."),
    Setting::new("allow_resend", ValueType::Flag, "Retries an upload even if an earlier attempt may have taken effect")
        .details("The record may then exist twice.")
        .default("false"),
    Setting::new("max_response_bytes", ValueType::Bytes, "Maximum size of the response body after decompression, in bytes")
        .details("A larger body is a `too_large` error."),
    Setting::new("header", ValueType::Header, "Headers to add")
        .details("Their values are never shown. Headers that the client sets itself are rejected when the call is made."),
    Setting::new("query", ValueType::Query, "Query parameters to add after the operation's own"),
    Setting::new("array_style", ValueType::Style, "Encoding of lists in the query string"),
    Setting::new(
        "client_side_validation",
        ValueType::Flag,
        "Validates arguments before sending, and rejects those that the service is known to reject",
    ),
    Setting::new("strict_lists", ValueType::Flag, "Fails with a decode error if a list item cannot be decoded, instead of leaving it out"),
    Setting::new("token", ValueType::Secret, "Access token to use instead of the client's")
        .details("No token provider is called, so a 401 is final."),
    Setting::new("cancel_token", ValueType::Cancel, "Token that cancels the call").except(&[
        (MOBILE, Availability::HandWritten("an argument of the call; cancelling the task cancels it")),
        (&[Language::C], Availability::HandWritten("an argument of the call")),
    ]),
    Setting::new("keep_body", ValueType::Flag, "Keeps the response body as received, beside the decoded value")
        .details("If the response cannot be decoded, the error has the body. It may contain health data.")
        .default("false"),
];
