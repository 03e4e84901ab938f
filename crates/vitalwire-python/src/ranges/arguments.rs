//! Arguments of range calls, in addition to those of the operation.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDelta, PyDeltaAccess, PyString};
use vitalwire::Error;
use vitalwire::range::{OnError, PartLength, RangeSettings, ResumeToken as Token};

use super::progress::Reporting;
use super::run_in_pending_call;
use super::token::ResumeToken;
use crate::arguments;
pub(crate) use crate::generated::options::Arguments;
use crate::{convert, errors};

const SECONDS_PER_HOUR: i32 = 3600;

impl Arguments<'_> {
    /// Returns the length of a part and the core's options.
    pub(super) fn settings(&self, py: Python<'_>) -> PyResult<(Option<PartLength>, RangeSettings)> {
        let raise = |error| errors::raise(py, error);
        let mut settings = RangeSettings { spawned: Some(Arc::new(run_in_pending_call)), ..RangeSettings::default() };
        if let Some(count) = &self.concurrency {
            settings.concurrency = convert::to_count("concurrency", count.0).map_err(raise)?;
        }
        settings.on_error = match self.on_error {
            "stop" => OnError::Stop,
            "collect" => OnError::Collect,
            _ => return Err(raise(Error::invalid_argument("on_error", "must be 'stop' or 'collect'"))),
        };
        settings.resume = self.resume.as_ref().map(to_token).transpose()?;
        settings.resume_key = self.resume_key.map(str::to_owned);
        Ok((self.part_length.as_ref().map(to_part_length).transpose()?, settings))
    }

    pub(super) fn reporting(&self) -> PyResult<Reporting> {
        let Some(progress) = &self.progress else { return Ok(Reporting::Silent) };
        if let Ok(is_shown) = progress.cast::<PyBool>() {
            return Ok(if is_shown.is_true() { Reporting::Shown } else { Reporting::Silent });
        }
        if progress.is_callable() {
            return Ok(Reporting::Callback(progress.clone().unbind()));
        }
        Err(PyTypeError::new_err("argument 'progress': must be True, False or a callable"))
    }
}

/// Renames the argument in an error of the core to Python's keyword.
pub(super) fn rename_argument(error: Error) -> Error {
    match error.argument() {
        Some("days") => error.with_argument("last"),
        Some("missing_rows") => error.with_argument("missing"),
        Some("resume_token") => error.with_argument("resume"),
        _ => error,
    }
}

fn to_part_length(part_length: &Bound<'_, PyAny>) -> PyResult<PartLength> {
    let raise = |error| errors::raise(part_length.py(), rename_argument(error));
    if part_length.is_instance_of::<PyString>() {
        return arguments::extract::<&str>(part_length, "part_length")?.parse().map_err(raise);
    }
    crate::datetime_module::import(part_length.py())?;
    let Ok(delta) = part_length.cast::<PyDelta>() else {
        return Err(PyTypeError::new_err("argument 'part_length': must be a timedelta or a text such as '30d'"));
    };
    let (days, seconds) = (delta.get_days(), delta.get_seconds());
    let whole = delta.get_microseconds() == 0 && seconds % SECONDS_PER_HOUR == 0;
    let part_length = || {
        let days = u32::try_from(days).ok().filter(|_| whole)?;
        match u32::try_from(seconds / SECONDS_PER_HOUR).ok()? {
            0 => Some(PartLength::Days(days)),
            hours => Some(PartLength::Hours(days.checked_mul(24)?.checked_add(hours)?)),
        }
    };
    part_length().ok_or_else(|| raise(Error::invalid_argument("part_length", "must be a whole number of hours")))
}

fn to_token(resume: &Bound<'_, PyAny>) -> PyResult<Token> {
    if let Ok(token) = resume.cast::<ResumeToken>() {
        return Ok(token.get().0.clone());
    }
    if !resume.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("argument 'resume': must be a ResumeToken or its text"));
    }
    arguments::extract::<&str>(resume, "resume")?.parse().map_err(|error| errors::raise(resume.py(), rename_argument(error)))
}
