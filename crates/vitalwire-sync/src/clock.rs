//! The clock that decides which days are over.

use std::time::SystemTime;

use vitalwire::client::Client;
use vitalwire::error::Error;
use vitalwire::value::Timestamp;

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

/// Returns the later of both clocks. The clock of a sandbox alone counts.
pub(crate) fn latest_time(client: &Client) -> Result<Timestamp, Error> {
    let machine = machine_time()?;
    Ok(match client.service_time() {
        Some(time) if client.sandbox().is_some() || time > machine => time,
        _ => machine,
    })
}

fn machine_time() -> Result<Timestamp, Error> {
    Timestamp::try_from(SystemTime::now()).map_err(|_| Error::internal("the clock is out of range"))
}
