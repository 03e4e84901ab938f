//! A call over a range, with the types of its operation put away: Python's classes are the same for all.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tokio::sync::mpsc::UnboundedSender;
use vitalwire::client::{BoxFuture, CallOptions, ResponseMeta};
use vitalwire::range::{PartFailure, Parts, Progress, Range, RangeOperation, ResumeToken, Split, SplitError};
use vitalwire::table::TableId;
use vitalwire::value::{Date, Timestamp};
use vitalwire::{Client as Core, Error};

use super::arguments::Settings;
use super::merged::{self, Pieces};
use super::night::Night;
use super::part::{Part, PartError};
use crate::caller::Failure;
use crate::convert;
use crate::event_loop::Flight;

/// A Python object that is yet to be made.
pub(super) type Object = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// Makes the Python object of an answer.
pub(super) type Convert<T> = fn(Python<'_>, T, Option<Arc<ResponseMeta>>) -> PyResult<Py<PyAny>>;

/// Where progress is told.
pub(super) type Report = UnboundedSender<Progress>;

/// A bound of any range.
#[derive(Clone, Copy)]
pub(crate) enum Moment {
    Date(Date),
    Instant(Timestamp),
}

/// A bound of some range.
pub(crate) trait AsMoment: Copy {
    /// As that of any.
    fn moment(self) -> Moment;
}

impl AsMoment for Date {
    fn moment(self) -> Moment {
        Moment::Date(self)
    }
}

impl AsMoment for Timestamp {
    fn moment(self) -> Moment {
        Moment::Instant(self)
    }
}

/// Two bounds, as Python has them.
pub(super) fn bounds(py: Python<'_>, range: [Moment; 2]) -> PyResult<Bound<'_, PyTuple>> {
    let object = |moment| match moment {
        Moment::Date(date) => convert::date(py, date).map(Bound::into_any),
        Moment::Instant(instant) => convert::datetime(py, instant).map(Bound::into_any),
    };
    let [from, to] = range;
    PyTuple::new(py, [object(from)?, object(to)?])
}

/// A range's bounds.
pub(super) fn moments<R: Range<Bound: AsMoment>>(range: R) -> [Moment; 2] {
    range.bounds().map(AsMoment::moment)
}

/// A call over a range.
pub(super) trait Source: Send + Sync {
    /// The id of the operation whose answers hold its tables.
    fn operation(&self) -> &'static str;

    /// What it is called where it is shown.
    fn name(&self) -> &'static str {
        self.operation()
    }

    /// Its parts as they come. Nothing is asked yet.
    fn parts(&self, core: &Core) -> Result<Box<dyn Running>, Error>;

    /// Its parts as one answer: a `Merged`.
    fn collect(&self, core: &Core, report: Option<Report>) -> BoxFuture<'static, Result<Object, Failure>>;

    /// Its parts as one table: a `Merged` over that.
    fn table(&self, core: &Core, id: TableId, report: Option<Report>) -> BoxFuture<'static, Result<Object, Failure>>;
}

/// The parts of a call.
pub(super) trait Running: Send {
    /// The next one; `None` after the last.
    fn next(&mut self) -> BoxFuture<'_, Option<Piece>>;

    /// How far it is.
    fn progress(&self) -> Progress;

    /// A token for what was not handed out yet.
    fn left(&self) -> Option<ResumeToken>;
}

/// What is handed out.
pub(super) struct Piece {
    pub(super) place: Place,
    /// Its answer, or why there is none.
    pub(super) answer: Result<Object, PartError>,
}

/// Where it is in the range.
pub(super) enum Place {
    /// It is a part, of which so many items were left out.
    Part { index: u32, range: Option<[Moment; 2]>, duplicates: usize },
    /// It is a night of these days.
    Night { days: Vec<Date> },
}

impl Piece {
    /// A part that failed.
    pub(super) fn failed<O: RangeOperation<Range: Range<Bound: AsMoment>>>(failure: PartFailure<O>) -> Self {
        let (index, range, left) = (failure.index(), failure.range().map(moments), failure.resume_token().cloned());
        Self { place: Place::Part { index, range, duplicates: 0 }, answer: Err(PartError { error: failure.into(), left, so_far: None }) }
    }

    /// A `Part` or a `Night`.
    pub(super) fn object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let answer = match self.answer {
            Ok(answer) => Ok(answer(py)?),
            Err(error) => Err(error.exception(py)?.into_value(py).into_any()),
        };
        match self.place {
            Place::Part { index, range, duplicates } => Ok(Py::new(py, Part::of(py, index, range, duplicates, answer)?)?.into_any()),
            Place::Night { days } => Ok(Py::new(py, Night::of(py, &days, answer)?)?.into_any()),
        }
    }
}

/// A call of one operation.
pub(super) struct Ranged<O: RangeOperation> {
    pub(super) parameters: O,
    pub(super) options: CallOptions,
    pub(super) settings: Settings,
    pub(super) convert: Convert<O::Output>,
}

impl<O: RangeOperation> Ranged<O> {
    pub(super) fn split(&self, core: &Core, report: Option<Report>) -> Split<O> {
        let Settings { span, concurrency, on_error, resume, resume_key } = &self.settings;
        let call = core.call(self.parameters.clone()).options(self.options.clone());
        let mut split = call.split(*span).on_error(*on_error).spawned_within(carried);
        if let Some(parts) = concurrency {
            split = split.concurrency(*parts);
        }
        if let Some(token) = resume {
            split = split.resume(token);
        }
        if let Some(key) = resume_key {
            split = split.resume_key(key);
        }
        match report {
            // Nobody listens any more once the range was given up.
            Some(report) => split.on_progress(move |progress| report.send(progress).unwrap_or_default()),
            None => split,
        }
    }
}

/// A task of its own: a reader in Python may take any time, and timeouts go on. Callables for tokens are awaited in the loop of whoever
/// reads.
pub(super) fn carried(part: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
    match Flight::current() {
        Some(flight) => Box::pin(async move { flight.carry(part).await.unwrap_or_default() }),
        None => part,
    }
}

impl<O: RangeOperation> Source for Ranged<O>
where
    <O::Range as Range>::Bound: AsMoment,
{
    fn operation(&self) -> &'static str {
        O::META.id
    }

    fn parts(&self, core: &Core) -> Result<Box<dyn Running>, Error> {
        Ok(Box::new(Typed::<O> { parts: self.split(core, None).stream()?, convert: self.convert }))
    }

    fn collect(&self, core: &Core, report: Option<Report>) -> BoxFuture<'static, Result<Object, Failure>> {
        let (split, convert) = (self.split(core, report), self.convert);
        let object = move |merged: vitalwire::range::Merged<O>| {
            let pieces = Pieces::of(merged.parts(), merged.duplicates(), 0, merged.resume_token());
            let (value, failures) = merged.into_parts();
            merged::object(Box::new(move |py| convert(py, value, None)), pieces, failures)
        };
        Box::pin(async move { split.collect().await.map(object).map_err(|error| stopped(error, object)) })
    }

    fn table(&self, core: &Core, id: TableId, report: Option<Report>) -> BoxFuture<'static, Result<Object, Failure>> {
        let (split, asked) = (self.split(core, report), self.parameters.columns());
        let object = move |merged: vitalwire::range::MergedTable<O>| {
            let pieces = Pieces::of(merged.parts(), merged.duplicates(), 0, merged.resume_token());
            let (table, failures) = merged.into_parts();
            let table = table.with_columns(&asked);
            merged::object(Box::new(move |py| merged::table(py, table)), pieces, failures)
        };
        Box::pin(async move { split.table(id).await.map(&object).map_err(|error| stopped(error, &object)) })
    }
}

/// What is raised of a range that ended early.
pub(super) fn stopped<O: RangeOperation, T>(error: SplitError<O, T>, object: impl Fn(T) -> Object) -> Failure {
    let left = error.resume_token().cloned();
    let (so_far, error) = error.into_parts();
    Failure::own(PartError { error, left, so_far: so_far.map(object) })
}

struct Typed<O: RangeOperation> {
    parts: Parts<O>,
    convert: Convert<O::Output>,
}

impl<O: RangeOperation> Running for Typed<O>
where
    <O::Range as Range>::Bound: AsMoment,
{
    fn next(&mut self) -> BoxFuture<'_, Option<Piece>> {
        let convert = self.convert;
        Box::pin(async move {
            Some(match self.parts.next().await? {
                Ok(part) => {
                    let (value, meta) = part.response.into_parts();
                    let object: Object = Box::new(move |py| convert(py, value, Some(Arc::new(meta))));
                    let place = Place::Part { index: part.index, range: part.range.map(moments), duplicates: part.duplicates };
                    Piece { place, answer: Ok(object) }
                }
                Err(failure) => Piece::failed(failure),
            })
        })
    }

    fn progress(&self) -> Progress {
        self.parts.progress()
    }

    fn left(&self) -> Option<ResumeToken> {
        self.parts.resume_token()
    }
}
