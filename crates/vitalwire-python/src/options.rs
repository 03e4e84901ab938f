//! Options of one call.

use vitalwire::Error;
use vitalwire::client::CallOptions;

pub(crate) use crate::generated::options::Options;

impl Options<'_> {
    /// Returns the core's options, with the cancel token.
    pub(crate) fn to_call(&self) -> Result<CallOptions, Error> {
        let options = self.to_core()?;
        Ok(match &self.cancel {
            Some(cancel) => cancel.apply_to(options),
            None => options,
        })
    }
}
