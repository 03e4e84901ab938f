//! Creation of the core's clients from settings.

use std::cell::Cell;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::Error;
use vitalwire::client::ClientBuilder;

use crate::attempts;
use crate::generated::options::Settings;
use crate::runtime::CallMode;
use crate::token::Source;

/// Source of a client's settings.
pub(crate) enum SettingsSource {
    /// Arguments, and a factor for retry delays in tests.
    Settings(Box<Settings>, Option<f64>),
    /// Environment variables.
    Environment,
}

impl SettingsSource {
    /// Creates a source from arguments, with the retry delay scale of this thread.
    pub(crate) fn from_settings(settings: Settings) -> Self {
        Self::Settings(Box::new(settings), RETRY_DELAY_SCALE.get())
    }

    /// Visits the callables for the garbage collector.
    pub(crate) fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Self::Settings(settings, _) = self else { return Ok(()) };
        settings.sources().try_for_each(|source| match source {
            Source::Callable(callable) => visit.call(&**callable),
            Source::Text(_) => Ok(()),
        })?;
        settings.on_attempt.as_ref().map_or(Ok(()), |callback| visit.call(&*callback.0))
    }

    /// Returns the keyword arguments of a client with these settings. `None` if they are environment variables.
    pub(crate) fn to_keywords<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        match self {
            Self::Settings(settings, _) => settings.to_keywords(py).map(Some),
            Self::Environment => Ok(None),
        }
    }

    /// Returns the core's builder for a client with this call mode.
    pub(crate) fn builder(&self, mode: CallMode) -> Result<ClientBuilder, Error> {
        let builder = match self {
            Self::Settings(settings, scale) => {
                let builder = settings.to_core(mode)?;
                if let Some(scale) = scale { builder.retry_delay_scale(*scale) } else { builder }
            }
            Self::Environment => ClientBuilder::from_env()?,
        };
        let callback = if let Self::Settings(settings, _) = self { settings.on_attempt.as_ref() } else { None };
        Ok(attempts::add_listeners(builder.ca_environment(true), callback))
    }
}

thread_local! {
    /// Retry delay scale of clients created by this thread. Not an argument, which would appear in `help()`.
    static RETRY_DELAY_SCALE: Cell<Option<f64>> = const { Cell::new(None) };
}

/// Creates a client whose retry delays are multiplied by `scale`.
pub(crate) fn with_retry_delay_scale<T>(scale: f64, make: impl FnOnce() -> T) -> T {
    let before = RETRY_DELAY_SCALE.replace(Some(scale));
    let made = make();
    RETRY_DELAY_SCALE.set(before);
    made
}
