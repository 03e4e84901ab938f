//! Lists of records.

use std::fmt::Write as _;
use std::sync::Arc;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyDict, PyIterator, PySlice, PyTuple};
use vitalwire::client::ResponseMetadata as CoreMetadata;
use vitalwire::operation::Provenance;
use vitalwire::value::Model;

use crate::generated::docs;
use crate::response::ResponseMetadata;
use crate::table::{Source, Table, TableRequest, TableResponse, from_list, unserializable};
use crate::view::{Record, View};
use crate::{errors, json, view};

/// A record class that is returned in lists.
pub(crate) trait ListedRecord: Record<Core: Model> + PyClass<Frozen = True> + Sync {
    /// Name of the class.
    const NAME: &'static str;
    /// Tables of the records.
    const TABLES: &'static [Source];

    /// Returns the view of the record.
    fn view(&self) -> &View<Self::Core>;
}

/// Type-erased operations of a record class.
#[derive(Clone)]
pub(crate) struct RecordClass {
    name: &'static str,
    tables: &'static [Source],
    write: fn(&Bound<'_, PyTuple>) -> PyResult<Vec<Vec<u8>>>,
}

impl RecordClass {
    /// Returns the operations of a class.
    pub(crate) const fn new<V: ListedRecord>() -> Self {
        Self { name: <V as ListedRecord>::NAME, tables: V::TABLES, write: serialize_items::<V> }
    }
}

fn serialize_items<V: ListedRecord>(items: &Bound<'_, PyTuple>) -> PyResult<Vec<Vec<u8>>> {
    let raised = |error| errors::raise(items.py(), error);
    items.iter().map(|item| item.cast::<V>()?.get().view().get().to_json().map(String::into_bytes).map_err(raised)).collect()
}

/// Pickled state: the restoring function and its arguments.
type PickleParts<'py> = (Bound<'py, PyAny>, (&'static str, Py<PyTuple>));

#[doc = docs!(Records)]
#[pyclass(frozen, sequence, generic, module = "vitalwire")]
pub(crate) struct Records {
    items: Py<PyTuple>,
    class: RecordClass,
    provenance: Option<Arc<Provenance>>,
}

impl Records {
    /// Creates the list of a response.
    pub(crate) fn new<V: ListedRecord>(items: Py<PyTuple>, provenance: Option<Arc<Provenance>>) -> Self {
        Self { items, class: RecordClass::new::<V>(), provenance }
    }

    /// Restores a pickled list. Rejects items of other classes, which cannot be serialized.
    pub(crate) fn restore(items: Bound<'_, PyTuple>, class: RecordClass) -> PyResult<Self> {
        (class.write)(&items)?;
        Ok(Self { items: items.unbind(), class, provenance: None })
    }

    fn json(&self, py: Python<'_>) -> PyResult<Vec<Vec<u8>>> {
        (self.class.write)(self.items.bind(py))
    }
}

impl TableResponse for Records {
    fn create_table(&self, py: Python<'_>, request: TableRequest<'_>) -> PyResult<Table> {
        from_list(py, self.class.tables, request, &self.json(py)?, self.provenance.as_ref())
    }
}

crate::table::table_methods!(Records);

#[pymethods]
impl Records {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.items.bind(py).len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.items.bind(py).as_any().get_item(at)?;
        if !at.is_instance_of::<PySlice>() {
            return Ok(found);
        }
        let items = found.cast_into::<PyTuple>()?.unbind();
        Ok(Bound::new(py, Self { items, class: self.class.clone(), provenance: self.provenance.clone() })?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.items.bind(py).try_iter()
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.items.bind(py).as_any().get_item(PySlice::new(py, isize::MAX, isize::MIN, -1))?.try_iter()
    }

    fn __contains__(&self, py: Python<'_>, record: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.items.bind(py).as_any().contains(record)
    }

    #[doc = docs!(Records.count)]
    fn count(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.items.bind(py).call_method1("count", (value,))?.extract()
    }

    #[doc = docs!(Records.index)]
    #[pyo3(signature = (value, *bounds))]
    fn index(&self, py: Python<'_>, value: &Bound<'_, PyAny>, bounds: &Bound<'_, PyTuple>) -> PyResult<usize> {
        let mut arguments = vec![value.clone()];
        arguments.extend(bounds.iter());
        self.items.bind(py).call_method1("index", PyTuple::new(py, arguments)?)?.extract()
    }

    #[doc = docs!(Records.response)]
    #[getter]
    fn response(&self) -> Option<ResponseMetadata> {
        ResponseMetadata::from_provenance(self.provenance.as_ref())
    }

    #[doc = docs!(Records.to_dict)]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut text = String::from("[");
        for (place, record) in self.json(py)?.iter().enumerate() {
            let record = std::str::from_utf8(record).map_err(|_| errors::raise(py, unserializable()))?;
            let _ = write!(text, "{}{record}", if place == 0 { "" } else { "," });
        }
        json::record(py, &(text + "]"))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.class.name == other.class.name && self.items.bind(py).as_any().eq(other.items.bind(py))?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.items.bind(py).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<PickleParts<'py>> {
        let restore = py.import("vitalwire._native")?.getattr("_restore_records")?;
        Ok((restore, (self.class.name, self.items.clone_ref(py))))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyDict>) -> Py<Self> {
        slf
    }

    /// Shows the first table in a notebook.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.create_table(py, TableRequest::default())?._repr_html_(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Records({} x {})", self.items.bind(py).len(), self.class.name)
    }
}

/// Converts a response that is a list of records.
pub(crate) fn record_list<V: ListedRecord>(py: Python<'_>, records: Vec<V::Core>, metadata: Arc<CoreMetadata>) -> PyResult<Py<Records>>
where
    V::Core: Sized + Send,
{
    shared_record_list::<V>(py, Arc::new(records), Some(view::new_provenance(metadata)))
}

/// Creates a list of records, with its response metadata, if any.
pub(crate) fn shared_record_list<V: ListedRecord>(
    py: Python<'_>,
    records: Arc<Vec<V::Core>>,
    provenance: Option<Arc<Provenance>>,
) -> PyResult<Py<Records>>
where
    V::Core: Sized + Send,
{
    let count = records.len();
    let whole = View::shared(records, provenance.clone());
    let items = (0..count).filter_map(|at| whole.narrow(|records| records.get(at))).map(|item| view::object::<V>(py, item));
    Py::new(py, Records::new::<V>(view::tuple(py, items)?, provenance))
}
