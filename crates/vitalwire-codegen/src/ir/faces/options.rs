//! Options of a call besides its parameters; what is not given comes from the client.

use super::{APPS, Face, Has, Takes, Told};

/// In the order in which they are given and shown.
pub const CALL_OPTIONS: &[Told] = &[
    Told::new("timeout", Takes::Duration, "How long the call may take in all: attempts, waits between them and getting a token"),
    Told::new("attempt_timeout", Takes::Duration, "How long one attempt may take, from sending to the end of the answer"),
    Told::new("connect_timeout", Takes::Duration, "How long making a connection may take, TLS included"),
    Told::new("max_retries", Takes::Count, "How often a failed attempt is tried again at most, where 0 is never"),
    Told::new("allow_resend", Takes::Flag, "Whether an upload is sent again although the first may have had an effect")
        .more("It may then be there twice.")
        .default("false"),
    Told::new("max_response_bytes", Takes::Bytes, "Largest body of the answer, inflated, in bytes"),
    Told::new("header", Takes::Header, "Headers to add")
        .more("Their values are never shown. One that the client writes itself is refused when the call is made."),
    Told::new("query", Takes::Query, "Pairs of name and value to add to the query, after the operation's own"),
    Told::new("array_style", Takes::Style, "How lists travel in the query"),
    Told::new("local_checks", Takes::Flag, "Whether arguments that the service is known to refuse are refused before sending"),
    Told::new("strict_lists", Takes::Flag, "Whether a list item that cannot be decoded is a decode error instead of being left out"),
    Told::new("token", Takes::Secret, "A token instead of the client's").more("No provider is asked, so that a refused one ends the call."),
    Told::new("cancel_token", Takes::Cancel, "What ends the call from elsewhere").elsewhere(&[
        (APPS, Has::ByHand("an argument of the call, which the task's own cancelling fires")),
        (&[Face::C], Has::ByHand("an argument of the call")),
    ]),
    Told::new("keep_raw", Takes::Flag, "Keeps the answer's body, as it came, beside what is read from it")
        .more("Of an answer that cannot be read, the error has it. It may hold health data.")
        .default("false"),
];
