//! What Swift and Kotlin are measured against: the core, in the same process.

use std::hint::black_box;
use std::time::Instant;

use vitalwire::Client;
use vitalwire::models::SleepRecord;
use vitalwire::value::Model as _;

use crate::call::{guarded, guarded_call};
use crate::error::ApiError;

/// Reads a sleep record so many times by the core; returns the seconds of one reading.
///
/// # Errors
/// Where it is none.
#[uniffi::export]
pub fn probe_decode_seconds(json: String, times: u32) -> Result<f64, ApiError> {
    guarded(|| {
        let started = Instant::now();
        for _ in 0..times {
            black_box(SleepRecord::from_json(black_box(json.as_bytes()))?);
        }
        Ok(started.elapsed().as_secs_f64() / f64::from(times))
    })
}

/// The Rust client, which makes small calls.
#[derive(uniffi::Object)]
pub struct ProbeClient(Client);

#[uniffi::export(async_runtime = "tokio")]
impl ProbeClient {
    /// A client with a token.
    ///
    /// # Errors
    /// Where the URL is none.
    #[uniffi::constructor]
    pub fn new(base_url: String, token: String) -> Result<Self, ApiError> {
        guarded(|| Ok(Self(Client::builder().base_url(base_url).token(&token).build()?)))
    }

    /// Calls `user.info` so many times, one after the other, as a program in Rust does: the other side drives none of it. Returns the
    /// seconds of one call.
    ///
    /// # Errors
    /// The call's.
    pub async fn seconds(&self, times: u32) -> Result<f64, ApiError> {
        let client = self.0.clone();
        let calls = tokio::spawn(guarded_call(async move {
            let started = Instant::now();
            for _ in 0..times {
                black_box(client.user().info().await?);
            }
            Ok(started.elapsed().as_secs_f64() / f64::from(times))
        }));
        calls.await.unwrap_or_else(|_| Err(ApiError::of_kind(vitalwire::ErrorKind::Internal)))
    }
}
