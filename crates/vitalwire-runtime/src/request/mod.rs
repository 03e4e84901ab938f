//! The functions that generated requests use, under the names of progenitor's output.
//!
//! It replaces progenitor's own client library, whose errors print bodies and URLs, lose the status of an unreadable response, and allow
//! `..` in a path.

#![allow(unreachable_pub, missing_docs, reason = "named in the sealed half of `Operation`, reachable by nobody")]

mod body;
pub mod check;
pub mod content;
mod header;
mod path;
mod response;

pub use body::json_body;
pub use header::header_value;
pub use path::encode_path;
pub use response::ListBody;
pub use response::{Answer, Error, ResponseValue};

use std::sync::Arc;

use crate::operation::OperationMeta;
use crate::transport::{self, ArrayStyle, CallClock, CallOptions, DecodeGuard, Shared};
use crate::value::join_lists;
pub use crate::value::{QueryParam, QueryValue};

/// The call that a request is made for.
pub struct CallContext {
    pub(crate) client: Arc<Shared>,
    pub(crate) meta: &'static OperationMeta,
    /// Boxed, as the request is below: a call's future is copied on its way through the layers, and as it waits beside many others
    /// its size is cache that they share.
    pub(crate) options: Box<CallOptions>,
    /// Whether to return the response as received instead of decoding it.
    pub(crate) raw: bool,
}

impl CallContext {
    /// Returns the URL of a path of the call's service.
    pub fn address(&self, path: &str) -> Result<reqwest::Url, crate::error::Error> {
        Ok(self.client.base_url(self.meta.service)?.address(path))
    }

    pub fn reqwest(&self) -> &reqwest::Client {
        self.client.reqwest()
    }
}

/// Which operation a request belongs to; the context knows, so the name only serves progenitor's output.
pub struct OperationInfo {
    pub operation_id: &'static str,
}

/// Where a generated request is handed over to the transport.
pub trait ClientHooks {
    fn context(&self) -> &CallContext;

    fn exec(&self, request: reqwest::Request, _: &OperationInfo) -> impl Future<Output = Result<Answer, Error<()>>> + Send {
        send(self.context(), Box::new(request))
    }
}

async fn send(context: &CallContext, mut request: Box<reqwest::Request>) -> Result<Answer, Error<()>> {
    if context.client.array_style(&context.options) == ArrayStyle::Comma {
        join_lists(request.url_mut(), context.meta.array_params);
    }
    let CallContext { client, meta, options, raw } = context;
    let clock = CallClock::start(&client.deadlines, meta.deadline, options);
    let response = transport::execute_by(clock, client, meta, request, options).await?;
    let guard = DecodeGuard::new(client, options, clock, &response.body);
    if *raw {
        return Err(Error::Captured(response, guard));
    }
    Ok(Answer { response, meta, keep_raw: options.keep_raw, guard })
}
