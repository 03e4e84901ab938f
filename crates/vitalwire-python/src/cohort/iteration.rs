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
use crate::table::Table;

/// Iteration over the items of a plan. Requests several items together if the same requests serve them.
#[pyclass(frozen, subclass, module = "vitalwire", name = "_PlanIteration")]
pub(crate) struct PlanIteration {
    plan: CorePlan,
    columns: Option<Vec<String>>,
    raises: bool,
    reader: Py<CohortReader>,
    listener: Py<PyAny>,
    /// Failures so far.
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

    /// Plan of the items that were not returned yet. Read it to continue, for example after Ctrl-C.
    #[getter]
    fn remaining(&self) -> Plan {
        Plan(self.plan.after(self.lock().done))
    }

    /// Arrow schema of the rows. The plan must have one table.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let tables = self.plan.tables();
        let [table] = &*tables else { return Err(super::invalid(py, "plan", "must have one table; use plan.only(tables=...)")) };
        py.import("vitalwire.cohort._columns")?.call_method1("rows_schema", (table.as_str(), self.columns.clone()))
    }

    /// Returns the failures as a `pyarrow.Table`.
    fn failures_table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("vitalwire.cohort._columns")?.call_method1("failures_table", (&self.failures,))
    }

    /// Writes the failures to a file of JSON lines. Removes the file of an earlier execution if there are none.
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

    /// Closes the progress display.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.listener.call_method0(py, "close").map(drop)
    }

    /// Begins to read the next item. Fails while another thread or task reads one.
    fn _begin(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_busy.swap(true, Ordering::AcqRel) {
            let reason = "another thread or task is reading the next item; give each its own reader";
            return Err(errors::raise(py, Error::configuration(reason)));
        }
        Ok(())
    }

    /// Ends what `_begin` has begun.
    fn _end(&self) {
        self.is_busy.store(false, Ordering::Release);
    }

    /// Fails if rows were already returned.
    fn _check_unread(&self, py: Python<'_>) -> PyResult<()> {
        match self.lock().done {
            0 => Ok(()),
            _ => Err(errors::raise(py, Error::configuration("the reader has already returned rows; create another one"))),
        }
    }

    /// Returns to the first item.
    fn _restart(&self, py: Python<'_>) -> PyResult<()> {
        *self.lock() = Position::default();
        self.failures.call_method0(py, "clear").map(drop)
    }

    /// Whether all items were returned. Closes the display then.
    fn _ended(&self, py: Python<'_>) -> PyResult<bool> {
        let has_ended = self.lock().done >= self.plan.items().len();
        if has_ended {
            self.close(py)?;
        }
        Ok(has_ended)
    }

    /// Whether the rows of the next item must be requested.
    fn _must_request(&self) -> bool {
        self.lock().ready.is_empty()
    }

    /// Reads the next items. Returns an awaitable with an async client.
    fn _request(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let done = self.lock().done;
        let count = self.plan.items_with_shared_requests(done);
        let items: Vec<_> = self.plan.items().iter().skip(done).take(count).cloned().collect();
        self.reader.get().read(py, &Plan(CorePlan::from(items)), self.columns.clone())
    }

    /// Stores the rows of the next items.
    fn _store(&self, rows: Vec<(Py<Table>, Vec<Failure>)>) {
        self.lock().ready = rows.into();
    }

    /// Returns the rows of the next item.
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
        position.done += 1;
        position.rows += table.get().row_count() as u64;
        let (done, total, rows) = (position.done as u64, self.plan.items().len() as u64, position.rows);
        // Python code must not run while the position is locked.
        drop(position);
        let all = self.failures.bind(py);
        for failure in failures {
            all.append(Py::new(py, failure)?)?;
        }
        self.listener.call1(py, (ExportProgress { done, total, rows, failures: all.len() as u64 },))?;
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
