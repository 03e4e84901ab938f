//! Options of a call besides its parameters. Options that are not set default to the client's settings.

use super::rows::{APPS, Face, Has, Setting, Takes};

/// All options, in the order in which they are passed and shown.
pub const CALL_OPTIONS: &[Setting] = &[
    Setting::new(
        "timeout",
        Takes::Duration,
        "Maximum time for the call, including all attempts, the delays between them and getting a token",
    ),
    Setting::new("attempt_timeout", Takes::Duration, "Maximum time for one attempt, from sending the request to the end of the response"),
    Setting::new("connect_timeout", Takes::Duration, "Maximum time to connect, including the TLS handshake"),
    Setting::new("max_retries", Takes::Count, "Maximum number of retries").more("0 disables retries."),
    Setting::new("allow_resend", Takes::Flag, "Retries an upload even if an earlier attempt may have taken effect")
        .more("The record may then exist twice.")
        .default("false"),
    Setting::new("max_response_bytes", Takes::Bytes, "Maximum size of the response body after decompression, in bytes")
        .more("A larger body is a `too_large` error."),
    Setting::new("header", Takes::Header, "Headers to add")
        .more("Their values are never shown. Headers that the client sets itself are rejected when the call is made."),
    Setting::new("query", Takes::Query, "Query parameters to add after the operation's own"),
    Setting::new("array_style", Takes::Style, "Encoding of lists in the query string"),
    Setting::new("local_checks", Takes::Flag, "Validates arguments before sending, and rejects those that the service is known to reject"),
    Setting::new("strict_lists", Takes::Flag, "Fails with a decode error if a list item cannot be decoded, instead of leaving it out"),
    Setting::new("token", Takes::Secret, "Access token to use instead of the client's")
        .more("No token provider is called, so a 401 is final."),
    Setting::new("cancel_token", Takes::Cancel, "Token that cancels the call").elsewhere(&[
        (APPS, Has::ByHand("an argument of the call, which the task's own cancelling fires")),
        (&[Face::C], Has::ByHand("an argument of the call")),
    ]),
    Setting::new("keep_raw", Takes::Flag, "Keeps the response body as received, beside the decoded value")
        .more("If the response cannot be decoded, the error has the body. It may contain health data.")
        .default("false"),
];
