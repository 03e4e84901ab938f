#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
//! A local health data service for development and tests. It implements every operation of the interface, and the token exchange, with
//! data of synthetic people. No real data is involved unless a recording is [replayed](Builder::replay). Every response says so in its
//! headers:
//!
//! | header | value |
//! |---|---|
//! | `x-synthetic-data` | `true`; `false` in replayed responses, which also have `x-recorded: true` |
//! | `vitalwire-sandbox` | the data set, such as `seed=7`, with a digest of [missing](Builder::missing) days, [effects](Builder::effects) and [deliveries](Builder::deliveries) if they are set; absent from [replayed](Builder::replay) responses |
//! | `date` | the time of the sandbox's clock, which may be stopped or moved; the recorded date or the machine's in replayed responses |
//!
//! ```
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use vitalwire_sandbox::{Sandbox, civil::date};
//!
//! let sandbox = Sandbox::builder().seed(7).today(date(2025, 11, 21)).start().await?;
//! let person = &sandbox.people()[0];
//!
//! // The interface has no operation that lists sleeps, so the id comes from the sandbox.
//! let night = person.sleep_id(date(2025, 11, 21));
//! let url = format!("{}/v3/queries/sleeps/{night}?include_stages=true", sandbox.base_url());
//! # let _ = rustls::crypto::ring::default_provider().install_default();
//! let response = reqwest::Client::new().get(url).bearer_auth(&person.token).send().await?;
//! let sleep: serde_json::Value = response.error_for_status()?.json().await?;
//! assert_eq!(sleep["sleep_date"], "2025-11-21");
//! assert_eq!(sleep["stages"][0]["stage"], "awake");
//!
//! sandbox.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! * [`Sandbox`] is a service that listens on a socket. [`Builder`] has its settings and their defaults.
//! * [`AppState`] is the service without a socket: clock, tokens, [faults](AppState::faults), [request log](AppState::requests), and a
//!   [router](AppState::router) for a server of your own.
//! * `/` is a web page with users and their tokens, example calls, faults to activate, and live requests.
//!
//! # Features
//!
//! Both are enabled by default. Without them the crate builds faster and still implements all operations:
//!
//! | feature | enabled | disabled |
//! |---|---|---|
//! | `pictures` | JPEG and WebP are decoded; PNG always is | they are accepted by their first bytes (JPEG also by its segments, up to the end), and a checksum of the file selects the dish |
//! | `documents` | lab documents in PDF are read | they end `failed`, with a `parsing_error` that says so |
//!
//! # People
//!
//! All data of a person is derived from the seed, the user id and the day; only changes are stored. Every date from 2020-01-01 to the
//! sandbox's present has data, unless [`Builder::missing`] asks for gaps. Days and nights appear as they end, so today's values grow
//! with the hours.
//!
//! * The seeded users are `person-1`, `person-2`, ... Any other user id has data too: exchange a token for it.
//! * `person-1` wears a glucose sensor. The last integration of `person-2` is broken.
//! * Each person has three lab reports in the seven months before the start, and three meals a day.
//! * [`Builder::effects`] adds true effects of known size, for analyses to find. The README of this crate has their formulas.
//!
//! # Choices where the interface is silent
//!
//! ## Operations and names
//!
//! * An operation without a handler responds with 501. The `example` of the problem is made from the schema.
//! * All statistics, providers and nutrients in the specifications are accepted. A statistic without data has no value.
//!   Any device type is accepted. One other than `unknown` matches no record. A new provider measures what a watch measures.
//! * A request with a wrong signature is rejected with 401 "invalid authorization header".
//!
//! ## Uploads
//!
//! | topic | choice |
//! |---|---|
//! | status | `pending` for the first tenth of [`Builder::processing`] (or [`Builder::typical_processing`]), then `processing`. With the default of zero, done at the next read. A `fast` analysis takes half as long as a `precise` one |
//! | `wait_on_process` | waits on the sandbox's clock; fails after [`Builder::wait_limit`] |
//! | pictures | decoded as a whole; above 50 million pixels: 400. The dish whose usual colour is nearest to the middle third is selected, in its usual portion (`fast`) or 0.8 to 1.2 times that (`precise`) |
//! | failures | a picture of one colour or a black one, unless smaller than 64 x 64 pixels; one with `synthetic:unidentifiable` or `synthetic:timeout` in its first or last 4,096 bytes |
//! | `country_code` | without a `language_code`, selects the language of that country |
//! | lab documents | detected by their content. Text, separated values with a header, and PDF files with text are read: tests, values (`7.2`, `7,2`, `<5`, `negative`), units, ranges, sections, dates, the laboratory's name. 45 tests are known with LOINC code, unit and range. Patient data is left out |
//! | unread documents | pictures, scans and unknown files complete with invented results that `require_human_review`. Encrypted or corrupt PDF files, texts without a result, and documents with `synthetic:unreadable` at either end fail |
//! | 10 MB | 10 × 1,048,576 bytes of base64 text, or of a fetched image. Above 11 × 1,048,576 bytes of body, a "gateway" responds with 413 and an HTML page |
//! | `body_url` | fetched by plain HTTP only, from this machine and hosts of [`Builder::allow_host`], within 5 seconds, with at most 3 redirects within the host; otherwise 422 |
//! | serving size | the response to a change has the nutrients per 100 g or ml, without the four names that the interface leaves out; without a completed analysis: 422 |
//!
//! ## Lists and statistics
//!
//! * Lab reports are listed by upload time, nutrition records by time of eating. Without a start, a list of nutrition records goes back
//!   30 days. Hourly statistics without a range are those of the last 24 hours.
//! * A bucket belongs to a range if it starts in it. Hours are those of the user's local clock.
//! * If several providers measure the same, only one counts for each hour and each night. The order of precedence is:
//!   * movement and energy: watch, recorded tracks, phone
//!   * heart rate: watch, ring, mat
//!   * measurements at rest: ring, watch
//!   * sleep: ring, mat, watch
//! * A watch charges for an hour of every second evening. Only manual entries (a ride, a nap) are added to the values of a provider.
//! * `providers` filters before that choice. A day is aggregated from its hours: sums, extremes, and the mean of the hours' heart rates.
//! * Data that an integration delivered before it broke or ended stays. If it is repaired or created again, it also delivers what was
//!   measured in between.
//! * `device_types=unknown` keeps records without a device: those of phones, recorded tracks, and manual entries.
//! * `include_record_ids` adds the ids of the records behind a bucket: one per day and source, and sleeps under their `sleep_id`.
//!
//! ## Consent and benefits
//!
//! * Redirects are allowed to this machine, to `example.com`, `example.org` and `example.net` with their subdomains, and to
//!   [`Builder::allow_redirects_to`]. On these domains, an application's scheme is allowed, too: `nights://app.example.org`. A
//!   `state` above 2,048 bytes is rejected with 422.
//! * The consent page works once, within ten minutes of real time. Moving the clock counts too. "Refuse" redirects with the error
//!   `access denied`, the third button with `provider unavailable`.
//! * Any ids have benefits, except that `policy-pending` never ends, `policy-failure` fails, and `policy-missing` is not found.
//!
//! # Control routes
//!
//! Below `/_sandbox/`; a real service has none of them. They accept and return JSON. A foreign `Host` or `Origin`, and browser requests
//! on behalf of another site, are rejected with 403.
//!
//! | route | does |
//! |---|---|
//! | `GET state` | returns base URLs, the first 100 users with tokens and last nights, keys, the clock, and the settings of the people |
//! | `POST clock` | `{"advance": 90}` (seconds) or `{"advance": "2h 30m"}`, `{"set": "2025-12-24T18:00:00Z"}`, `{"scale": 60}` (seconds per real second), alone or with one of the others. Never backwards |
//! | `POST integrations` | `{"user_id": "person-1", "provider_slug": "luna", "state": "connected"}`, `"broken"` or `"removed"` |
//! | `GET`, `POST`, `DELETE faults`, `DELETE faults/{id}` | lists all faults with their settings, and the active ones; activates a fault by `{"fault": "status; status=503; retry_after=2; times=2; operation=get_user_info"}` or by the same settings as fields beside `"kind"`; deactivates faults. A request meets at most one, the first that matches. A reset deactivates all |
//! | `GET requests?after=n`, `GET requests/stream`, `DELETE requests` | returns the last 1,000 requests, at once or as server-sent events, see [`Requests`]; clears them |
//! | `GET`, `PUT webhooks`; `GET`, `POST webhooks/deliveries` | settings and deliveries of webhooks, see below |
//! | `POST reset` | resets the sandbox, see [`AppState::reset`] |
//!
//! The header `x-sandbox-fault` selects a fault for its own request, for tests of clients. It applies to every attempt, or with `times=n`
//! to the first n. No other fault applies to a request with the header. Faults apply to [replayed](Builder::replay) responses, too.
//!
//! # Webhooks
//!
//! Webhooks are sent to the URLs of [`Builder::webhook`] or `PUT /_sandbox/webhooks`, by plain HTTP to this machine or a host of
//! [`Builder::allow_host`]:
//!
//! ```sh
//! curl -X PUT -H 'content-type: application/json' "$URL/_sandbox/webhooks" \
//!   -d '{"main": "http://127.0.0.1:9000/events", "lab_reports": "http://127.0.0.1:9000/labs", "key": "secret", "copies": 2}'
//! ```
//!
//! The third kind is `nutrition_records`. An absent field stays unchanged, null stops a kind. `GET` returns the settings with the key.
//!
//! * A webhook is sent when:
//!   * an uploaded nutrition record starts processing, ends or is changed
//!   * an uploaded lab report ends
//!   * an integration begins or ends
//!   * a night of one of the first 50 people ends (several people in one body)
//! * Attempts, bodies, signatures and delays are the documented ones, on the sandbox's clock. A jump over several delays is one attempt.
//!   Only a 200 within 30 real seconds is a success.
//! * `copies` sends each body 1 to 5 times. `POST deliveries` with `{"send_again": ID}` sends one again. `GET` lists the last 500.
//!   The last 500 bodies are kept; a request for an older one gets a 410.
//! * With a database file, pending deliveries survive a restart, and may then arrive twice.
//!
//! # Limits
//!
//! | what | limit |
//! |---|---|
//! | connections | 256, see [`Builder::connections`]; a further one replaces the longest idle one, never one between the head of a request and the end of its response |
//! | headers | about 64 KiB, in 20 seconds, see [`Builder::patience`] |
//! | bodies | 30 seconds; 64 MiB of bodies above 64 KiB at a time over all connections: further ones wait for 10 seconds, then 503 with `Retry-After: 1` |
//! | responses | 60 seconds without reading |
//! | errors in one response | 100 |
//! | records in memory | about 10,000 uploaded or changed ones of a kind, then the oldest are removed, see [`AppState::forgotten`]; no limit with a [database](Builder::database) file |
//! | address | loopback, because all keys follow from the seed, see [`Builder::allow_remote`]; a host that is neither `localhost` nor an address is rejected with 421, against DNS rebinding |
//!
//! Messages rejected before they are parsed as a request (bad syntax, too many headers) get a response without the headers
//! `x-synthetic-data` and `vitalwire-sandbox`, and with the machine's date.

mod analysis;
mod app;
mod clock;
mod consent;
mod control;
mod faults;
mod gateway;
mod integrations;
mod outbound;
mod page;
mod people;
mod processing;
mod records;
mod reference;
mod replay;
mod request_bodies;
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
#[doc(hidden)]
pub use control::{ForeignSource, check_request_source};
pub use faults::{ActiveFault, Fault, FaultError, Faults};
/// Calendar dates used by this crate's API.
pub use jiff::civil;
pub use people::delivery::{Deliveries, Delivery, DeliveryError};
pub use people::effects::{Effect, EffectError, Effects};
pub use requests::{LoggedRequest, Requests};
pub use sandbox::{Builder, Error, Sandbox};
pub use store::{DatabaseError, StoreError};
pub use tokens::Claims;
pub use webhooks::Webhook;

/// Compiles and runs the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
