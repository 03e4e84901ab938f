//! Uploads that the application's own transport sends, such as a background session of the system.

use std::fmt;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use vitalwire::bytes::Bytes;
use vitalwire::client::{self, UploadOperation};
use vitalwire::error::BoxError;
use vitalwire::{Client, http};

use crate::call::{CancelToken, Driver, ResponseMetadata, catch_panics, catch_panics_async, provider_context, run_in_context};
use crate::error::ApiError;
use crate::generated::CallOptions;
use crate::option::NameAndValue;
use crate::value::Timestamp;

/// A prepared upload. The caller knows the file with its body.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct PreparedUpload {
    /// HTTP method.
    pub method: String,
    /// URL.
    pub url: String,
    /// Headers, with the access token.
    pub headers: Vec<NameAndValue>,
    /// Text to read the response with.
    pub receipt: String,
    /// Instant at which the access token expires; absent if unknown.
    pub token_expires_at: Option<Timestamp>,
}

/// Omits everything from debug output.
impl fmt::Debug for PreparedUpload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PreparedUpload(..)")
    }
}

impl From<client::PreparedUpload> for PreparedUpload {
    fn from(core: client::PreparedUpload) -> Self {
        let expires_at = core.token_expires_at.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        Self {
            method: core.method.as_str().to_owned(),
            url: core.url,
            headers: core.headers.iter().map(|(name, value)| NameAndValue { name: name.as_str().to_owned(), value: text(value) }).collect(),
            receipt: core.receipt,
            token_expires_at: expires_at
                .map(|at| Timestamp { seconds: i64::try_from(at.as_secs()).unwrap_or(i64::MAX), nanoseconds: at.subsec_nanos() }),
        }
    }
}

/// A response that the application's own transport received.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ReceivedResponse {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: Vec<NameAndValue>,
    /// Body, decompressed.
    pub body: Vec<u8>,
}

/// Omits the headers and the body from debug output.
impl fmt::Debug for ReceivedResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReceivedResponse(status {}, {} bytes)", self.status, self.body.len())
    }
}

impl ReceivedResponse {
    /// Returns an error if there is no status, as after a malformed response.
    fn into_core(self) -> Result<http::Response<Bytes>, BoxError> {
        let mut response = http::Response::new(Bytes::from(self.body));
        *response.status_mut() = http::StatusCode::from_u16(self.status)?;
        for NameAndValue { name, value } in &self.headers {
            // Transports add names that are not headers, such as an empty one for the status line.
            if let (Ok(name), Ok(value)) = (http::HeaderName::try_from(name), http::HeaderValue::try_from(value)) {
                response.headers_mut().append(name, value);
            }
        }
        Ok(response)
    }
}

/// Prepares a call whose request another program sends. Writes its body to a new file at `file`.
pub(crate) async fn prepare_upload<O: UploadOperation>(
    core: &Client,
    driver: Driver,
    parameters: impl Future<Output = Result<O, ApiError>>,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
    file: String,
) -> Result<PreparedUpload, ApiError> {
    let work = async {
        // The first poll runs on the caller's thread, which has the context.
        let context = provider_context(cancel.as_deref());
        let (parameters, options) = core.prepare::<O, _, _>(parameters, options.into_core(cancel.as_deref())).await?;
        let prepared = core.call(parameters).options(options).prepare_upload(file);
        Ok(driver.drive(run_in_context(context, prepared)).await?.into())
    };
    catch_panics_async(work).await
}

/// Reads the response to a prepared upload.
pub(crate) fn read_upload_response<O: UploadOperation, T>(
    core: &Client,
    receipt: &str,
    response: Option<ReceivedResponse>,
    convert: impl FnOnce(O::Output, ResponseMetadata) -> T,
) -> Result<T, ApiError> {
    catch_panics(|| {
        let response = response.map_or_else(|| Err("the application's transport failed".into()), ReceivedResponse::into_core);
        let response = core.engine().read_upload_response::<O>(receipt, response)?;
        let meta = response.metadata().into();
        Ok(convert(response.into_inner(), meta))
    })
}
