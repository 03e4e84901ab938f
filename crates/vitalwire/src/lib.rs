//! A client for a health data service: user information, sleep, statistics, lab reports, nutrition records, provider
//! integrations, and the policy benefits of a clinic service.
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
//! # A client
//!
//! [`Client::builder`] takes a base URL and a token for each service; there is no default URL. [`Client::from_env`] reads both, and every
//! other setting, from `VITALWIRE_*` variables. A client is cheap to clone, and its clones share connections, tokens and the budget of
//! retries: make one for each user whose token it has. Tokens that expire come from a [`TokenProvider`](client::TokenProvider).
//!
//! # Sending
//!
//! A method of a [resource](resources), such as `client.sleeps().get(id)`, makes a [`Call`]: required parameters are its
//! arguments, optional ones are set on it. Nothing is sent before it is awaited. Dropping the future ends the call and closes its
//! connection.
//!
//! * [`Call::send`] gives a [`Response`]: the value, and beside it status, headers, request id, attempts and time.
//! * [`Call::raw`] gives the answer as it came; [`Call::table`] reads it into columns, see [`table`].
//! * [`Call::split`] makes a long range in parts, see [`range`]; [`Call::and_wait`] waits for an analysis, see [`wait`].
//! * [`Client::request`] reaches any path of a service, with the same token, deadlines and retries.
//!
//! What an answer gives, the next call takes: an [`Id`], a [`Date`], a [`DateRange`]. New names and members of a later version of the
//! service are kept, in [open sets](open_sets) and in `extra`.
//!
//! # Deadlines
//!
//! | deadline | of | default | of an upload |
//! |---|---|---|---|
//! | `connect_timeout` | connecting, including the TLS handshake | 10 s | 10 s |
//! | `attempt_timeout` | one attempt, from sending the request to the end of the response | 30 s | 180 s |
//! | `timeout` | the call, including all attempts, the delays between them and getting a token | 60 s | 240 s |
//!
//! The names are the same on [`ClientBuilder`], [`CallOptions`] and [`Call`]; options that a call does not set
//! default to the client's settings. Uploads have settings of their own: `upload_attempt_timeout` and `upload_timeout`. On slow networks,
//! [`deadline_scale`](ClientBuilder::deadline_scale) multiplies all default timeouts. An expired timeout is an error of kind
//! [`Timeout`](ErrorKind::Timeout).
//!
//! # Retries
//!
//! A failed attempt is tried again twice, after waits that grow and are drawn at random; a `Retry-After` is waited for. What is tried again
//! depends on the failure ([`Error::is_transient`] has the table) and on the operation:
//!
//! | operation | tried again |
//! |---|---|
//! | reads | after every failure that may pass soon |
//! | changes that a second time does not change further: deletions, new serving sizes, token exchange | the same |
//! | uploads | only where nothing was sent, or where the call [allows it](CallOptions::allow_resend) |
//!
//! [`CallOptions::max_retries`] says how often, [`RetryPolicy`] the rest: `RetryPolicy::default().max_retries(5).budget(20)`.
//!
//! # Errors
//!
//! Every failure is one [`Error`] with a [kind](Error::kind), whose number is the same in every language; [`error`] has an example. No text of
//! it holds health data, a token, an address or a body. [`Error::may_have_taken_effect`] says whether to look before sending again.
//!
//! # Tests and previews
//!
//! [`ClientBuilder::mock_responses`] makes a client respond from memory; the module [`mock`] has an example.
//! [`ClientBuilder::on_attempt`] shows what happens to a call; spans of `tracing` do the same by OpenTelemetry's names.
//!
//! # Blocking
//!
//! With the feature `blocking`, calls have `send_blocking`, and what makes several calls its like. They run on a runtime of their own; inside a
//! task of an async runtime they are errors, and in `tokio::task::spawn_blocking` they work.
//!
//! # Webhooks
//!
//! [`webhook::Verifier`] checks signatures and reads events; [`consent`] checks the return of a user who connected a provider.
//!
//! # Features
//!
//! None is on by default.
//!
//! | feature | adds |
//! |---|---|
//! | `blocking` | `send_blocking` on every call, and its like for what makes several |
//! | `arrow` | tables as Arrow record batches |
//! | `arrow-ipc` | tables as Arrow streams and files |
//! | `csv` | tables as CSV |
//! | `samples` | synthetic responses to every operation, for tests and previews; 28 kB |
//! | `time-zones` | local times in tables by the name of a time zone; the database is 0.2 MB |
//!
//! # Types of other crates
//!
//! Signatures name types of `http`, `bytes` and `uuid`, which are stable, and of two crates that are not: `jiff` 0.2
//! ([`Date::jiff`], [`Timestamp::jiff`], [`Timestamp::local`]) and, with the feature `arrow`, `arrow-array` 60. A new major version of those two
//! is one of this crate. [`bytes`], [`http`] and [`jiff`] are re-exported, so that a program uses the versions that fit.
//!
//! # How it is made
//!
//! Calls, parameters and models are generated from the specifications in `openapi/`; the engine below them, which sends, decodes and
//! keeps private, is the crate `vitalwire-runtime`, whose modules are those of this crate too.

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
#[doc(hidden)]
pub use vitalwire_runtime::per_process;
#[doc(no_inline)]
pub use vitalwire_runtime::{bytes, http, jiff};

/// What most programs name: `use vitalwire::prelude::*;`.
pub mod prelude {
    pub use crate::{
        CallOptions, Client, Date, DateRange, Error, ErrorKind, Id, InstantRange, OpenSet, PartLength, Response, TableId, Timestamp,
        TokenProvider,
    };
}

/// The example of the crate's README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
