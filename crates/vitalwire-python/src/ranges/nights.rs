//! Searches for nights, as ranges of days.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use vitalwire::nights::Night as CoreNight;
use vitalwire::range::DateRange;
use vitalwire::value::Date;

use super::ObjectFactory;
use super::arguments::{Arguments, rename_argument};
use super::inner::Inner;
use super::night::NightResult;
use super::range::{AsyncNightSearch, NightSearch};
use crate::caller::Caller;
use crate::errors;
use crate::generated::models::SleepRecord;
use crate::options::Options;
use crate::runtime::CallMode;
use crate::view::{self, View};

/// Arguments of a search, in addition to those of every range.
pub(crate) struct SearchArguments {
    pub(crate) first: Date,
    pub(crate) last: Date,
    pub(crate) include_stages: Option<bool>,
    pub(crate) include_samples: Option<bool>,
    pub(crate) providers: Option<Vec<String>>,
    pub(crate) exclude_manual: Option<bool>,
}

/// Creates a search without sending requests. Rejects invalid arguments.
pub(crate) fn search_nights(
    py: Python<'_>,
    caller: &Caller,
    search_arguments: SearchArguments,
    options: &Options<'_>,
    arguments: &Arguments<'_>,
) -> PyResult<Py<PyAny>> {
    let caller = caller.with_cancellation(py, options.cancel.clone().unwrap_or_default()).with_tasks();
    let raise = |error| errors::raise(py, rename_argument(error));
    let days = DateRange::new(search_arguments.first, search_arguments.last).map_err(raise)?;
    let options = options.to_core().map_err(raise)?;
    let core = caller.core();
    let ((_, settings), reporting) = (arguments.settings(py)?, arguments.reporting()?);
    let mut search = core.sleeps().between(days).options(options).with_settings(settings);
    if let Some(include) = search_arguments.include_stages {
        search = search.include_stages(include);
    }
    if let Some(include) = search_arguments.include_samples {
        search = search.include_samples(include);
    }
    if let Some(providers) = &search_arguments.providers {
        search = search.providers(providers.iter().map(String::as_str));
    }
    if let Some(exclude) = search_arguments.exclude_manual {
        search = search.exclude_manual(exclude);
    }
    let one = |record, provenance| -> ObjectFactory { Box::new(move |py| super::record::<SleepRecord>(py, record, Arc::new(provenance))) };
    let range = search.erased(one, |nights| Box::new(move |py| night_tuple(py, nights)));
    let mode = caller.mode();
    let inner = Inner::new(caller, &core, range, reporting).map_err(raise)?;
    match mode {
        CallMode::Sync => Ok(Py::new(py, NightSearch(inner))?.into_any()),
        CallMode::Async => Ok(Py::new(py, AsyncNightSearch(inner))?.into_any()),
    }
}

/// Converts nights to a tuple. The records of nights are views and not copied.
fn night_tuple(py: Python<'_>, nights: Arc<Vec<CoreNight>>) -> PyResult<Py<PyAny>> {
    let view_of_all = View::shared(Arc::clone(&nights), None);
    let night = |(at, night): (usize, &CoreNight)| {
        let provenance = Arc::new(night.response.metadata().clone().into());
        let record =
            view_of_all.narrow(|nights| nights.get(at).map(|night| &*night.response)).map(|record| record.with_provenance(provenance));
        let record = record.ok_or_else(|| errors::raise(py, vitalwire::Error::internal("a night is missing in the merged range")))?;
        Py::new(py, NightResult::new(py, &night.days, Ok(view::object::<SleepRecord>(py, record)?.into_any()))?)
    };
    let nights = nights.iter().enumerate().map(night).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, nights)?.into_any().unbind())
}
