//! A search for nights, as a range of days.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use vitalwire::client::{BoxFuture, CallOptions};
use vitalwire::nights::{Gathered, Night as CoreNight, NightStream, Nights as Search};
use vitalwire::range::{DateRange, Progress, ResumeToken};
use vitalwire::table::{Table, TableId};
use vitalwire::value::Date;
use vitalwire::{Client as Core, Error};

use super::arguments::{Arguments, Settings, renamed};
use super::merged::{self, Pieces};
use super::range::{AsyncNights, Inner, Nights};
use super::source::{Object, Piece, Place, Report, Running, Source, carried, stopped};
use crate::caller::{Caller, Failure, Style};
use crate::errors;
use crate::generated::models::SleepRecord;
use crate::options::Options;

/// What is asked for, besides what every range takes.
pub(crate) struct Wanted {
    pub(crate) first: Date,
    pub(crate) last: Date,
    pub(crate) include_stages: Option<bool>,
    pub(crate) include_samples: Option<bool>,
    pub(crate) providers: Option<Vec<String>>,
    pub(crate) exclude_manual: Option<bool>,
}

/// A search of which nothing is asked yet. What cannot be searched is refused here.
pub(crate) fn nights(
    py: Python<'_>,
    caller: &Caller,
    wanted: Wanted,
    options: &Options<'_>,
    arguments: &Arguments<'_>,
) -> PyResult<Py<PyAny>> {
    let caller = caller.until(py, options.cancel.clone().unwrap_or_default()).with_tasks();
    let raise = |error| errors::raise(py, renamed(error));
    let days = DateRange::new(wanted.first, wanted.last).map_err(raise)?;
    let options = options.to_core().map_err(raise)?;
    let core = caller.core().map_err(raise)?;
    let (settings, reporting) = (arguments.settings(py)?, arguments.reporting()?);
    let on_error = settings.on_error;
    let source = Between { days, wanted, options, settings };
    drop(source.search(&core, None).stream().map_err(raise)?);
    let style = caller.style();
    let inner = Inner::new(caller, Arc::new(source), on_error, reporting);
    match style {
        Style::Sync => Ok(Py::new(py, Nights(inner))?.into_any()),
        Style::Async => Ok(Py::new(py, AsyncNights(inner))?.into_any()),
    }
}

struct Between {
    days: DateRange,
    wanted: Wanted,
    options: CallOptions,
    settings: Settings,
}

impl Between {
    fn search(&self, core: &Core, report: Option<Report>) -> Search {
        let Settings { concurrency, on_error, resume, resume_key, .. } = &self.settings;
        let mut search = core.sleeps().between(self.days).options(self.options.clone()).on_error(*on_error).spawned_within(carried);
        if let Some(include) = self.wanted.include_stages {
            search = search.include_stages(include);
        }
        if let Some(include) = self.wanted.include_samples {
            search = search.include_samples(include);
        }
        if let Some(providers) = &self.wanted.providers {
            search = search.providers(providers.iter().map(String::as_str));
        }
        if let Some(exclude) = self.wanted.exclude_manual {
            search = search.exclude_manual(exclude);
        }
        if let Some(calls) = concurrency {
            search = search.concurrency(*calls);
        }
        if let Some(token) = resume {
            search = search.resume(token);
        }
        if let Some(key) = resume_key {
            search = search.resume_key(key);
        }
        match report {
            // Nobody listens any more once the search was given up.
            Some(report) => search.on_progress(move |progress| report.send(progress).unwrap_or_default()),
            None => search,
        }
    }
}

/// A night, as it is handed out.
fn piece(night: CoreNight) -> Piece {
    let (record, meta) = night.response.into_parts();
    let object: Object = Box::new(move |py| super::record::<SleepRecord>(py, record, Some(Arc::new(meta))));
    Piece { place: Place::Night { days: night.days }, answer: Ok(object) }
}

/// A `Merged` of what was gathered.
fn merged<T: Send + 'static>(gathered: Gathered<T>, answer: fn(Python<'_>, T) -> PyResult<Py<PyAny>>) -> Object {
    let pieces = Pieces::of(gathered.days(), gathered.duplicates(), gathered.skipped(), gathered.resume_token());
    let (value, failures) = gathered.into_parts();
    merged::object(Box::new(move |py| answer(py, value)), pieces, failures)
}

fn listed(gathered: Gathered<Vec<CoreNight>>) -> Object {
    merged(gathered, |py, nights| {
        let nights = nights.into_iter().map(|night| piece(night).object(py)).collect::<PyResult<Vec<_>>>()?;
        Ok(PyTuple::new(py, nights)?.into_any().unbind())
    })
}

fn tabled(gathered: Gathered<Table>) -> Object {
    merged(gathered, merged::table)
}

impl Source for Between {
    fn operation(&self) -> &'static str {
        "get_sleep"
    }

    fn name(&self) -> &'static str {
        "sleeps_between"
    }

    fn parts(&self, core: &Core) -> Result<Box<dyn Running>, Error> {
        Ok(Box::new(Found(self.search(core, None).stream()?)))
    }

    fn collect(&self, core: &Core, report: Option<Report>) -> BoxFuture<'static, Result<Object, Failure>> {
        let search = self.search(core, report);
        Box::pin(async move { search.collect().await.map(listed).map_err(|error| stopped(error, listed)) })
    }

    fn table(&self, core: &Core, id: TableId, report: Option<Report>) -> BoxFuture<'static, Result<Object, Failure>> {
        let search = self.search(core, report);
        Box::pin(async move { search.table(id).await.map(tabled).map_err(|error| stopped(error, tabled)) })
    }
}

/// The days of a range.
fn each(range: DateRange) -> impl Iterator<Item = Date> {
    (0..range.days()).filter_map(move |day| range.first().plus_days(i32::try_from(day).ok()?))
}

/// Nights as they come.
struct Found(NightStream);

impl Running for Found {
    fn next(&mut self) -> BoxFuture<'_, Option<Piece>> {
        Box::pin(async move {
            Some(match self.0.next().await? {
                Ok(night) => piece(night),
                Err(failure) => {
                    let days = failure.range().into_iter().flat_map(each).collect();
                    Piece { place: Place::Night { days }, ..Piece::failed(failure) }
                }
            })
        })
    }

    fn progress(&self) -> Progress {
        self.0.progress()
    }

    fn left(&self) -> Option<ResumeToken> {
        self.0.resume_token()
    }
}
