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
fn record_id_error(id: &str) -> Option<&'static str> {
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
mod tests {
    use super::*;

    const ID: &str = "6f1c9a52-0a0b-4c0d-8e0f-00000000000a";

    #[test]
    fn every_beginning_of_an_id_is_rejected() {
        assert_eq!(record_id_error(ID), None);
        assert_eq!(record_id_error(&ID.to_uppercase()), None);
        for length in 1..ID.len() {
            assert!(record_id_error(&ID[..length]).is_some_and(|reason| reason.contains("beginning")), "{length}");
            assert!(record_id_error(&ID[length..]).is_some(), "{length}");
        }
    }

    /// Replaces each character of an id with one of each other kind, and adds text before and after it.
    #[test]
    fn an_id_with_a_wrong_character_is_rejected() {
        for at in 0..ID.len() {
            for wrong in ["g", " ", "_", "é", "\u{2010}", "\n", ""] {
                let id = format!("{}{wrong}{}", &ID[..at], &ID[at + 1..]);
                assert!(record_id_error(&id).is_some(), "{id:?}");
            }
        }
        for more in [" ", "0", ".", "\n", "-"] {
            assert!(record_id_error(&format!("{ID}{more}")).is_some() && record_id_error(&format!("{more}{ID}")).is_some(), "{more:?}");
        }
        let reason = record_id_error(&format!("{ID}0")).unwrap_or_default();
        assert!(reason.contains("more than"), "{reason}");
    }

    #[test]
    fn ids_of_another_kind_are_rejected() {
        for id in [
            "",
            " ",
            "person-1",
            "2025-11-26",
            "oura",
            "12345",
            &"a".repeat(1_000),
            &"-".repeat(36),
            "{6f1c9a52-0a0b-4c0d-8e0f-00000000000a}",
        ] {
            assert!(record_id_error(id).is_some(), "{id}");
        }
    }

    #[test]
    fn the_format_of_a_sleep_id_is_open() {
        for id in ["s-1", ID, "Ä", &"a".repeat(1_000)] {
            assert_eq!(any_id_error(id), None, "{id}");
        }
        for id in ["", " ", "\t", "a b", " a", "a\n"] {
            assert!(any_id_error(id).is_some(), "{id:?}");
        }
    }
}
