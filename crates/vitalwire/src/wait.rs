//! Waiting for an analysis: polls an uploaded record until its analysis has ended.
//!
//! ```no_run
//! # async fn example(client: vitalwire::Client, picture: Vec<u8>) -> Result<(), vitalwire::Error> {
//! let record = client.nutrition_records().upload().body(picture).and_wait().await?;
//! println!("{}", record.status);
//! # Ok(())
//! # }
//! ```
//!
//! A record whose analysis failed is returned normally; its status says so. An unknown status does not end the wait, because it may come
//! before the end of the analysis as well as after it.

pub use vitalwire_runtime::wait::*;
