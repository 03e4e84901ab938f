//! The clock that decides which days are over.

use std::time::SystemTime;

use vitalwire::client::Client;
use vitalwire::error::Error;
use vitalwire::value::Timestamp;

/// Days after the service's clock that a clock of this machine can add, so that one that is years ahead does not request years.
const MAX_AHEAD_SECONDS: i64 = 2 * 86_400;

/// Returns the time of the service's clock, from the `Date` header of its last response.
///
/// If the service does not state the time, or a later one than this machine, returns this machine's time: a day is over only if both
/// clocks say so. The clock of a sandbox can be moved, so it alone counts.
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

/// Returns the later of both clocks, at most two days after that of the service. The clock of a sandbox alone counts.
pub(crate) fn latest_time(client: &Client) -> Result<Timestamp, Error> {
    let machine = machine_time()?;
    let Some(time) = client.service_time() else { return Ok(machine) };
    let limit = Timestamp::from_unix(time.unix_seconds().saturating_add(MAX_AHEAD_SECONDS), 0).unwrap_or(time);
    Ok(if client.sandbox().is_some() { time } else { machine.min(limit).max(time) })
}

fn machine_time() -> Result<Timestamp, Error> {
    Timestamp::try_from(SystemTime::now()).map_err(|_| Error::internal("the clock is out of range"))
}
