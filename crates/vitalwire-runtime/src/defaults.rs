//! Default values of all settings. Each constant is named after its setting. `crates/vitalwire-codegen/tests/generator/defaults.rs`
//! compares them with the documentation in every language.

use std::time::Duration;

pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
pub(crate) const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);
pub(crate) const UPLOAD_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(180);
pub(crate) const UPLOAD_TIMEOUT: Duration = Duration::from_secs(240);
pub(crate) const TIMEOUT_SCALE: f64 = 1.0;

pub(crate) const MAX_RETRIES: u32 = 2;
pub(crate) const RETRY_BASE_DELAY: Duration = Duration::from_millis(250);
pub(crate) const RETRY_MAX_DELAY: Duration = Duration::from_secs(8);
pub(crate) const RETRY_AFTER_CAP: Duration = Duration::from_secs(60);
// A longer delay would never fit into a call.
const _: () = assert!(RETRY_AFTER_CAP.as_secs() <= TIMEOUT.as_secs());
pub(crate) const RETRY_BUDGET: u32 = 100;
pub(crate) const RETRY_DELAY_SCALE: f64 = 1.0;

/// Below the usual file descriptor limit of a process, and more than most services handle at once.
pub(crate) const MAX_CONNECTIONS: usize = 64;
/// Ten years of hourly statistics take about 47 MB.
pub(crate) const MAX_RESPONSE_BYTES: u64 = 64 << 20;

pub(crate) const CA_ENVIRONMENT: bool = false;
pub(crate) const ONLY_CUSTOM_CERTIFICATES: bool = false;
pub(crate) const ACCEPT_GZIP: bool = true;
pub(crate) const CLIENT_SIDE_VALIDATION: bool = true;
pub(crate) const STRICT_LISTS: bool = false;
pub(crate) const ALLOW_PLAIN_HTTP: bool = false;
