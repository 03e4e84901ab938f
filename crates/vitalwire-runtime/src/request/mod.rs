//! Functions that generated requests call, under the names that progenitor's output uses.
//!
//! They replace the client library of progenitor. Its errors print bodies and URLs, and lose the status of an unreadable response. It also
//! allows `..` in a path.

#![allow(unreachable_pub, missing_docs, reason = "used by the hidden part of `Operation` only")]

pub mod check;
pub mod content;
mod header_param;
mod json_body;
mod path_param;
mod success_response;

pub use header_param::header_value;
pub use json_body::json_body;
pub use path_param::encode_path;
pub use success_response::{Error, ResponseValue, SuccessResponse};

use std::sync::Arc;

use crate::operation::OperationMeta;
use crate::transport::{self, ArrayStyle, CallClock, CallOptions, ClientState, DecodeGuard};
use crate::value::join_lists;
pub use crate::value::{QueryParam, QueryValue};

/// The call for which a request is made.
pub struct CallContext {
    pub(crate) client: Arc<ClientState>,
    pub(crate) meta: &'static OperationMeta,
    /// Boxed, because the future of a call is moved through several layers, and many futures share the cache.
    pub(crate) options: Box<CallOptions>,
    pub(crate) mode: CallMode,
}

/// How far a call goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallMode {
    /// Sends the request and decodes the response.
    Decode,
    /// Sends the request and returns the response as received.
    Raw,
    /// Returns the request instead of sending it.
    Prepare,
}

impl CallContext {
    /// Returns the URL of a path of the call's service.
    pub fn address(&self, path: &str) -> Result<reqwest::Url, crate::error::Error> {
        Ok(self.client.base_url(self.meta.service)?.url_of_path(path))
    }

    pub fn reqwest(&self) -> &reqwest::Client {
        self.client.reqwest()
    }
}

/// Operation of a request. Required by progenitor's output; the transport uses the call context instead.
pub struct OperationInfo {
    pub operation_id: &'static str,
}

/// Passes generated requests to the transport.
pub trait ClientHooks {
    fn context(&self) -> &CallContext;

    fn exec(&self, request: reqwest::Request, _: &OperationInfo) -> impl Future<Output = Result<SuccessResponse, Error<()>>> + Send {
        send(self.context(), Box::new(request))
    }
}

async fn send(context: &CallContext, mut request: Box<reqwest::Request>) -> Result<SuccessResponse, Error<()>> {
    if context.client.array_style(&context.options) == ArrayStyle::Comma {
        join_lists(request.url_mut(), context.meta.array_params);
    }
    let CallContext { client, meta, options, mode } = context;
    let clock = CallClock::start(&client.deadlines, meta.deadline, options);
    if *mode == CallMode::Prepare {
        return Err(Error::Unsent(Box::new(transport::complete_request(clock, client, meta, request, options).await?)));
    }
    let response = transport::execute_with_clock(clock, client, meta, request, options).await?;
    let guard = DecodeGuard::new(client, options, clock, &response.body);
    #[cfg(feature = "blocking")]
    if guard.is_some() {
        crate::blocking::prepare_decoding().await;
    }
    if *mode == CallMode::Raw {
        return Err(Error::Captured(response, guard));
    }
    Ok(SuccessResponse { response, meta, keep_body: options.keep_body, guard })
}
