//! The error that crosses: one variant that holds a record, which façades turn into their language's own error.

use std::fmt;

use crate::generated::ErrorInfo;

/// A failed call.
#[derive(Clone, uniffi::Error)]
#[uniffi::export(Debug, Display)]
pub enum ApiError {
    /// The only variant: façades show the record.
    Failed {
        /// Everything known of it.
        info: Box<ErrorInfo>,
    },
}

impl ApiError {
    /// Something that only this side can know: cancelled, or a panic.
    pub(crate) fn of_kind(kind: vitalwire::ErrorKind) -> Self {
        vitalwire::Error::new(kind).into()
    }
}

impl From<vitalwire::Error> for ApiError {
    fn from(core: vitalwire::Error) -> Self {
        Self::Failed { info: Box::new((&core).into()) }
    }
}

/// A foreign implementation failed in a way it does not declare; its text is the application's and stays there.
impl From<uniffi::UnexpectedUniFFICallbackError> for ApiError {
    fn from(_: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::of_kind(vitalwire::ErrorKind::Authentication)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Failed { info } = self;
        f.write_str(&info.text)
    }
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ApiError {}
