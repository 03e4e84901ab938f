//! Value types of the models: ids, instants, dates, bytes, nullable lists, open sets, number maps and unknown fields.
//!
//! All of them keep what the service sent, including values that this version does not know. `Debug` output never shows the values.
//!
//! ```
//! use vitalwire::value::{Date, Timestamp};
//!
//! let date: Date = "2025-01-31".parse()?;
//! assert_eq!(date.plus_days(1).map(|next| next.to_string()).as_deref(), Some("2025-02-01"));
//! let instant: Timestamp = "2025-01-31T06:30:00Z".parse()?;
//! assert_eq!(instant.unix_seconds(), 1_738_305_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use vitalwire_runtime::model::Model;
pub use vitalwire_runtime::value::*;
