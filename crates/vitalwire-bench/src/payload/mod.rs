//! Generated payloads in the format of the service. The same seed results in the same bytes.
//!
//! Their sizes match a year of statistics, a night of sleep, or many reports. `tests/payloads.rs` checks counts and sizes.

mod json_writer;
mod labs;
mod nutrition;
mod person;
mod sleep;
mod statistics;

pub use labs::labs;
pub use nutrition::nutrition;
pub use person::user_info;
pub use sleep::{sleep, sleep_long, sleep_small};
pub use statistics::{daily, interval, interval_regular};

/// Whether every row also has four undocumented fields: a number, a text, a flag and an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Documented fields only.
    None,
    /// Four undocumented fields per row.
    Four,
}
