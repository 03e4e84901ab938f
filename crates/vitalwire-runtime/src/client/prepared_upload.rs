//! Uploads that another program sends, such as an operating system in the background. The response is read later.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bytes::Bytes;
use http::HeaderMap;

use super::body_file::BodyFile;
use super::upload_receipt::UploadReceipt;
use super::{Call, Client, Operation, Response};
use crate::error::{BoxError, Error};
use crate::model::Model;
use crate::operation::UnrequestedTable;
use crate::request::{self, CallMode, ResponseValue, SuccessResponse};
use crate::transport;
use crate::value::NumberBasis;

/// Operations that send a file. Only generated types implement it.
pub trait UploadOperation: Operation<Output: Model> {
    /// Basis of the numbers in a response. Has no effect on responses without such numbers.
    #[doc(hidden)]
    const BASIS: NumberBasis = NumberBasis::Unknown;

    /// Tables whose rows are in the response only on request.
    #[doc(hidden)]
    const OPTIONAL_TABLES: &'static [UnrequestedTable] = &[];
}

/// An upload that is ready to be sent by another program, such as a background service of an operating system.
///
/// The headers contain the access token, and the file contains the document or picture. Pass both only to the program that sends the
/// request. Do not log the headers or store them elsewhere, and remove the file when the response was read.
///
/// The client's network settings do not apply to the other program: proxies, trusted certificates, pinned keys, timeouts and retries.
#[derive(Clone)]
#[non_exhaustive]
pub struct PreparedUpload {
    /// HTTP method.
    pub method: http::Method,
    /// URL.
    pub url: String,
    /// All headers, with the access token. `Content-Length` and `Accept-Encoding` are left to the program that sends the request.
    pub headers: HeaderMap,
    /// File with the request body. Only its owner can read it. It contains the document or picture, so remove it after the upload.
    pub file: PathBuf,
    /// Text to read the response with. It can be stored; it contains no token, URL or health data.
    pub receipt: String,
    /// Instant at which the access token expires, if its provider stated it. A request that is sent later is rejected with status 401.
    pub token_expires_at: Option<SystemTime>,
}

/// Redacted: shows no URL, header or path.
impl fmt::Debug for PreparedUpload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedUpload")
            .field("receipt", &self.receipt)
            .field("headers", &self.headers.len())
            .field("token_expires_at", &self.token_expires_at)
            .finish_non_exhaustive()
    }
}

impl<O: UploadOperation> Call<O> {
    /// Prepares the call for another program: validates it, gets a token and writes the request body to a new file. Sends nothing.
    ///
    /// If preparing fails or the future is dropped, there is no file. Options about sending, such as retries, have no effect.
    ///
    /// # Errors
    /// * `invalid_argument` naming `file` if the file exists, or if it cannot be written.
    /// * Errors of [`Call::send`] that occur before a request is sent.
    pub async fn prepare_upload(self, file: impl AsRef<Path>) -> Result<PreparedUpload, Error> {
        let file = file.as_ref().to_owned();
        let (client, parameters, options) = self.into_parts();
        client.prepare_upload(parameters, options, file).await.map_err(|error| error.with_operation(O::META))
    }
}

impl Client {
    async fn prepare_upload<O: UploadOperation>(
        &self,
        parameters: O,
        options: super::CallOptions,
        file: PathBuf,
    ) -> Result<PreparedUpload, Error> {
        let state = self.state()?;
        let mut receipt = UploadReceipt::new(&parameters, &state, &options);
        let has_own_token = options.token.is_some();
        let unsent = match self.run(parameters, Box::new(options), CallMode::Prepare).await {
            Err(request::Error::Unsent(unsent)) => unsent,
            Err(request::Error::Failed(error)) => return Err(error),
            Ok(_) | Err(_) => return Err(Error::internal("a prepared request was sent")),
        };
        receipt.token = unsent.token.filter(|_| !has_own_token);
        let mut request = unsent.request;
        let body = request.body_mut().take().ok_or_else(|| Error::internal("a prepared request has no body"))?;
        Ok(PreparedUpload {
            method: request.method().clone(),
            url: request.url().as_str().to_owned(),
            headers: std::mem::take(request.headers_mut()),
            receipt: receipt.to_text()?,
            token_expires_at: unsent.token_expires_at,
            file: BodyFile::write(file, body).await?.keep(),
        })
    }

    /// Reads the response to a [prepared upload](Call::prepare_upload), also in another process. Decodes it and classifies errors as the
    /// call would. `response` is the response with its decompressed body, or the other program's error if it received none.
    ///
    /// After status 401, the next call requests a new token if the client still caches the upload's token. The upload can be prepared again.
    ///
    /// # Errors
    /// * `invalid_argument` naming `receipt` if the receipt is damaged, or belongs to another operation.
    /// * `transport` if there is no response.
    /// * Errors of [`Call::send`] that occur after a request was sent.
    ///
    /// In the first two cases, and if the client is closed, the upload may have taken effect.
    pub fn read_upload_response<O: UploadOperation>(
        &self,
        receipt: &str,
        response: Result<http::Response<Bytes>, BoxError>,
    ) -> Result<Response<O::Output>, Error> {
        // The request was sent, whatever is wrong with the arguments.
        let sent = |error: Error| error.with_operation(O::META).with_effect(O::META.effect());
        let state = self.state().map_err(sent)?;
        let response = response.map_err(|cause| transport::lost_response(O::META, cause))?;
        let receipt = UploadReceipt::parse::<O>(receipt).map_err(sent)?;
        if response.status() == http::StatusCode::UNAUTHORIZED
            && let (Ok(auth), Some(token)) = (state.auth(O::META.service), &receipt.token)
        {
            auth.reject(token);
        }
        let mut response = transport::check_received(&state, O::META, response)?;
        response.meta.strict_lists = receipt.strict_lists;
        let received = SuccessResponse { response, meta: O::META, keep_body: receipt.keep_body, guard: None };
        let mut response = ResponseValue::<O::Output>::decode(received)?.into_response(receipt.keep_body);
        response.value_mut().set_basis(O::BASIS);
        response.meta_mut().projection = receipt.projection::<O>();
        Ok(response)
    }
}
