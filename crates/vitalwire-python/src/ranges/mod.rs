//! Long ranges, asked for in parts: the methods `..._range` of resources give a [`Range`] or an [`AsyncRange`], and `sleeps.between` gives
//! [`Nights`] or [`AsyncNights`].

mod arguments;
mod merged;
mod night;
mod nights;
mod part;
mod progress;
mod range;
mod reader;
mod run;
mod source;
mod token;
mod turn;

use std::sync::Arc;

use pyo3::prelude::*;
use vitalwire::client::ResponseMeta;
use vitalwire::range::RangeOperation;

pub(crate) use arguments::Arguments;
pub(crate) use nights::{Wanted, nights};
use range::Inner;
pub(crate) use range::{AsyncNights, AsyncRange, Nights, Range};
use source::{AsMoment, Convert, Ranged};

use crate::caller::{Caller, Style};
use crate::errors;
use crate::options::Options;
use crate::records::Listed;
use crate::view::{self, Record, View};

/// Adds the classes to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Range>()?;
    module.add_class::<AsyncRange>()?;
    module.add_class::<Nights>()?;
    module.add_class::<AsyncNights>()?;
    module.add_class::<night::Night>()?;
    module.add_class::<reader::Parts>()?;
    module.add_class::<reader::AsyncParts>()?;
    module.add_class::<part::Part>()?;
    module.add_class::<merged::Merged>()?;
    module.add_class::<merged::MergedPart>()?;
    module.add_class::<progress::RangeProgress>()?;
    module.add_class::<token::ResumeToken>()
}

/// A call over a range, of which nothing is asked yet. What cannot be asked in parts is refused here.
pub(crate) fn range<O>(
    py: Python<'_>,
    caller: &Caller,
    parameters: O,
    options: &Options<'_>,
    arguments: &Arguments<'_>,
    convert: Convert<O::Output>,
) -> PyResult<Py<PyAny>>
where
    O: RangeOperation,
    <O::Range as vitalwire::range::Range>::Bound: AsMoment,
{
    let caller = caller.until(py, options.cancel.clone().unwrap_or_default()).with_tasks();
    let options = options.to_core().map_err(|error| errors::raise(py, error))?;
    let core = caller.core().map_err(|error| errors::raise(py, error))?;
    let (settings, reporting) = (arguments.settings(py)?, arguments.reporting()?);
    let on_error = settings.on_error;
    let source = Ranged { parameters, options, settings, convert };
    // Refuses what no part could be asked of; nothing is sent before the parts are read.
    drop(source.split(&core, None).stream().map_err(|error| errors::raise(py, arguments::renamed(error)))?);
    let style = caller.style();
    let inner = Inner::new(caller, Arc::new(source), on_error, reporting);
    match style {
        Style::Sync => Ok(Py::new(py, Range(inner))?.into_any()),
        Style::Async => Ok(Py::new(py, AsyncRange(inner))?.into_any()),
    }
}

/// An answer that is one record; a merged one came with no single answer.
pub(crate) fn record<V: Record>(py: Python<'_>, record: V::Core, answer: Option<Arc<ResponseMeta>>) -> PyResult<Py<PyAny>>
where
    V::Core: Sized + Send,
{
    Ok(view::object::<V>(py, View::of(record, answer))?.into_any())
}

/// An answer that is a list of records.
pub(crate) fn records<V: Listed>(py: Python<'_>, records: Vec<V::Core>, answer: Option<Arc<ResponseMeta>>) -> PyResult<Py<PyAny>>
where
    V::Core: Sized + Send,
{
    view::listed_of::<V>(py, records, answer).map(Into::into)
}
