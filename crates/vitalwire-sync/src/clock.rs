//! Clocks that decide which days are over.

use std::time::SystemTime;

use vitalwire::client::Client;
use vitalwire::error::Error;
use vitalwire::value::Timestamp;

/// Maximum time that this machine's clock can add to the service's clock. A machine whose clock is years ahead must not request years.
const MAX_AHEAD_SECONDS: i64 = 2 * 86_400;

/// Returns the earlier time of the service's clock and this machine's clock, because a day is over only if both clocks say so. The
/// service's clock is in the `Date` header of its last response.
///
/// Returns this machine's time if the service has not stated its time. For a sandbox, returns the sandbox's time, because its clock can be
/// moved.
///
/// # Errors
/// `internal` if this machine's clock is out of range.
pub fn service_time(client: &Client) -> Result<Timestamp, Error> {
    let machine = machine_time()?;
    Ok(match client.service_time() {
        Some(time) if client.sandbox().is_some() || time < machine => time,
        _ => machine,
    })
}

/// Returns the later time of both clocks, at most two days after that of the service. For a sandbox, returns the sandbox's time.
pub(crate) fn latest_time(client: &Client) -> Result<Timestamp, Error> {
    let machine = machine_time()?;
    let Some(time) = client.service_time() else { return Ok(machine) };
    let limit = Timestamp::from_unix(time.unix_seconds().saturating_add(MAX_AHEAD_SECONDS), 0).unwrap_or(time);
    Ok(if client.sandbox().is_some() { time } else { machine.min(limit).max(time) })
}

fn machine_time() -> Result<Timestamp, Error> {
    Timestamp::try_from(SystemTime::now()).map_err(|_| Error::internal("the clock is out of range"))
}
