//! Checks of ids before a request is sent.

use vitalwire::Error;

use super::session::Session;
use crate::failure::Failure;

/// Length of a UUID with its hyphens, and their positions.
const LENGTH: usize = 36;
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

impl Session {
    /// Rejects a text that cannot be the id of a meal or a report. In the interface, these are UUIDs.
    pub(super) fn check_record_id(&self, id: &str, list: &str) -> Result<(), Failure> {
        self.check_id(id, record_id_error, list)
    }

    /// Rejects a text that cannot be the id of a sleep. The interface leaves its format open.
    pub(super) fn check_sleep_id(&self, id: &str) -> Result<(), Failure> {
        self.check_id(id, any_id_error, "stats daily --types sleep_duration_total --record-ids")
    }

    fn check_id(&self, id: &str, find_error: impl Fn(&str) -> Option<&'static str>, list: &str) -> Result<(), Failure> {
        let Some(reason) = find_error(id).filter(|_| self.client_side_validation) else { return Ok(()) };
        let list = self.follow_up.read_command(list);
        let hint = format!("nothing was sent; {list} prints ids. VITALWIRE_CLIENT_SIDE_VALIDATION=false turns this check off");
        Err(Failure::Hinted(Error::invalid_argument("id", reason), hint))
    }
}

/// Returns the rule of UUIDs that a text breaks.
pub(super) fn record_id_error(id: &str) -> Option<&'static str> {
    let is_digit = |(at, byte): (usize, u8)| if HYPHENS.contains(&at) { byte == b'-' } else { byte.is_ascii_hexdigit() };
    let is_start = id.bytes().take(LENGTH).enumerate().all(is_digit);
    match id.len() {
        _ if any_id_error(id).is_some() => any_id_error(id),
        LENGTH if is_start => None,
        length if length < LENGTH && is_start => Some("is only the beginning of an id: it must have 36 characters"),
        length if length > LENGTH && is_start => Some("must not have more than 36 characters"),
        _ => Some("must be a UUID such as 6f1c9a52-0000-4000-8000-000000000001"),
    }
}

/// Returns the rule for ids of any format that a text breaks.
fn any_id_error(id: &str) -> Option<&'static str> {
    if id.trim().is_empty() {
        Some("must not be empty")
    } else if id.contains(char::is_whitespace) {
        Some("must not contain white space")
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
