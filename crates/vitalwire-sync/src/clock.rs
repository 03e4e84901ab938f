//! Clocks that decide which days are over.

use std::time::SystemTime;

use vitalwire::client::Client;
use vitalwire::error::Error;
use vitalwire::value::Timestamp;

/// Maximum time that this machine's clock can add to the service's clock. A machine whose clock is years ahead must not request years.
const MAX_AHEAD_SECONDS: i64 = 2 * 86_400;

/// Earliest plausible time of the service's clock: 2000-01-01T00:00:00Z.
const EARLIEST_SECONDS: i64 = 946_684_800;

/// Maximum time by which the service's clock may be ahead of this machine's clock: ten years. A sandbox's clock can be moved.
const MAX_AFTER_SECONDS: i64 = 3_660 * 86_400;

/// Returns the earlier time of the service's clock and this machine's clock, because a day is over only if both clocks say so. The
/// service's clock is in the `Date` header of its last response.
///
/// Returns this machine's time if the service has not stated its time, or if its clock is ignored. For a sandbox, returns the sandbox's
/// time, because its clock can be moved.
///
/// # Errors
/// `internal` if this machine's clock is out of range.
pub fn service_time(client: &Client) -> Result<Timestamp, Error> {
    let machine = machine_time()?;
    Ok(match stated_time(client, machine) {
        Some(time) if client.sandbox().is_some() || time < machine => time,
        _ => machine,
    })
}

/// Returns the later time of both clocks, at most two days after that of the service. For a sandbox, returns the sandbox's time.
pub(crate) fn latest_time(client: &Client) -> Result<Timestamp, Error> {
    let machine = machine_time()?;
    let Some(time) = stated_time(client, machine) else { return Ok(machine) };
    let limit = Timestamp::from_unix(time.unix_seconds().saturating_add(MAX_AHEAD_SECONDS), 0).unwrap_or(time);
    Ok(if client.sandbox().is_some() { time } else { machine.min(limit).max(time) })
}

/// Returns the time of the service's clock. `None` if the service has not stated it. The service's clock is ignored if it is before the
/// year 2000 or more than ten years ahead of this machine's clock, because a sync would request every year.
fn stated_time(client: &Client, machine: Timestamp) -> Option<Timestamp> {
    let possible = EARLIEST_SECONDS..=machine.unix_seconds().saturating_add(MAX_AFTER_SECONDS);
    client.service_time().filter(|time| possible.contains(&time.unix_seconds()))
}

fn machine_time() -> Result<Timestamp, Error> {
    Timestamp::try_from(SystemTime::now()).map_err(|_| Error::internal("the clock is out of range"))
}
