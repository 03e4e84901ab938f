//! What the sandbox is asked for when its speed and memory are measured.

use anyhow::{Result, ensure};
use axum::body::Body;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use vitalwire_sandbox::civil::{Date, date};
use vitalwire_sandbox::{Builder, Sandbox};

/// Its present: a year of data lies behind it.
pub const TODAY: Date = date(2025, 11, 21);

/// Everything that hours have.
const HOURLY: &str = "calories_burned_active,calories_burned_basal,calories_burned_total,distance_cycling,distance_running,\
    distance_total,distance_walking,heartrate,heartrate_max,heartrate_min,heartrate_resting,hrv_rmssd,hrv_sdnn,\
    sleep_skin_temperature_deviation,steps";
/// And what days have besides.
const SCORES: &str = "activity_score,recovery_score,sleep_duration_total,sleep_score,stress_score";

/// A sandbox with so many people.
pub fn builder(people: usize) -> Builder {
    Sandbox::builder().seed(7).today(TODAY).people(people)
}

/// A year of hours, with everything they have.
#[must_use]
pub fn year_of_hours() -> String {
    let range = "from_timestamp=2024-11-20T00:00:00Z&to_timestamp=2025-11-20T00:00:00Z";
    format!("/v3/queries/statistics/interval?interval=1h&{range}&types={HOURLY}")
}

/// A year of days, with everything they have.
#[must_use]
pub fn year_of_days() -> String {
    format!("/v3/queries/statistics/daily?from_date=2024-11-20&to_date=2025-11-19&types={HOURLY},{SCORES}")
}

/// Asks a router without a socket, throws the answer away as it comes, and says how many bytes it had.
///
/// # Errors
/// Where it is no success.
pub async fn read(router: &axum::Router, path: &str, token: &str) -> Result<usize> {
    let request = Request::get(path).header(hyper::header::AUTHORIZATION, format!("Bearer {token}")).body(Body::empty())?;
    let response = TowerToHyperService::new(router.clone()).call(request).await?;
    ensure!(response.status().is_success(), "{path} is answered {}", response.status());
    let (mut body, mut bytes) = (response.into_body(), 0);
    while let Some(frame) = body.frame().await {
        bytes += frame?.data_ref().map_or(0, bytes::Bytes::len);
    }
    Ok(bytes)
}
