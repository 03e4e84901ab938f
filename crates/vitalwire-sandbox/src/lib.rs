#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
//! A local health data service to develop and test against: every operation of the interface and the token exchange, answered with the data
//! of synthetic people. Nothing in it is anybody's; every answer has the header `x-synthetic-data: true`.
//!
//! ```
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use vitalwire_sandbox::{Sandbox, civil::date};
//!
//! let sandbox = Sandbox::builder().seed(7).today(date(2025, 11, 21)).start().await?;
//! let person = &sandbox.people()[0];
//!
//! // The interface does not list sleeps: the sandbox knows the id of a night.
//! let night = person.sleep_id(date(2025, 11, 21));
//! let url = format!("{}/v3/queries/sleeps/{night}?include_stages=true", sandbox.base_url());
//! # let _ = rustls::crypto::ring::default_provider().install_default();
//! let answer = reqwest::Client::new().get(url).bearer_auth(&person.token).send().await?;
//! let sleep: serde_json::Value = answer.error_for_status()?.json().await?;
//! assert_eq!(sleep["sleep_date"], "2025-11-21");
//! assert_eq!(sleep["stages"][0]["stage"], "awake");
//!
//! sandbox.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! * [`Sandbox`] is the service behind a socket, [`Builder`] its settings with their defaults.
//! * [`AppState`] is the service without a socket: its clock, tokens, [faults](AppState::faults), [log](AppState::requests), and a
//!   [router](AppState::router) for a server of your own.
//! * `/` is a page for people: users with their tokens, calls to copy, faults to switch on, live requests.
//!
//! # Features
//!
//! Both are on by default. Without them the crate builds faster and still answers everything:
//!
//! | feature | with it | without it |
//! |---|---|---|
//! | `pictures` | JPEG and WebP are decoded, as PNG always is | they are accepted by their first bytes (JPEG also by its segments, up to the end), and a checksum of the file chooses the dish |
//! | `documents` | lab documents in PDF are read | they end `failed`, with a `parsing_error` that says so |
//!
//! # People
//!
//! Everything about a person follows from the seed, the user id and the day; only changes are stored. Every date from 2020-01-01 to the
//! sandbox's present has data. Days and nights appear as they end: today's values grow with the hours.
//!
//! * The seeded users are `person-1`, `person-2`, ...; any other user id has data too: exchange a token for it.
//! * `person-1` wears a glucose sensor; the last integration of `person-2` is broken.
//! * Each person has three lab reports in the seven months before the start, and three meals a day.
//!
//! # Choices where the interface is silent
//!
//! ## Operations and names
//!
//! * An operation without a handler is answered 501: a problem whose `example` is made from the schema.
//! * Every name of statistics, providers, nutrients and device types that the specifications list is accepted. A statistic without data has
//!   no value; a device type other than `unknown` matches no record; a new provider measures what a watch measures.
//! * A request with a wrong signature is answered 401 "invalid authorization header".
//!
//! ## Uploads
//!
//! | what | choice |
//! |---|---|
//! | status | `pending` for the first tenth of [`Builder::processing`] (or [`Builder::typical_processing`]), then `processing`; with the default of zero, done at the next read. A `fast` analysis takes half as long as a `precise` one |
//! | `wait_on_process` | waits on the sandbox's clock; fails after [`Builder::wait_limit`] |
//! | pictures | decoded as a whole; above 50 million pixels: 400. The dish whose usual colour is nearest to the middle third is chosen, in its usual portion (`fast`) or 0.8 to 1.2 times that (`precise`) |
//! | failures | a picture of one colour or a black one, unless smaller than 64 x 64 pixels; one with `synthetic:unidentifiable` or `synthetic:timeout` in its first or last 4,096 bytes |
//! | `country_code` | without a `language_code`, selects the language of that country |
//! | lab documents | recognised by their bytes. Texts, separated values with a header, and PDF files with text are read: tests, values (`7.2`, `7,2`, `<5`, `negative`), units, ranges, sections, dates, the laboratory's name; 45 tests are known with LOINC code, unit and range. What a document says about a patient is left out |
//! | unread documents | pictures, scans and unknown files complete with invented results that `require_human_review`; encrypted or corrupt PDF files, texts without a result, and documents with `synthetic:unreadable` at either end fail |
//! | 10 MB | 10 × 1,048,576 bytes of base64 text, or of a fetched image; above 11 × 1,048,576 bytes of body a "gateway" answers 413 with an HTML page |
//! | `body_url` | fetched by plain http only, from this machine and hosts of [`Builder::allow_host`], within 5 seconds, with at most 3 redirects within the host; otherwise 422 |
//! | serving size | the numbers in the answer to a change are for the new size, without the four names that the interface leaves out; without a completed analysis: 422 |
//!
//! ## Lists and statistics
//!
//! * Lab reports are listed by upload time, nutrition records by time of eating; without a start, 30 days back. Hours without a range: the
//!   last 24.
//! * A bucket belongs to a range if it starts in it. Hours are those of the user's local clock.
//! * Where several providers measure the same, one counts, for each hour and for each night: a watch, then recorded tracks, then a phone for
//!   movement and energy; a watch, then a ring, then a mat for the heart; a ring, then a watch for measurements at rest; a ring, then a mat,
//!   then a watch for sleep. Only manual entries (a ride, a nap) are added. A watch is charged for an hour of every second evening.
//! * `providers` filters before that choice. A day is made from its hours: sums, extremes, and the mean of the hours' heart rates.
//! * What an integration delivered before it broke or ended stays. Repaired or made again, it also delivers what was measured meanwhile.
//! * `device_types=unknown` keeps records without a device: those of phones, recorded tracks, and manual entries.
//! * `include_record_ids` adds the ids of the records behind a bucket: one a day of each source, and sleeps under their `sleep_id`.
//!
//! ## Consent and benefits
//!
//! * A redirect may lead to this machine, below `example.com`, `example.org`, `example.net`, and to [`Builder::allow_redirects_to`]. A
//!   `state` above 2,048 bytes is answered 422.
//! * The consent page works once, and for ten minutes of real time; moves of the clock count too. "Refuse" leads back with the error
//!   `access denied`, the third button with `provider unavailable`.
//! * Any ids have benefits, except that `policy-pending` never ends, `policy-failure` fails, and `policy-missing` is not found.
//!
//! # Control routes
//!
//! Below `/_sandbox/`; a real service has none of them. They take and answer JSON, and refuse with 403 a foreign `Host` or `Origin` and
//! what a browser requests on behalf of another site.
//!
//! | route | does |
//! |---|---|
//! | `GET state` | base URLs, the first 100 users with tokens and last nights, keys, the clock |
//! | `POST clock` | `{"advance": 90}` (seconds) or `{"advance": "2h 30m"}`, `{"set": "2025-12-24T18:00:00Z"}`, `{"scale": 60}` (seconds per real second), alone or with one of the others. Never backwards |
//! | `POST integrations` | `{"user_id": "person-1", "provider_slug": "luna", "state": "connected"}`, `"broken"` or `"removed"` |
//! | `GET`, `POST`, `DELETE faults`, `DELETE faults/{id}` | lists every fault with its settings, and the active ones; switches them on by `{"fault": "status; status=503; retry_after=2; times=2; operation=get_user_info"}` or the same as members beside `"kind"`; switches them off. A request meets at most one, the first that matches |
//! | `GET requests?after=n`, `GET requests/stream`, `DELETE requests` | the last 1,000 requests, at once or as server-sent events, see [`Requests`]; clears them |
//! | `GET`, `PUT webhooks`; `GET`, `POST webhooks/deliveries` | settings and deliveries of webhooks, see below |
//! | `POST reset` | the state of the start, see [`AppState::reset`] |
//!
//! The header `x-sandbox-fault` selects a fault for its own request, for a client's tests; with `times=n` for the first n attempts.
//!
//! # Webhooks
//!
//! They go where [`Builder::webhook`] or `PUT /_sandbox/webhooks` says, by plain http to this machine or a host of [`Builder::allow_host`]:
//!
//! ```sh
//! curl -X PUT -H 'content-type: application/json' "$URL/_sandbox/webhooks" \
//!   -d '{"main": "http://127.0.0.1:9000/events", "lab_reports": "http://127.0.0.1:9000/labs", "key": "secret", "copies": 2}'
//! ```
//!
//! The third kind is `nutrition_records`. A member that is absent stays as it is, null ends a kind; `GET` returns the settings with the key.
//!
//! * A webhook is sent when an uploaded nutrition record starts processing, ends or is changed; when an uploaded lab report ends; when an
//!   integration begins or ends; when a night of one of the first 50 people ends (several people in one body).
//! * Attempts, bodies, signatures and pauses are the documented ones, on the sandbox's clock: a jump over several pauses is one attempt.
//!   Only 200 within 30 real seconds is success.
//! * `copies` sends each body 1 to 5 times. `POST deliveries` with `{"send_again": ID}` sends one again; `GET` lists the last 500. The last
//!   500 bodies are kept: an older one is answered 410.
//! * With a database in a file, pending deliveries survive a restart, and may then arrive twice.
//!
//! # Limits
//!
//! | what | limit |
//! |---|---|
//! | connections | 256, see [`Builder::connections`]; for one more, the one that is idle longest is closed, none within a request or an answer |
//! | headers | about 64 KiB, in 20 seconds, see [`Builder::patience`] |
//! | bodies | 30 seconds; 64 MiB of bodies above 64 KiB at a time over all connections: further ones wait for 10 seconds, then 503 with `Retry-After: 1` |
//! | answers | 60 seconds without reading |
//! | findings in one answer | 100 |
//! | records in memory | about 10,000 uploaded or changed ones of a kind, then the oldest are forgotten, see [`AppState::forgotten`]; no limit with a [database](Builder::database) in a file |
//! | address | loopback, because all keys follow from the seed, see [`Builder::allow_remote`]; a host that is neither `localhost` nor an address is answered 421, against DNS rebinding |
//!
//! What is refused before it is a request (bad syntax, too many headers) is answered without the header above.

mod analysis;
mod app;
mod clock;
mod consent;
mod control;
mod faults;
mod gateway;
mod intake;
mod integrations;
mod outbound;
mod page;
mod people;
mod processing;
mod records;
mod reference;
mod replay;
mod requests;
mod router;
mod routes;
mod sandbox;
mod server;
mod sources;
mod spec;
mod store;
mod tokens;
mod uploads;
mod values;
mod web;
mod webhooks;

pub use app::{AppState, Person};
pub use clock::ClockError;
pub use faults::{ActiveFault, Fault, FaultError, Faults};
/// The calendar dates of this crate's interface.
pub use jiff::civil;
pub use requests::{LoggedRequest, Requests};
pub use sandbox::{Builder, Error, Sandbox};
pub use store::{DatabaseError, StoreError};
pub use tokens::Claims;
pub use webhooks::Webhook;

/// The example of the crate's README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
