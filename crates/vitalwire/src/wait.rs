//! Waiting for an analysis: an upload's answer comes before its results do.
//!
//! ```no_run
//! # async fn example(client: vitalwire::Client, picture: Vec<u8>) -> Result<(), vitalwire::Error> {
//! let record = client.nutrition_records().upload().body(picture).and_wait().await?;
//! println!("{}", record.status);
//! # Ok(())
//! # }
//! ```
//!
//! A record whose analysis failed is a result: its status says so. Statuses that this version does not know are waited out,
//! because they may come before the end as well as after it.

pub use vitalwire_runtime::wait::*;
