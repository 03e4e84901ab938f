//! [`Error`]: start failures of a sandbox.

use std::fmt;
use std::net::SocketAddr;

use crate::clock::ClockError;
use crate::people::population::MAX_MISSING;
use crate::store::DatabaseError;

/// Reason why a sandbox did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The address to listen on is invalid.
    Address(std::io::Error),
    /// The address is reachable from other machines, and [`Builder::allow_remote`](crate::Builder::allow_remote) is not set.
    NotLoopback(SocketAddr),
    /// Listening on the address failed.
    Bind(std::io::Error),
    /// The database file cannot be used.
    Database(DatabaseError),
    /// The clock speed is out of range.
    Clock(ClockError),
    /// The share of missing days is not a number from 0 to 0.9.
    Missing,
    /// The delivery of a user who is not one of the people is set.
    Delivery,
    /// The webhook URL is not allowed. Contains the URL and the reason.
    Webhook(String, &'static str),
    /// The default redirect is not an http or https URL.
    Redirect,
    /// The folder of recorded exchanges cannot be used.
    Replay(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(error) => write!(formatter, "invalid address to listen on: {error}"),
            Self::NotLoopback(address) => {
                write!(formatter, "{address} is reachable from other machines; call allow_remote(true) to permit it")
            }
            Self::Bind(error) => write!(formatter, "cannot listen: {error}"),
            Self::Database(error) => write!(formatter, "{error}"),
            Self::Clock(error) => write!(formatter, "{error}"),
            Self::Missing => write!(formatter, "the share of missing days must be a number from 0 to {MAX_MISSING}"),
            Self::Delivery => formatter.write_str("the user of a delivery must be one of the people, such as person-1"),
            Self::Webhook(url, why) => write!(formatter, "webhooks cannot be sent to {url}: {why}"),
            Self::Replay(error) => write!(formatter, "cannot replay: {error}"),
            Self::Redirect => formatter.write_str("the default redirect must be an http or https URL"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Address(error) | Self::Bind(error) | Self::Replay(error) => Some(error),
            Self::Database(error) => Some(error),
            Self::Clock(error) => Some(error),
            Self::NotLoopback(_) | Self::Missing | Self::Delivery | Self::Webhook(..) | Self::Redirect => None,
        }
    }
}
