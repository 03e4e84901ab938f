//! What the generated requests stand on, under the names that progenitor's output uses.
//!
//! It takes the place of progenitor's own client library, whose errors print bodies and URLs, lose the status of an unreadable
//! answer, and let `..` through in a path.

#![allow(unreachable_pub, missing_docs, reason = "named in the sealed half of `Operation`, reachable by nobody")]

mod body;
pub(crate) mod check;
mod header;
mod path;
mod query;
mod response;

pub(crate) use body::json_body;
#[allow(unused_imports, reason = "a specification may have no header parameters")]
pub(crate) use header::header_value;
pub(crate) use path::{MAX_ADDRESS, encode_path};
pub(crate) use query::{QueryParam, QueryValue};
pub(crate) use response::ListBody;
pub use response::{Answer, Error, ResponseValue};

use crate::client::{ArrayStyle, CallOptions, Client};
use crate::transport::{self, OperationMeta};

/// The call that a request is made for.
pub struct CallContext {
    pub(crate) client: Client,
    pub(crate) meta: &'static OperationMeta,
    /// Boxed, as the request is below: a call's future is copied on its way through the layers, and as it waits beside many others
    /// its size is cache that they share.
    pub(crate) options: Box<CallOptions>,
    /// Hand the answer out as it came instead of decoding it.
    pub(crate) raw: bool,
}

impl CallContext {
    /// The address of a path of the call's service.
    pub(crate) fn address(&self, path: &str) -> Result<reqwest::Url, crate::Error> {
        Ok(self.client.inner().base_url(self.meta.service)?.address(path))
    }

    pub(crate) fn reqwest(&self) -> &reqwest::Client {
        self.client.inner().reqwest()
    }
}

/// Which operation a request belongs to; the context knows, so the name only serves progenitor's output.
pub(crate) struct OperationInfo {
    #[expect(dead_code, reason = "written by progenitor's output; the call's context knows the operation already")]
    pub(crate) operation_id: &'static str,
}

/// Where a generated request is handed over to the transport.
pub(crate) trait ClientHooks {
    fn context(&self) -> &CallContext;

    fn exec(&self, request: reqwest::Request, _: &OperationInfo) -> impl Future<Output = Result<Answer, Error<()>>> + Send {
        send(self.context(), Box::new(request))
    }
}

async fn send(context: &CallContext, mut request: Box<reqwest::Request>) -> Result<Answer, Error<()>> {
    if context.client.inner().array_style(&context.options) == ArrayStyle::Comma {
        query::join_lists(request.url_mut(), context.meta.array_params);
    }
    let response = transport::execute(context.client.inner(), context.meta, request, &context.options).await?;
    if context.raw {
        return Err(Error::Captured(response));
    }
    Ok(Answer { response, meta: context.meta, keep_raw: context.options.keep_raw })
}
