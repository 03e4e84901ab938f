//! Mock responses for tests and previews of an application.
//!
//! A client with mock responses opens no connection. Client-side validation, tokens, timeouts, retries, decoding and callbacks work as in
//! any call.
//!
//! ```
//! use vitalwire::Client;
//! use vitalwire::mock::{MockResponse, MockResponses};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), vitalwire::Error> {
//! let responses = MockResponses::new()
//!     .on("get_user_properties", MockResponse::status(503).header("retry-after", "0"))
//!     .on("get_user_properties", MockResponse::json(r#"{"properties": {"birth_year": 1980}}"#));
//! let client = Client::builder().mock_responses(&responses).build()?;
//!
//! let user = client.user().properties().await?;
//! assert_eq!(user.properties.as_ref().and_then(|known| known.birth_year), Some(1980));
//! assert_eq!(user.metadata().attempts, 2);
//! assert_eq!(responses.requests()[1].path, "/v3/userproperties");
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "samples")]
mod samples;

#[cfg(feature = "samples")]
pub use samples::samples;
pub use vitalwire_runtime::transport::{
    Exchange, MockRequest, MockResponse, MockResponses, RecordedBody, RecordedRequest, RecordedResponse,
};
