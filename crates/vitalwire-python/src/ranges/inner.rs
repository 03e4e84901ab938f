//! The part of range calls and night searches that both clients share.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyString, PyTuple};
use vitalwire::range::{AnyParts, AnyRange};
use vitalwire::table::{Table as Core, TableId};
use vitalwire::{Client, Error};

use super::ObjectFactory;
use super::arguments::rename_argument;
use super::merged::MergedRange;
use super::progress::{Reporter, Reporting};
use super::run::{CollectTarget, ConvertMerged, run};
use crate::arguments::Texts;
use crate::caller::Caller;
use crate::errors;
use crate::hints;
use crate::runtime::CallMode;
use crate::table::Table;

/// A range call of either client.
pub(super) struct Inner {
    pub(super) caller: Caller,
    pub(super) range: AnyRange<ObjectFactory>,
    pub(super) reporting: Reporting,
    /// Columns of tables. Defaults to all.
    columns: Option<Arc<Texts>>,
}

impl Inner {
    /// Creates a range. Rejects invalid arguments. Sends nothing until the parts are read.
    pub(super) fn new(caller: Caller, core: &Client, range: AnyRange<ObjectFactory>, reporting: Reporting) -> Result<Self, Error> {
        drop(range.parts(core.engine())?);
        Ok(Self { caller, range, reporting, columns: None })
    }

    /// Starts the range. Returns the parts and the receiver of progress.
    pub(super) fn start(&self, py: Python<'_>) -> PyResult<(AnyParts<ObjectFactory>, Option<Reporter>)> {
        let parts = self.range.parts(self.caller.core().engine()).map_err(|error| errors::raise(py, rename_argument(error)))?;
        let reporter = self.reporting.start(py, self.range.name(), parts.progress().total)?;
        Ok((parts, reporter))
    }

    pub(super) fn collect(&self, py: Python<'_>, target: CollectTarget, then: ConvertMerged) -> PyResult<Py<PyAny>> {
        let (_, reporter) = self.start(py)?;
        run(py, &self.caller, self.range.clone(), target, reporter, then)
    }

    pub(super) fn collect_merged(&self, py: Python<'_>, target: CollectTarget) -> PyResult<Py<PyAny>> {
        self.collect(py, target, Box::new(|_, merged| Ok(merged)))
    }

    /// Returns the table with this name. Defaults to the first table of the response.
    pub(super) fn table_id(&self, py: Python<'_>, argument: &'static str, table: Option<&str>) -> PyResult<TableId> {
        let mut tables = TableId::of_operation(self.range.operation());
        let default = self.range.default_table();
        let found = match (table, default) {
            (Some(name), _) => tables.find(|id| id.spec().name() == name),
            (None, Some(default)) => tables.find(|id| id.spec() == default),
            (None, None) => tables.next(),
        };
        found.ok_or_else(|| {
            let error = errors::raise(py, Error::invalid_argument(argument, "the response has no table with this name"));
            let names: Vec<&str> = TableId::of_operation(self.range.operation()).map(TableId::as_str).collect();
            errors::with_note(py, error, &hints::unknown_table(table.unwrap_or_default(), &names))
        })
    }

    /// Returns the range with tables of only these columns, and with rows for days without a sleep if `missing` is `"row"`.
    pub(super) fn with_options(&self, py: Python<'_>, columns: Option<Texts>, missing: Option<&str>) -> PyResult<Self> {
        let range = match missing {
            None => Some(self.range.clone()),
            Some("row") => self.range.with_missing_rows(),
            Some(_) => None,
        };
        let range = range.ok_or_else(|| errors::raise(py, Error::invalid_argument("missing", "must be None or 'row'")))?;
        let range = match &columns {
            Some(columns) => range.with_columns(columns.0.as_slice().into()),
            None => range,
        };
        Ok(Self { caller: self.caller.share(py), range, reporting: self.reporting.share(py), columns: columns.map(Arc::new) })
    }

    /// Requests the user's time zone. Returns a coroutine for an async client.
    pub(super) fn time_zone(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let work = |core: Client| async move { Ok(core.user().properties().await?) };
        self.caller.run(py, work, |py, response| {
            let zone = response.properties.as_ref().and_then(|properties| properties.timezone.as_ref());
            let missing = || Error::invalid_argument("tz", "must be a time zone, because the user has none in the service");
            let zone = zone.ok_or_else(|| errors::raise(py, missing()))?;
            Ok(PyString::new(py, zone).into_any().unbind())
        })
    }

    /// Calls a method of the merged table with the user's time zone.
    fn call_in_time_zone(
        &self,
        py: Python<'_>,
        table: Option<&str>,
        method: &'static str,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Py<PyAny>> {
        let range = self.range.clone();
        let own = Self { caller: self.caller.share(py), range, reporting: self.reporting.share(py), columns: self.columns.clone() };
        let (table, settings) = (table.map(str::to_owned), settings.clone().unbind());
        let start = PyCFunction::new_closure(py, None, None, move |zone: &Bound<'_, PyTuple>, _| {
            let settings = settings.bind(zone.py()).copy()?;
            settings.set_item("tz", zone.get_item(0)?)?;
            own.call_table_method(zone.py(), table.as_deref(), method, &settings)
        })?;
        let zone = self.time_zone(py)?;
        match self.caller.mode() {
            CallMode::Sync => start.call1((zone,)).map(Bound::unbind),
            CallMode::Async => Ok(py.import("vitalwire._progress")?.call_method1("chain", (zone, start))?.unbind()),
        }
    }

    /// Returns the target for a table, and an empty table. Rejects unknown names of tables and columns before any request is sent.
    pub(super) fn table_target(&self, py: Python<'_>, argument: &'static str, table: Option<&str>) -> PyResult<(CollectTarget, Table)> {
        let id = self.table_id(py, argument, table)?;
        let empty = Table::new(Core::empty(id)).only_columns(py, self.columns.as_deref())?;
        Ok((CollectTarget::Table(id, self.columns.clone()), empty))
    }

    pub(super) fn table(&self, py: Python<'_>, argument: &'static str, table: Option<&str>) -> PyResult<Py<PyAny>> {
        let (target, _) = self.table_target(py, argument, table)?;
        self.collect(py, target, Box::new(create_merged_table))
    }

    /// Calls a method of the merged table.
    pub(super) fn call_table_method(
        &self,
        py: Python<'_>,
        table: Option<&str>,
        method: &'static str,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Py<PyAny>> {
        let (target, empty) = self.table_target(py, "table", table)?;
        // Detects invalid arguments and missing packages with an empty table, before any request is sent.
        let trial = settings.copy()?;
        let is_of_user = trial.get_item("tz")?.is_some_and(|zone| zone.extract::<&str>().is_ok_and(|name| name == "user"));
        if is_of_user {
            trial.set_item("tz", "UTC")?;
        }
        if let Some(path) = trial.get_item("path")? {
            trial.set_item("path", py.import("vitalwire._frames")?.call_method1("trial_file", (path,))?)?;
        }
        Bound::new(py, empty)?.call_method(method, (), Some(&trial))?;
        if is_of_user {
            return self.call_in_time_zone(py, table, method, settings);
        }
        let settings = settings.clone().unbind();
        let then = move |py: Python<'_>, merged| create_merged_table(py, merged)?.call_method(py, method, (), Some(settings.bind(py)));
        self.collect(py, target, Box::new(then))
    }

    pub(super) fn visit(&self, visit: &pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        self.caller.visit(visit)?;
        match &self.reporting {
            Reporting::Callback(function) => visit.call(function),
            Reporting::Shown | Reporting::Silent => Ok(()),
        }
    }
}

/// Returns the table of a `MergedRange`. Emits a warning if parts are missing.
fn create_merged_table(py: Python<'_>, merged: Py<PyAny>) -> PyResult<Py<PyAny>> {
    let merged = merged.bind(py).cast::<MergedRange>()?.get();
    merged.warn_failed(py)?;
    Ok(merged.response.clone_ref(py))
}
