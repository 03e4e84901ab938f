//! What the generated requests stand on, under the names that progenitor's output uses.
//!
//! It takes the place of progenitor's own client library, whose errors print bodies and URLs, lose the status of an unreadable
//! answer, and let `..` through in a path.

#![allow(unreachable_pub, missing_docs, reason = "named in the sealed half of `Operation`, reachable by nobody")]

mod body;
pub(crate) mod check;
mod path;
mod query;
mod response;

pub(crate) use body::json_body;
pub(crate) use path::encode_path;
pub(crate) use query::{QueryParam, QueryValue};
pub(crate) use response::ListBody;
pub use response::{Answer, Error, ResponseValue};

use crate::client::{ArrayStyle, CallOptions, Client};
use crate::error::ErrorKind;
use crate::transport::{self, OperationMeta};

/// The call that a request is made for.
pub struct CallContext {
    pub(crate) client: Client,
    pub(crate) meta: &'static OperationMeta,
    pub(crate) options: CallOptions,
    /// Hand the answer out as it came instead of decoding it.
    pub(crate) raw: bool,
}

impl CallContext {
    pub(crate) fn base_url(&self) -> Result<&str, crate::Error> {
        self.client.inner().base_url(self.meta.service)
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

    async fn exec(&self, mut request: reqwest::Request, _: &OperationInfo) -> Result<Answer, Error<()>> {
        let context = self.context();
        if context.client.inner().array_style(&context.options) == ArrayStyle::Comma {
            query::join_lists(request.url_mut(), context.meta.array_params);
        }
        // The HTTP library would refuse it too, but as a fault of the network.
        if request.url().as_str().len() > path::MAX_ADDRESS {
            return Err(crate::Error::with_reason(ErrorKind::InvalidArgument, "the arguments are too long for an address").into());
        }
        let response = transport::execute(context.client.inner(), context.meta, request, &context.options).await?;
        if context.raw { Err(Error::Captured(response)) } else { Ok(Answer(response)) }
    }
}
