//! Bodies as the service sends them, made up: the same seed gives the same bytes.
//!
//! Sizes follow what a year, a night or a shelf of reports takes; `tests/payloads.rs` holds counts and sizes.

mod labs;
mod nutrition;
mod person;
mod sleep;
mod statistics;
mod write;

pub use labs::labs;
pub use nutrition::nutrition;
pub use person::user_info;
pub use sleep::{sleep, sleep_long, sleep_small};
pub use statistics::{daily, interval, interval_regular};

/// Whether every row also has four members that nobody documented: a number, a text, a flag and an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Documented members only.
    None,
    /// Four more a row.
    Four,
}
