//! Views of parts of a response, which keep the whole response alive.

use std::hash::DefaultHasher;
use std::sync::Arc;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use vitalwire::client::ResponseMetadata;
use vitalwire::operation::Provenance;
use vitalwire::value::ListMember;
use yoke::Yoke;
use yoke::erased::ErasedArcCart;

/// A part of a decoded response. Cloning and narrowing increment a reference count; the record is never copied.
pub(crate) struct View<T: ?Sized + 'static> {
    part: Yoke<&'static T, ErasedArcCart>,
    /// Response metadata. `None` if the record does not come from a response.
    provenance: Option<Arc<Provenance>>,
}

/// A Python class over a record of the core.
pub(crate) trait Record: PyClass + Into<PyClassInitializer<Self>> {
    /// Record type of the core, or the trait through which the class reads its record.
    type Core: ?Sized + Sync + 'static;

    /// Creates the Python object of a view.
    fn from_view(view: View<Self::Core>) -> Self;

    /// Hashes fields that are cheap to read.
    fn digest(core: &Self::Core, hasher: &mut DefaultHasher);

    /// Returns the `repr`: present fields and numbers of items, without values.
    fn shape(core: &Self::Core) -> String;

    /// Returns the HTML for notebooks, with values.
    fn card(core: &Self::Core) -> String;
}

/// Cache of a nested object, created on first read.
pub(crate) type Child<V> = PyOnceLock<Option<Py<V>>>;
/// Cache of a list, created on first read.
pub(crate) type Children = PyOnceLock<Option<Py<PyTuple>>>;

impl<T: Send + Sync + 'static> View<T> {
    /// Creates a view of a whole record.
    pub(crate) fn new(record: T, provenance: Option<Arc<Provenance>>) -> Self {
        Self::shared(Arc::new(record), provenance)
    }

    /// Creates a view of a shared record.
    pub(crate) fn shared(record: Arc<T>, provenance: Option<Arc<Provenance>>) -> Self {
        Self { part: Yoke::<&'static T, Arc<T>>::attach_to_cart(record, |record| record).erase_arc_cart(), provenance }
    }
}

impl<T: ?Sized + Sync + 'static> View<T> {
    /// Returns the part that this view shows.
    pub(crate) fn get(&self) -> &T {
        self.part.get()
    }

    /// Returns the response metadata.
    pub(crate) fn provenance(&self) -> Option<&Arc<Provenance>> {
        self.provenance.as_ref()
    }

    /// Replaces the response metadata.
    pub(crate) fn with_provenance(mut self, provenance: Arc<Provenance>) -> Self {
        self.provenance = Some(provenance);
        self
    }

    /// Returns a view of a part of this view, if the part is present.
    pub(crate) fn narrow<U: ?Sized + 'static>(&self, pick: impl for<'a> FnOnce(&'a T) -> Option<&'a U>) -> Option<View<U>> {
        let part = self.part.try_map_project_cloned(|record, _| pick(record).ok_or(())).ok()?;
        Some(View { part, provenance: self.provenance.clone() })
    }
}

/// Creates the Python object of a record.
///
/// Untracks the object from the garbage collector, which would otherwise traverse thousands of stages repeatedly. Records refer only to
/// their parts and to plain values, so they are never part of a cycle.
#[allow(unsafe_code, reason = "pyo3 has no setting for it")]
pub(crate) fn object<V: Record>(py: Python<'_>, view: View<V::Core>) -> PyResult<Py<V>> {
    let object = Py::new(py, V::from_view(view))?;
    // SAFETY: the object is alive and the interpreter is attached. Its deallocation untracks it again, which is allowed.
    unsafe { pyo3::ffi::PyObject_GC_UnTrack(object.as_ptr().cast()) };
    Ok(object)
}

/// Returns the cached nested object that `pick` selects.
pub(crate) fn child<T: ?Sized + Sync + 'static, V: Record>(
    py: Python<'_>,
    slot: &Child<V>,
    view: &View<T>,
    pick: fn(&T) -> Option<&V::Core>,
) -> PyResult<Option<Py<V>>> {
    let made = slot.get_or_try_init(py, || view.narrow(pick).map(|part| object::<V>(py, part)).transpose())?;
    Ok(made.as_ref().map(|object| object.clone_ref(py)))
}

/// Returns the cached tuple of a list of records.
pub(crate) fn children<T: ?Sized + Sync + 'static, V: Record>(
    py: Python<'_>,
    slot: &Children,
    view: &View<T>,
    pick: fn(&T) -> Option<&[V::Core]>,
) -> PyResult<Option<Py<PyTuple>>>
where
    V::Core: Sized,
{
    cached_tuple(py, slot, || {
        let Some(items) = pick(view.get()) else { return Ok(None) };
        let objects = (0..items.len()).filter_map(|at| view.narrow(|record| pick(record)?.get(at))).map(|item| object::<V>(py, item));
        tuple(py, objects).map(Some)
    })
}

/// Returns the cached tuple of a list of plain values.
pub(crate) fn values<'py, T, O: IntoPyObject<'py>>(
    py: Python<'py>,
    slot: &Children,
    items: Option<&[T]>,
    convert: impl Fn(&T) -> PyResult<O>,
) -> PyResult<Option<Py<PyTuple>>> {
    cached_tuple(py, slot, || items.map(|items| tuple(py, items.iter().map(&convert))).transpose())
}

/// Converts a response that is one record.
pub(crate) fn record<V: Record>(py: Python<'_>, record: V::Core, metadata: Arc<ResponseMetadata>) -> PyResult<Py<V>>
where
    V::Core: Sized + Send,
{
    object(py, View::new(record, Some(new_provenance(metadata))))
}

/// Returns the metadata of a response.
pub(crate) fn new_provenance(metadata: Arc<ResponseMetadata>) -> Arc<Provenance> {
    Arc::new(Arc::unwrap_or_clone(metadata).into())
}

/// Converts an empty response.
#[allow(clippy::unnecessary_wraps, reason = "as the others")]
pub(crate) fn none(py: Python<'_>, (): (), _: Arc<ResponseMetadata>) -> PyResult<Py<PyAny>> {
    Ok(py.None())
}

/// Returns the items of an optional list, or `None` if the list was absent or null.
pub(crate) fn list<T>(member: &ListMember<T>) -> Option<&[T]> {
    match member {
        ListMember::List(items) => Some(items),
        ListMember::Absent | ListMember::Null => None,
    }
}

fn cached_tuple(py: Python<'_>, slot: &Children, make: impl FnOnce() -> PyResult<Option<Py<PyTuple>>>) -> PyResult<Option<Py<PyTuple>>> {
    Ok(slot.get_or_try_init(py, make)?.as_ref().map(|items| items.clone_ref(py)))
}

/// Creates a tuple from fallible items.
pub(crate) fn tuple<'py, O: IntoPyObject<'py>>(py: Python<'py>, items: impl Iterator<Item = PyResult<O>>) -> PyResult<Py<PyTuple>> {
    Ok(PyTuple::new(py, items.collect::<PyResult<Vec<O>>>()?)?.unbind())
}
