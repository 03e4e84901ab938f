//! Errors: one type, [`Error`], for every failure.
//!
//! [`Error::kind`] classifies the failure. Error texts never contain health data, tokens, URLs or bodies.
//!
//! ```no_run
//! # async fn example(client: vitalwire::Client, id: &str) -> Result<(), vitalwire::Error> {
//! use vitalwire::error::ErrorKind;
//!
//! match client.sleeps().get(id).await {
//!     Ok(night) => println!("{:?} ms", night.duration),
//!     Err(error) if error.is_not_found() => println!("there is no such night"),
//!     Err(error) if error.kind() == ErrorKind::RateLimited => println!("again in {:?}", error.retry_after()),
//!     Err(error) if error.is_transient() => println!("later, perhaps: {error}"),
//!     Err(error) => return Err(error),
//! }
//! # Ok(())
//! # }
//! ```

pub use vitalwire_runtime::error::*;
