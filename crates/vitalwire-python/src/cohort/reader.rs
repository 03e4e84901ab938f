//! Readers of work items.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::Error;
use vitalwire::cohort::{CohortReader, PseudonymKey, USER};

use super::people::People;
use super::plan;
use crate::caller::Caller;
use crate::client::{AsyncClient, Client};
use crate::errors;
use crate::table::Table;

/// Reads the work items of a cohort with the settings of a client. Calls block or return coroutines, as those of the client.
#[pyclass(frozen, module = "vitalwire", name = "_CohortReader")]
pub(crate) struct Reader {
    pub(super) caller: Caller,
    pub(super) core: CohortReader,
}

#[pymethods]
impl Reader {
    #[new]
    #[pyo3(signature = (client, people, per_second, in_flight, pseudonym_key_file))]
    fn new(
        py: Python<'_>,
        client: &Bound<'_, PyAny>,
        people: &Bound<'_, People>,
        per_second: Option<f64>,
        in_flight: usize,
        pseudonym_key_file: Option<PathBuf>,
    ) -> PyResult<Self> {
        let caller = match (client.cast::<Client>(), client.cast::<AsyncClient>()) {
            (Ok(client), _) => &client.get().caller,
            (_, Ok(client)) => &client.get().caller,
            _ => return Err(PyTypeError::new_err("argument 'client': must be a Client or an AsyncClient")),
        };
        let people = people.get().0.clone();
        let create = || -> Result<CohortReader, Error> {
            let core = CohortReader::new(caller.builder()?, people, plan::create_budget(per_second, in_flight)?)?;
            let key = pseudonym_key_file.map(PseudonymKey::from_file).transpose();
            let key = key.map_err(|error| error.with_argument("pseudonym_key_file"))?;
            Ok(match key {
                Some(key) => core.with_pseudonyms(key),
                None => core,
            })
        };
        let core = create().map_err(|error| errors::raise(py, error))?;
        Ok(Self { caller: caller.share(py).with_tasks(), core })
    }

    /// Reads an item. Returns its table with these columns, and its failures as a JSON list; a coroutine of them with an async client.
    fn read(&self, py: Python<'_>, item: &str, columns: Vec<String>) -> PyResult<Py<PyAny>> {
        let (item, reader) = (plan::parse_item(item)?, self.core.clone());
        let work = async move {
            let read = reader.read_all(&item).await?;
            let mut table = item.table.empty()?.with_key(USER, "")?;
            table.append(read.table)?;
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            let failures = serde_json::to_string(&read.failures).map_err(|_| Error::internal("failures cannot be serialized"))?;
            Ok((table.only_columns(&columns)?, failures))
        };
        self.caller.run(py, |_| work, |py, (table, failures)| Ok((Table::new(table), failures).into_pyobject(py)?.into_any().unbind()))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.caller.visit(&visit)
    }
}
