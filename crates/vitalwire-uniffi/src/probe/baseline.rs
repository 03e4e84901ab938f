//! Baselines for the benchmarks of Swift and Kotlin. They run the core in the same process.

use std::hint::black_box;
use std::time::Instant;

use vitalwire::Client;
use vitalwire::models::SleepRecord;
use vitalwire::value::Model as _;

use crate::call::{catch_panics, catch_panics_async};
use crate::error::ApiError;

/// Decodes a sleep record repeatedly in the core. Returns the average time in seconds.
///
/// # Errors
/// If the text is no sleep record.
#[uniffi::export]
pub fn probe_decode_seconds(json: String, times: u32) -> Result<f64, ApiError> {
    catch_panics(|| {
        let started = Instant::now();
        for _ in 0..times {
            black_box(SleepRecord::from_json(black_box(json.as_bytes()))?);
        }
        Ok(started.elapsed().as_secs_f64() / f64::from(times))
    })
}

/// A Rust client that makes small calls.
#[derive(uniffi::Object)]
pub struct ProbeClient(Client);

#[uniffi::export(async_runtime = "tokio")]
impl ProbeClient {
    /// Creates a client with a token.
    ///
    /// # Errors
    /// If the URL is invalid.
    #[uniffi::constructor]
    pub fn new(base_url: String, token: String) -> Result<Self, ApiError> {
        catch_panics(|| Ok(Self(Client::builder().base_url(base_url).token(&token).build()?)))
    }

    /// Calls `user.info` repeatedly and sequentially, as a Rust program does, without the foreign side. Returns the average time of a call
    /// in seconds.
    ///
    /// # Errors
    /// If a call fails.
    pub async fn seconds(&self, times: u32) -> Result<f64, ApiError> {
        let client = self.0.clone();
        let calls = tokio::spawn(catch_panics_async(async move {
            let started = Instant::now();
            for _ in 0..times {
                black_box(client.user().info().await?);
            }
            Ok(started.elapsed().as_secs_f64() / f64::from(times))
        }));
        calls.await.unwrap_or_else(|_| Err(ApiError::from_kind(vitalwire::ErrorKind::Internal)))
    }
}
