//! Views: a part of an answer, together with the answer that keeps it alive.

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

/// A part of a decoded answer. Cloning and narrowing it counts a reference; the record itself is never copied.
pub(crate) struct View<T: ?Sized + 'static> {
    part: Yoke<&'static T, ErasedArcCart>,
    /// What is known of the answer; `None` where the record came from elsewhere.
    answer: Option<Arc<Provenance>>,
}

/// A Python class that shows a core record.
pub(crate) trait Record: PyClass + Into<PyClassInitializer<Self>> {
    /// The core's record, or the trait by which it is read.
    type Core: ?Sized + Sync + 'static;

    /// The class over a view of a record.
    fn over(view: View<Self::Core>) -> Self;

    /// Adds to a hash what is the same in equal records and cheap to read.
    fn digest(core: &Self::Core, hasher: &mut DefaultHasher);

    /// Which members are there and how many items they have, without a value.
    fn shape(core: &Self::Core) -> String;

    /// What a notebook shows of it, with values.
    fn card(core: &Self::Core) -> String;
}

/// A child object, made when it is first read.
pub(crate) type Child<V> = PyOnceLock<Option<Py<V>>>;
/// A list member, made when it is first read.
pub(crate) type Children = PyOnceLock<Option<Py<PyTuple>>>;

impl<T: Send + Sync + 'static> View<T> {
    /// A view of a whole record.
    pub(crate) fn of(record: T, answer: Option<Arc<Provenance>>) -> Self {
        Self::shared(Arc::new(record), answer)
    }

    /// A view of a whole record that others have too.
    pub(crate) fn shared(record: Arc<T>, answer: Option<Arc<Provenance>>) -> Self {
        Self { part: Yoke::<&'static T, Arc<T>>::attach_to_cart(record, |record| record).erase_arc_cart(), answer }
    }
}

impl<T: ?Sized + Sync + 'static> View<T> {
    /// The part.
    pub(crate) fn get(&self) -> &T {
        self.part.get()
    }

    /// What is known of the answer.
    pub(crate) fn answer(&self) -> Option<&Arc<Provenance>> {
        self.answer.as_ref()
    }

    /// The same, which came with an answer of its own.
    pub(crate) fn answered(mut self, answer: Arc<Provenance>) -> Self {
        self.answer = Some(answer);
        self
    }

    /// A smaller part, if it is there.
    pub(crate) fn narrow<U: ?Sized + 'static>(&self, pick: impl for<'a> FnOnce(&'a T) -> Option<&'a U>) -> Option<View<U>> {
        let part = self.part.try_map_project_cloned(|record, _| pick(record).ok_or(())).ok()?;
        Some(View { part, answer: self.answer.clone() })
    }
}

/// The object of a record.
///
/// pyo3 tells the collector of cycles about every object, and it would look at each of ten thousand stages again and again. A record
/// leads to its parts and to plain values, never back, so it is taken out.
#[allow(unsafe_code, reason = "pyo3 has no setting for it")]
pub(crate) fn object<V: Record>(py: Python<'_>, view: View<V::Core>) -> PyResult<Py<V>> {
    let object = Py::new(py, V::over(view))?;
    // SAFETY: a live object, with the interpreter attached; its end takes it out once more, which is allowed.
    unsafe { pyo3::ffi::PyObject_GC_UnTrack(object.as_ptr().cast()) };
    Ok(object)
}

/// The child object that `pick` finds, the same one at each reading.
pub(crate) fn child<T: ?Sized + Sync + 'static, V: Record>(
    py: Python<'_>,
    slot: &Child<V>,
    view: &View<T>,
    pick: fn(&T) -> Option<&V::Core>,
) -> PyResult<Option<Py<V>>> {
    let made = slot.get_or_try_init(py, || view.narrow(pick).map(|part| object::<V>(py, part)).transpose())?;
    Ok(made.as_ref().map(|object| object.clone_ref(py)))
}

/// The child objects of a list, the same tuple at each reading.
pub(crate) fn children<T: ?Sized + Sync + 'static, V: Record>(
    py: Python<'_>,
    slot: &Children,
    view: &View<T>,
    pick: fn(&T) -> Option<&[V::Core]>,
) -> PyResult<Option<Py<PyTuple>>>
where
    V::Core: Sized,
{
    kept(py, slot, || {
        let Some(items) = pick(view.get()) else { return Ok(None) };
        let objects = (0..items.len()).filter_map(|at| view.narrow(|record| pick(record)?.get(at))).map(|item| object::<V>(py, item));
        tuple(py, objects).map(Some)
    })
}

/// The plain values of a list, the same tuple at each reading.
pub(crate) fn values<'py, T, O: IntoPyObject<'py>>(
    py: Python<'py>,
    slot: &Children,
    items: Option<&[T]>,
    convert: impl Fn(&T) -> PyResult<O>,
) -> PyResult<Option<Py<PyTuple>>> {
    kept(py, slot, || items.map(|items| tuple(py, items.iter().map(&convert))).transpose())
}

/// An answer that is one record.
pub(crate) fn single<V: Record>(py: Python<'_>, record: V::Core, answer: Arc<ResponseMetadata>) -> PyResult<Py<V>>
where
    V::Core: Sized + Send,
{
    object(py, View::of(record, Some(provenance(answer))))
}

/// Where an answer came from that is a response.
pub(crate) fn provenance(answer: Arc<ResponseMetadata>) -> Arc<Provenance> {
    Arc::new(Arc::unwrap_or_clone(answer).into())
}

/// An answer that says nothing.
#[allow(clippy::unnecessary_wraps, reason = "as the others")]
pub(crate) fn nothing(py: Python<'_>, (): (), _: Arc<ResponseMetadata>) -> PyResult<Py<PyAny>> {
    Ok(py.None())
}

/// The list of an optional member; `None` where it was absent or null.
pub(crate) fn list<T>(member: &ListMember<T>) -> Option<&[T]> {
    match member {
        ListMember::List(items) => Some(items),
        ListMember::Absent | ListMember::Null => None,
    }
}

fn kept(py: Python<'_>, slot: &Children, make: impl FnOnce() -> PyResult<Option<Py<PyTuple>>>) -> PyResult<Option<Py<PyTuple>>> {
    Ok(slot.get_or_try_init(py, make)?.as_ref().map(|items| items.clone_ref(py)))
}

/// A tuple of what is made one after the other.
pub(crate) fn tuple<'py, O: IntoPyObject<'py>>(py: Python<'py>, items: impl Iterator<Item = PyResult<O>>) -> PyResult<Py<PyTuple>> {
    Ok(PyTuple::new(py, items.collect::<PyResult<Vec<O>>>()?)?.unbind())
}
