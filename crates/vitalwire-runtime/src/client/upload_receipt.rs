//! Receipts of prepared uploads: how their responses are decoded, as text that can be stored.

use serde::{Deserialize, Serialize};

use super::{CallOptions, UploadOperation};
use crate::error::Error;
use crate::operation::Projection;
use crate::transport::ClientState;

/// Version of the format.
const VERSION: u32 = 1;

/// Maximum length of a receipt, in bytes. With all names that a call can request, a receipt has about a kilobyte.
const MAX_BYTES: usize = 64 << 10;

/// Settings for decoding the response to a prepared upload. Contains no token, URL or health data. The fingerprint does not reveal the
/// token.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UploadReceipt {
    version: u32,
    operation: String,
    /// Tables whose rows were not requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unrequested: Vec<String>,
    /// Columns that were requested by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    columns: Vec<String>,
    pub(super) strict_lists: bool,
    pub(super) keep_body: bool,
    /// Fingerprint of the request's token. `None` if the call options set the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<String>,
}

/// The version of a receipt, whatever its other fields are.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl UploadReceipt {
    pub(super) fn new<O: UploadOperation>(parameters: &O, client: &ClientState, options: &CallOptions) -> Self {
        Self {
            version: VERSION,
            operation: O::META.id.to_owned(),
            unrequested: parameters.unrequested_tables().iter().map(|unrequested| unrequested.table.to_owned()).collect(),
            columns: parameters.columns(),
            strict_lists: client.strict_lists(options),
            keep_body: options.keep_body,
            token: None,
        }
    }

    /// Parses the receipt of an upload by this operation.
    ///
    /// # Errors
    /// `invalid_argument` naming `receipt`.
    pub(super) fn parse<O: UploadOperation>(text: &str) -> Result<Self, Error> {
        let invalid = |reason| Error::invalid_argument("receipt", reason);
        let malformed = || invalid("must be the unchanged receipt of a prepared upload");
        if text.len() > MAX_BYTES {
            return Err(malformed());
        }
        if serde_json::from_str::<Version>(text).is_ok_and(|receipt| receipt.version != VERSION) {
            return Err(invalid("the receipt was made by an incompatible version of this library"));
        }
        // Drop the cause: it may quote the text.
        let receipt: Self = serde_json::from_str(text).map_err(|_| malformed())?;
        if receipt.operation != O::META.id {
            return Err(invalid("the receipt belongs to an upload by another operation"));
        }
        Ok(receipt)
    }

    pub(super) fn to_text(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|_| Error::internal("a receipt cannot be serialized"))
    }

    /// Returns the projection of the call.
    pub(super) fn projection<O: UploadOperation>(&self) -> Projection {
        let unrequested = O::OPTIONAL_TABLES.iter().filter(|table| self.unrequested.iter().any(|name| name == table.table));
        Projection::new(unrequested.copied().collect(), self.columns.clone())
    }
}
