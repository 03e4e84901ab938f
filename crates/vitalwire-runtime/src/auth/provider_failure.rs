//! Errors of token providers.

use std::fmt;
use std::sync::Arc;

use crate::error::{BoxError, Error, ErrorKind};

/// The error of a provider run, shared by every call that waited for it.
#[derive(Clone)]
pub(super) struct SharedFailure {
    pub(super) reason: &'static str,
    pub(super) cause: Option<Arc<BoxError>>,
}

impl SharedFailure {
    pub(super) fn into_error(self) -> Error {
        let error = Error::with_reason(ErrorKind::Authentication, self.reason);
        match self.cause {
            Some(cause) => error.with_source(ProviderFailure(cause)),
            None => error,
        }
    }
}

/// Wraps the provider's own error, so that several calls can have it as their source.
struct ProviderFailure(Arc<BoxError>);

impl fmt::Display for ProviderFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the token provider failed")
    }
}

impl fmt::Debug for ProviderFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProviderFailure")
    }
}

impl std::error::Error for ProviderFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&**self.0)
    }
}
