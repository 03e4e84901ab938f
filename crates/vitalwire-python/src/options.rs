//! Options of one call.

use vitalwire::Error;
use vitalwire::client::CallOptions;

use crate::convert;
pub(crate) use crate::generated::options::Options;

impl Options<'_> {
    /// The core's, for one call: a token ends it.
    pub(crate) fn to_call(&self) -> Result<CallOptions, Error> {
        let options = self.to_core()?;
        Ok(match &self.cancel {
            Some(cancel) => cancel.ends(options),
            None => options,
        })
    }

    /// The core's, for work of several calls that is ended as a whole.
    pub(crate) fn to_core(&self) -> Result<CallOptions, Error> {
        let mut options = CallOptions::new().allow_resend(self.allow_resend);
        if let Some(seconds) = self.timeout {
            options = options.total_timeout(convert::to_duration("timeout", seconds.0)?);
        }
        if let Some(seconds) = self.attempt_timeout {
            options = options.attempt_timeout(convert::to_duration("attempt_timeout", seconds.0)?);
        }
        if let Some(seconds) = self.connect_timeout {
            options = options.connect_timeout(convert::to_duration("connect_timeout", seconds.0)?);
        }
        if let Some(retries) = self.retries {
            options = options.max_retries(convert::to_count("retries", retries.0)?);
        }
        Ok(match self.token {
            Some(token) => options.token(token),
            None => options,
        })
    }
}
