#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
//! A local health data service to develop and test against: all sixteen operations of the interface and the token exchange, answered with
//! the data of synthetic people. Nothing in it is anybody's; every answer carries the header `x-synthetic-data: true`.
//!
//! ```
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use vitalwire_sandbox::{Sandbox, civil::date};
//!
//! let sandbox = Sandbox::builder().seed(7).today(date(2025, 11, 21)).start().await?;
//! let person = &sandbox.people()[0];
//!
//! // The interface has no list of sleeps: the sandbox tells the id of a night.
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
//! # Features
//!
//! Both are on by default. Without them the crate builds faster and answers everything all the same:
//!
//! | feature | with it | without it |
//! |---|---|---|
//! | `pictures` | JPEG and WebP are decoded, as PNG always is | they are taken by their first bytes (JPEG also by its segments, up to the end), and a checksum of the file chooses the dish |
//! | `documents` | lab documents in PDF are read | they end `failed`, with a `parsing_error` that says so |
//!
//! # People
//!
//! Everything about a person follows from the seed, the user id and the day, so any date from 2020-01-01 to the sandbox's present has
//! data and only changes are stored. Days and nights appear as they end: today's values grow with the hours. The seeded users are `person-1`,
//! `person-2`, ...; a token for any other user id can be exchanged, and that user has data too. `person-1` wears a glucose sensor;
//! the last integration of `person-2` is broken. Three lab reports of each person lie in the seven months before the sandbox started, and three
//! meals on every day.
//!
//! # Where the interface leaves a choice
//!
//! * Uploads answer `pending` or `processing` at first and are done at the next read, or after [`Builder::processing`] or
//!   [`Builder::typical_processing`]; the first tenth of that time they are pending. `wait_on_process` waits on the sandbox's clock; what
//!   takes longer than [`Builder::wait_limit`] has failed. A `fast` analysis takes half as long as a `precise` one.
//! * Images are decoded as a whole, up to 50 million pixels (more: 400). The "analysis" is a stand-in: the dish whose usual colour is nearest
//!   to the middle third of the picture, in its usual portion (`fast`) or 0.8 to 1.2 times that, by a checksum (`precise`); the description
//!   says so. A picture of one colour, or a black one, ends `failed`, unless it is smaller than 64 x 64 pixels, and so does one with the text
//!   `synthetic:unidentifiable` or `synthetic:timeout` in its first or last 4,096 bytes. A `country_code` without a `language_code` stands
//!   for the language of that country.
//! * Lab documents are known by their bytes. Texts, separated values with a header, and PDF files with text are read: tests, values (`7.2`, `7,2`,
//!   `<5`, `negative`), units, ranges, sections, dates, the laboratory's name; 45 tests are known with LOINC code, unit and range. What a
//!   document says about a patient is left out. Pictures, scans and unknown files complete with invented results that `require_human_review`;
//!   encrypted or corrupt PDF files, texts without a result, and a document with the text `synthetic:unreadable` at either end fail.
//! * 10 MB is 10 × 1,048,576 bytes of base64 text, or of a fetched image. A whole body above 11 × 1,048,576 bytes meets a "gateway":
//!   413 with an HTML page.
//! * `body_url` is fetched only as plain http from this machine and from hosts of [`Builder::allow_host`], within 5 seconds, with at most 3
//!   redirects that stay at the host; anything else is answered 422.
//! * The numbers in the answer to a changed serving size are for that serving size, without the four names the interface leaves out.
//!   A record without a completed analysis cannot be changed: 422.
//! * Lists of lab reports go by upload time, lists of nutrition records by time of eating, and, without a start, 30 days back. Hours
//!   without a range: the last 24.
//! * A bucket belongs to a range if it starts in it. Hours are those of the user's own clock.
//! * Several providers measure the same. For each hour, and for each night, one of them counts: a watch, then recorded tracks, then a
//!   phone for movement and energy; a watch, then a ring, then a mat for the heart; a ring, then a watch for what is measured of a body at
//!   rest; a ring, then a mat, then a watch for sleep. Nothing is averaged or added up, but for what was entered by hand (a ride, a nap),
//!   which no device saw. A watch is charged for an hour of every second evening: then the next in line counts. `providers` leaves the
//!   others out before that choice. A day is made from its hours: sums, extremes, and the mean of the hours' heart rates.
//! * What a provider's connection delivered before it broke or ended stays; nothing comes after. Mended or made again, it delivers what the
//!   device measured meanwhile as well: no gap is left.
//! * `device_types=unknown` keeps records that do not say what device they are from: those of phones, of recorded tracks, and those
//!   entered by hand. The other types have names that the interface does not show: 422.
//! * `include_record_ids` adds the ids of the records behind a bucket: one a day of each source, and sleeps under their own `sleep_id`,
//!   those of other devices and naps among them.
//! * A redirect may go to this machine, below `example.com`, `example.org`, `example.net`, and where [`Builder::allow_redirects_to`] says.
//!   The consent page works once and for ten minutes of real time, whatever the clock's speed; a move of the clock by hand counts too. "Allow" makes the integration, or mends a broken one, and leads back to the
//!   application; "Refuse" leads back with the error `access denied`, and a provider told to fail with `provider unavailable`.
//!   A `state` above 2,048 bytes is answered 422.
//! * Benefits: any ids have some, except that `policy-pending` never ends, `policy-failure` fails, and `policy-missing` is not found.
//! * A request with a wrong signature is answered 401 "invalid authorization header": the documented texts have none of its own.
//!
//! # Control
//!
//! Routes below `/_sandbox/`, none of which a real service has. They answer JSON, refuse a foreign `Host` or `Origin`, and what a browser
//! asks for on behalf of another site, with 403, and take `application/json` only.
//!
//! `/` is a page for people: users with their tokens, calls to copy, faults by click, requests as they come.
//!
//! * `GET /_sandbox/state`: base URLs, the first 100 users with their tokens and last nights, the application's key, the care service's
//!   token, the clock.
//! * `POST /_sandbox/clock` with `{"advance": 90}` (seconds) or `{"advance": "2h 30m"}`, `{"set": "2025-12-24T18:00:00Z"}`, never backwards,
//!   or `{"scale": 60}`, seconds per real second, alone or beside one of the others.
//! * `POST /_sandbox/integrations` with `{"user_id": "person-1", "provider_slug": "luna", "state": "connected"}`, `"broken"` or
//!   `"removed"`.
//! * `GET /_sandbox/faults`: every fault there is with its settings, and those that are switched on. `POST` with
//!   `{"fault": "status; status=503; retry_after=2; times=2; operation=get_user_info"}`, or the same as members beside `"kind"`, switches
//!   one on; `DELETE`, also of `/_sandbox/faults/{id}`, off. A request meets at most one, the first that is aimed at it. The header
//!   `x-sandbox-fault`, which only a client's own tests send, orders one for its own request; with `times=n` there, for the first n
//!   attempts.
//! * `GET /_sandbox/requests?after=n` and, as server-sent events, `GET /_sandbox/requests/stream`: the last 1,000 requests, see
//!   [`Requests`]. `DELETE` clears them: the next one has the number 1.
//! * `POST /_sandbox/reset`: everything as it began, but for the clock, see [`AppState::reset`].
//! * `GET` and `PUT /_sandbox/webhooks`, `GET` and `POST /_sandbox/webhooks/deliveries`: see below.
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
//! The third kind is `nutrition_records`. What is left out stays as it is, and null ends a kind; `GET` shows the settings and the key. The
//! program's `--webhook-url` names one URL for all kinds.
//!
//! Told are: uploaded nutrition records that are processed, done or changed; uploaded lab reports that are done; integrations that begin and
//! end; and the nights of the first 50 people as they end, several people in one body. Each attempt, its body and signature are as
//! documented, and so are the pauses between attempts, on the sandbox's clock: a jump over several of them is one attempt. Only 200 within
//! 30 real seconds is success. `copies` sends each body so often, 1 to 5 times; `POST /_sandbox/webhooks/deliveries` with
//! `{"send_again": ID}` sends one once more, and `GET` there tells what was tried, of the last 500. Bodies that were sent are kept
//! of the last 500 too: to send an older one again is answered 410. With a database in a file, what is due survives a restart
//! and may then arrive twice.
//!
//! # Limits
//!
//! 256 connections at a time (for one more, the one that is idle longest is closed; none in the middle of a request or an answer), about 64 KiB of headers in 20 seconds, a body in 30 seconds, 64 MiB of
//! bodies above 64 KiB at a time over all connections (further ones wait for 10 seconds, then they are answered 503 with `Retry-After: 1`), 60 seconds without reading anything of an
//! answer, 100 findings in one, about 10,000 changed or uploaded records of a
//! kind in memory (the oldest are forgotten; a [database](Builder::database) in a file forgets nothing), as [`AppState::forgotten`], the page
//! and the program say, see [`Builder::connections`] and
//! [`Builder::patience`]. What is refused before it is a request (bad syntax, too many headers) is answered without the header above. It
//! listens on loopback unless [`Builder::allow_remote`] says otherwise, because all keys follow from the seed; and without that, its socket
//! answers a request for a host that is neither `localhost` nor an address with 421, so that no page elsewhere reads it by a name that was
//! made to lead here.

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
