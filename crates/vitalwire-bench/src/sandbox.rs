//! Sandbox requests for benchmarks of its speed and memory.

use anyhow::{Result, ensure};
use axum::body::Body;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use vitalwire_sandbox::civil::{Date, date};
use vitalwire_sandbox::{Builder, Sandbox};

/// Current date of the sandbox, which has data for the year before.
pub const TODAY: Date = date(2025, 11, 21);

/// Names of all hourly values.
const HOURLY: &str = "calories_burned_active,calories_burned_basal,calories_burned_total,distance_cycling,distance_running,\
    distance_total,distance_walking,heartrate,heartrate_max,heartrate_min,heartrate_resting,hrv_rmssd,hrv_sdnn,\
    sleep_skin_temperature_deviation,steps";
/// Names of the additional daily values.
const SCORES: &str = "activity_score,recovery_score,sleep_duration_total,sleep_score,stress_score";

/// Returns the builder of a sandbox with this number of people.
pub fn builder(people: usize) -> Builder {
    Sandbox::builder().seed(7).today(TODAY).people(people)
}

/// Returns the path for a year of hours with all values.
#[must_use]
pub fn year_of_hours() -> String {
    let range = "from_timestamp=2024-11-20T00:00:00Z&to_timestamp=2025-11-20T00:00:00Z";
    format!("/v3/queries/statistics/interval?interval=1h&{range}&types={HOURLY}")
}

/// Returns the path for a year of days with all values.
#[must_use]
pub fn year_of_days() -> String {
    format!("/v3/queries/statistics/daily?from_date=2024-11-20&to_date=2025-11-19&types={HOURLY},{SCORES}")
}

/// Calls a router without a socket, discards the body as it arrives, and returns its length in bytes.
///
/// # Errors
/// Fails if the status is not a success.
pub async fn read(router: &axum::Router, path: &str, token: &str) -> Result<usize> {
    let request = Request::get(path).header(hyper::header::AUTHORIZATION, format!("Bearer {token}")).body(Body::empty())?;
    let response = TowerToHyperService::new(router.clone()).call(request).await?;
    ensure!(response.status().is_success(), "{path} has status {}", response.status());
    let (mut body, mut bytes) = (response.into_body(), 0);
    while let Some(frame) = body.frame().await {
        bytes += frame?.data_ref().map_or(0, bytes::Bytes::len);
    }
    Ok(bytes)
}
