//! Iteration over the items of a plan. `vitalwire.cohort` derives a blocking and an asynchronous iterator.

use std::collections::VecDeque;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::{Error, private_files};
use vitalwire_cohort::Plan as CorePlan;

use super::arguments;
use super::credentials::UserCredentials;
use super::failure::Failure;
use super::plan::{Plan, WorkItem};
use super::rate_limits::RateLimits;
use super::reader::CohortReader;
use super::summary::ExportProgress;
use crate::errors;
use crate::generated::docs;
use crate::table::Table;

#[doc = docs!(_PlanIteration)]
#[pyclass(frozen, subclass, module = "vitalwire", name = "_PlanIteration")]
pub(crate) struct PlanIteration {
    plan: CorePlan,
    columns: Option<Vec<String>>,
    raises: bool,
    reader: Py<CohortReader>,
    listener: Py<PyAny>,
    #[doc = docs!(_PlanIteration.failures)]
    #[pyo3(get)]
    failures: Py<PyList>,
    position: Mutex<Position>,
    /// Whether a thread or task is reading the next item.
    is_busy: AtomicBool,
}

#[derive(Default)]
struct Position {
    /// Number of items that were returned.
    done: usize,
    rows: u64,
    /// Rows and failures of the next items, which the requests of an earlier item have served.
    ready: VecDeque<(Py<Table>, Vec<Failure>)>,
}

#[pymethods]
impl PlanIteration {
    #[new]
    #[pyo3(signature = (plan, client, credentials, *, columns, rate_limits, on_error, progress, pseudonym_key_file, keep_places_and_text))]
    #[allow(clippy::too_many_arguments, reason = "called by `vitalwire.cohort` only")]
    fn new(
        py: Python<'_>,
        plan: &Bound<'_, PyAny>,
        client: &Bound<'_, PyAny>,
        credentials: &UserCredentials,
        columns: Option<&Bound<'_, PyAny>>,
        rate_limits: Option<RateLimits>,
        on_error: &str,
        progress: &Bound<'_, PyAny>,
        pseudonym_key_file: Option<PathBuf>,
        keep_places_and_text: bool,
    ) -> PyResult<Self> {
        if !matches!(on_error, "collect" | "raise") {
            return Err(errors::raise(py, Error::invalid_argument("on_error", "must be 'collect' or 'raise'")));
        }
        let plan = match plan.cast::<WorkItem>() {
            Ok(item) => CorePlan::from(vec![item.get().0.clone()]),
            Err(_) => crate::arguments::extract::<Plan>(plan, "plan")?.0,
        };
        Ok(Self {
            plan,
            columns: columns.map(|columns| arguments::texts("columns", columns)).transpose()?,
            raises: on_error == "raise",
            reader: Py::new(py, CohortReader::new(py, client, credentials, rate_limits, pseudonym_key_file, keep_places_and_text)?)?,
            listener: super::listener(progress, "cohort", "part")?.unbind(),
            failures: PyList::empty(py).unbind(),
            position: Mutex::default(),
            is_busy: AtomicBool::new(false),
        })
    }

    #[doc = docs!(_PlanIteration.remaining)]
    #[getter]
    fn remaining(&self) -> Plan {
        Plan(self.plan.after(self.lock().done))
    }

    #[doc = docs!(_PlanIteration.schema)]
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let tables = self.plan.tables();
        let [table] = &*tables else { return Err(super::invalid(py, "plan", "must have one table; use plan.only(tables=...)")) };
        py.import("vitalwire.cohort._columns")?.call_method1("rows_schema", (table.as_str(), self.columns.clone()))
    }

    #[doc = docs!(_PlanIteration.failures_table)]
    fn failures_table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("vitalwire.cohort._columns")?.call_method1("failures_table", (&self.failures,))
    }

    #[doc = docs!(_PlanIteration._write_failures)]
    fn _write_failures(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let failures: Vec<Failure> = self.failures.extract(py)?;
        if failures.is_empty() {
            return match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
                _ => Ok(()),
            };
        }
        let lines = failures.iter().map(|failure| serde_json::to_string(&failure.0).map(|line| line + "\n"));
        let text: Result<String, _> = lines.collect();
        let text = text.map_err(|_| errors::raise(py, Error::internal("a failure cannot be serialized")))?;
        private_files::create_folder(path.parent().unwrap_or(&path))?;
        // A reader of the folder must not find a part of the file.
        let temporary = path.with_extension("tmp");
        let mut file = private_files::create_options().write(true).truncate(true).open(&temporary)?;
        file.write_all(text.as_bytes())?;
        #[cfg(unix)]
        if let Ok(earlier) = path.metadata() {
            private_files::Access::from(&earlier).apply(&file)?;
        }
        Ok(std::fs::rename(temporary, path)?)
    }

    #[doc = docs!(_PlanIteration.close)]
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.listener.call_method0(py, "close").map(drop)
    }

    #[doc = docs!(_PlanIteration._begin)]
    fn _begin(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_busy.swap(true, Ordering::AcqRel) {
            let reason = "another thread or task is reading the next item; give each its own reader";
            return Err(errors::raise(py, Error::configuration(reason)));
        }
        Ok(())
    }

    #[doc = docs!(_PlanIteration._end)]
    fn _end(&self) {
        self.is_busy.store(false, Ordering::Release);
    }

    #[doc = docs!(_PlanIteration._check_unread)]
    fn _check_unread(&self, py: Python<'_>) -> PyResult<()> {
        match self.lock().done {
            0 => Ok(()),
            _ => Err(errors::raise(py, Error::configuration("the reader has already returned rows; create another one"))),
        }
    }

    #[doc = docs!(_PlanIteration._restart)]
    fn _restart(&self, py: Python<'_>) -> PyResult<()> {
        *self.lock() = Position::default();
        self.failures.call_method0(py, "clear").map(drop)
    }

    #[doc = docs!(_PlanIteration._ended)]
    fn _ended(&self, py: Python<'_>) -> PyResult<bool> {
        let has_ended = self.lock().done >= self.plan.items().len();
        if has_ended {
            self.close(py)?;
        }
        Ok(has_ended)
    }

    #[doc = docs!(_PlanIteration._must_request)]
    fn _must_request(&self) -> bool {
        self.lock().ready.is_empty()
    }

    #[doc = docs!(_PlanIteration._request)]
    fn _request(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let done = self.lock().done;
        let count = self.plan.items_with_shared_requests(done);
        let items: Vec<_> = self.plan.items().iter().skip(done).take(count).cloned().collect();
        self.reader.get().read(py, &Plan(CorePlan::from(items)), self.columns.clone())
    }

    #[doc = docs!(_PlanIteration._store)]
    fn _store(&self, rows: Vec<(Py<Table>, Vec<Failure>)>) {
        self.lock().ready = rows.into();
    }

    #[doc = docs!(_PlanIteration._take)]
    fn _take(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        let mut position = self.lock();
        let Some((table, failures)) = position.ready.pop_front() else {
            return Err(errors::raise(py, Error::internal("an item has no rows")));
        };
        if let Some(failure) = failures.first().filter(|_| self.raises) {
            position.ready.clear();
            drop(position);
            self.close(py)?;
            return Err(failure.to_error(py));
        }
        let (done, rows) = (position.done + 1, position.rows + table.get().row_count() as u64);
        // Python code must not run while the position is locked.
        drop(position);
        let all = self.failures.bind(py);
        let (total, failed) = (self.plan.items().len() as u64, (all.len() + failures.len()) as u64);
        if let Err(raised) = self.listener.call1(py, (ExportProgress { done: done as u64, total, rows, failures: failed },)) {
            // The item was not returned. The next read returns it without a request.
            self.lock().ready.push_front((table, failures));
            return Err(raised);
        }
        for failure in failures {
            all.append(Py::new(py, failure)?)?;
        }
        let mut position = self.lock();
        (position.done, position.rows) = (done, rows);
        drop(position);
        Ok(table)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.reader)?;
        visit.call(&self.listener)?;
        visit.call(&self.failures)
    }
}

impl PlanIteration {
    fn lock(&self) -> MutexGuard<'_, Position> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
