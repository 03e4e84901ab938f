//! Answers from memory, for tests and previews of an application.
//!
//! No service is called; checks, tokens, deadlines, retries, decoding and hooks are those of any call.
//!
//! ```
//! use vitalwire::Client;
//! use vitalwire::answers::{Answer, Answers};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), vitalwire::Error> {
//! let answers = Answers::new()
//!     .on("get_user_properties", Answer::status(503).header("retry-after", "0"))
//!     .on("get_user_properties", Answer::json(r#"{"properties": {"birth_year": 1980}}"#));
//! let client = Client::builder().answers(&answers).build()?;
//!
//! let user = client.user().properties().await?;
//! assert_eq!(user.properties.as_ref().and_then(|known| known.birth_year), Some(1980));
//! assert_eq!(user.meta().attempts, 2);
//! assert_eq!(answers.requested()[1].path, "/v3/userproperties");
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "samples")]
mod samples;

#[cfg(feature = "samples")]
pub use samples::samples;
pub use vitalwire_runtime::transport::{Answer, Answers, Exchange, RecordedBody, RecordedRequest, RecordedResponse, Requested};
