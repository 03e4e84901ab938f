//! The settings of a client as Python gives them.

use std::cell::Cell;

use pyo3::{PyTraverseError, PyVisit};
use vitalwire::Error;
use vitalwire::client::ClientBuilder;

use crate::attempts;
use crate::generated::options::Settings;
use crate::runtime::Style;
use crate::token::Source;

/// What a client is made from.
pub(crate) enum Recipe {
    /// From arguments; waits before retries may be so many times as long, for tests that cannot wait.
    Settings(Box<Settings>, Option<f64>),
    /// From the environment as it is.
    Environment,
}

impl Recipe {
    /// From arguments, by a thread that may have a scale of its own.
    pub(crate) fn settings(settings: Settings) -> Self {
        Self::Settings(Box::new(settings), RETRY_DELAY_SCALE.get())
    }

    /// For the collector of cycles, by the one object that this belongs to.
    pub(crate) fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Self::Settings(settings, _) = self else { return Ok(()) };
        settings.sources().try_for_each(|source| match source {
            Source::Callable(callable) => visit.call(&**callable),
            Source::Text(_) => Ok(()),
        })?;
        settings.on_attempt.as_ref().map_or(Ok(()), |hook| visit.call(&*hook.0))
    }

    /// The core's builder, for a client whose calls are waited for in this way.
    pub(crate) fn builder(&self, style: Style) -> Result<ClientBuilder, Error> {
        let builder = match self {
            Self::Settings(settings, scale) => {
                let builder = settings.to_core(style)?;
                if let Some(scale) = scale { builder.retry_delay_scale(*scale) } else { builder }
            }
            Self::Environment => ClientBuilder::from_env()?,
        };
        let hook = if let Self::Settings(settings, _) = self { settings.on_attempt.as_ref() } else { None };
        Ok(attempts::tell(builder.ca_environment(true), hook))
    }
}

thread_local! {
    /// The scale of clients that this thread makes. It is no argument of theirs: users would read it in `help()`.
    static RETRY_DELAY_SCALE: Cell<Option<f64>> = const { Cell::new(None) };
}

/// Makes a client whose waits before retries are `scale` times as long.
pub(crate) fn scaled<T>(scale: f64, make: impl FnOnce() -> T) -> T {
    let before = RETRY_DELAY_SCALE.replace(Some(scale));
    let made = make();
    RETRY_DELAY_SCALE.set(before);
    made
}
