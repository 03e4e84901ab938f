//! Client for a health data service: user information, sleep, statistics, lab reports, nutrition records, provider integrations, and the
//! policy benefits of a clinic service.
//!
//! ```no_run
//! use vitalwire::{Client, DateRange, Error};
//!
//! # async fn example(today: vitalwire::Date) -> Result<(), Error> {
//! let client = Client::builder().base_url("https://health.example.org").token("…").build()?;
//! for day in client.statistics().daily(DateRange::ending(today, 7)?, ["steps"]).await? {
//!     let steps = day.values.and_then(|values| values.steps());
//!     println!("{} {}", day.date.map_or_else(String::new, |date| date.to_string()), steps.unwrap_or_default());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Clients
//!
//! [`Client::builder`] takes a base URL and a token for each service; no URL is built in. [`Client::from_env`] reads these and every other
//! setting from `VITALWIRE_*` environment variables.
//!
//! A client is cheap to clone. Clones share connections, tokens and the retry budget. Create one client per user, because each user has a
//! token of their own. Use a [`TokenProvider`] for tokens that expire.
//!
//! # Calls
//!
//! A method of a [resource](resources), such as `client.sleeps().get(id)`, creates a [`Call`]. Required parameters are arguments; optional
//! parameters are set on the call. Nothing is sent until the call is awaited. Dropping the future aborts the call and closes its
//! connection.
//!
//! * [`Call::send`] returns a [`Response`]: the value with its status, headers, request id, attempts and time.
//! * [`Call::raw`] returns the undecoded response. [`Call::table`] reads it into columns; see [`table`].
//! * [`Call::split`] makes a range call in parts; see [`range`]. [`Call::and_wait`] waits for an analysis; see [`wait`].
//! * [`Client::request`] sends a request to any path of a service, with the same token, timeouts and retries.
//!
//! Values of a response, such as an [`Id`], a [`Date`] or a [`DateRange`], can be passed to the next call. Names and fields that a later
//! version of the service adds are kept in [open sets](open_sets) and in `extra`.
//!
//! # Timeouts
//!
//! | timeout | limits | default | default for uploads |
//! |---|---|---|---|
//! | `connect_timeout` | connecting, including the TLS handshake | 10 s | 10 s |
//! | `attempt_timeout` | one attempt, from sending the request to the end of the response | 30 s | 180 s |
//! | `timeout` | the call, including all attempts, the delays between them and getting a token | 60 s | 240 s |
//!
//! The names are the same on [`ClientBuilder`], [`CallOptions`] and [`Call`]. Options that a call does not set default to the client's
//! settings. Uploads have settings of their own: `upload_attempt_timeout` and `upload_timeout`. On slow networks, use
//! [`timeout_scale`](ClientBuilder::timeout_scale) to multiply all default timeouts. An expired timeout is an error of kind
//! [`Timeout`](ErrorKind::Timeout).
//!
//! # Retries
//!
//! A failed attempt is retried up to twice, with random, growing delays. A `Retry-After` of the service is respected. Whether an attempt is
//! retried depends on the failure (see the table at [`Error::is_transient`]) and on the operation:
//!
//! | operation | retried |
//! |---|---|
//! | reads | after every transient failure except a 500 |
//! | idempotent changes: deletions, new serving sizes, token exchange | after every transient failure except a 500 |
//! | uploads | only if nothing was sent, or as reads if the call [allows it](CallOptions::allow_resend) |
//!
//! After a 401, the client retries once with a new token of the token provider. This includes uploads.
//!
//! [`CallOptions::max_retries`] sets the number of retries, and [`RetryPolicy`] everything else:
//! `RetryPolicy::default().max_retries(5).budget(20)`.
//!
//! # Errors
//!
//! Every failure is an [`Error`] with a [kind](Error::kind), whose number is the same in every language; see [`error`] for an example.
//! Error texts never contain health data, tokens, URLs or bodies. [`Error::may_have_taken_effect`] says whether the service may have
//! executed the request, so that you can check before you send it again.
//!
//! # Tests and previews
//!
//! [`ClientBuilder::mock_responses`] makes a client respond from memory; see [`mock`] for an example. [`ClientBuilder::on_attempt`] sets a
//! callback for every attempt. `tracing` spans report the same, with OpenTelemetry's attribute names.
//!
//! # Blocking
//!
//! With the feature `blocking`, calls have a method `send_blocking`. Streams, range calls and waits have blocking methods too. They run on
//! an internal runtime. They fail inside a task of an async runtime; use `tokio::task::spawn_blocking` there.
//!
//! # Webhooks
//!
//! [`webhook::Verifier`] checks signatures and decodes events. [`consent`] checks the redirect of a user who connected a provider.
//!
//! # Features
//!
//! `fast-decoding` is the only feature that is enabled by default. It decodes responses up to three times as fast and adds 0.2 MB.
//!
//! | feature | adds |
//! |---|---|
//! | `blocking` | `send_blocking` and other blocking methods |
//! | `arrow` | tables as Arrow record batches |
//! | `arrow-ipc` | tables as Arrow streams and files |
//! | `csv` | tables as CSV |
//! | `samples` | synthetic responses to every operation, for tests and previews; 28 kB |
//! | `time-zones` | local times in tables by the name of a time zone; the database is 0.2 MB |
//!
//! # Types of other crates
//!
//! The public API uses types of `http`, `bytes` and `uuid`, which are stable. It also uses two crates that are not: `jiff` 0.2
//! ([`Date::jiff`], [`Timestamp::jiff`], [`Timestamp::local`]) and, with the feature `arrow`, `arrow-array` 60. A new major version of
//! either is a new major version of this crate. [`bytes`], [`http`] and [`jiff`] are re-exported, so that a program can use matching
//! versions.
//!
//! # Architecture
//!
//! Calls, parameters and models are generated from the specifications in `openapi/`. The engine, `vitalwire-runtime`, sends requests,
//! decodes responses and redacts output. Its public modules are re-exported here.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "__bench")]
#[doc(hidden)]
pub mod bench;
pub mod mock;
#[cfg(feature = "blocking")]
#[doc(hidden)]
pub use vitalwire_runtime::blocking;
pub mod client;
pub mod consent;
pub mod error;
#[cfg(feature = "__fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod generated;
pub mod nights;
pub mod range;
pub mod signing;
pub mod table;
pub mod upload;
pub mod value;
pub mod wait;
pub mod webhook;

pub use client::{
    Call, CallOptions, CancelToken, Client, ClientBuilder, RawRequest, RawResponse, Response, ResponseMetadata, RetryPolicy, Service,
    SkippedItem, Token, TokenProvider,
};
pub use error::{Error, ErrorKind};
#[doc(hidden)]
pub use generated::client::INTERFACE;
pub use generated::meta::OPERATIONS;
pub use generated::{models, open_sets, operations, resources};
pub use range::{DateRange, InstantRange, PartLength};
pub use table::{Table, TableId};
pub use value::{Date, Id, OpenSet, Timestamp};
#[doc(hidden)]
pub use vitalwire_runtime::boundary;
pub use vitalwire_runtime::operation;
#[doc(no_inline)]
pub use vitalwire_runtime::{bytes, http, jiff};
#[doc(hidden)]
pub use vitalwire_runtime::{per_process, private_files, sigpipe};

/// The most used types: `use vitalwire::prelude::*;`.
pub mod prelude {
    pub use crate::{
        CallOptions, Client, Date, DateRange, Error, ErrorKind, Id, InstantRange, OpenSet, PartLength, Response, TableId, Timestamp,
        TokenProvider,
    };
}

/// Compiles the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
