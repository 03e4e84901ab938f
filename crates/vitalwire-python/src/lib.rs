//! The Python module `vitalwire._native`: the core client as Python classes.
//!
//! Records are frozen views over what the core decoded; nothing is copied until it is read. Classes of records, resources and
//! errors are generated into `generated/`; what is here converts values, waits for calls and turns errors into exceptions.

mod caller;
mod client;
mod convert;
mod coroutine;
mod deferred;
mod errors;
mod event_loop;
mod generated;
mod numbers;
mod options;
#[cfg(feature = "__probe")]
mod probe;
mod records;
mod redirect;
mod response;
mod runtime;
mod series;
mod settings;
mod shape;
mod table;
mod view;
mod webhook;

use pyo3::prelude::*;

/// The native part of `vitalwire`; import `vitalwire` instead.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    runtime::quiet_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<client::Client>()?;
    module.add_class::<client::AsyncClient>()?;
    module.add_class::<numbers::NumberMap>()?;
    module.add_class::<series::SeriesMap>()?;
    module.add_class::<response::ResponseInfo>()?;
    module.add_class::<table::Table>()?;
    records::register(module)?;
    module.add_function(wrap_pyfunction!(table::_restore_table, module)?)?;
    module.add_class::<redirect::Redirect>()?;
    module.add_function(wrap_pyfunction!(redirect::parse_redirect, module)?)?;
    webhook::register(module)?;
    #[cfg(feature = "__probe")]
    module.add_class::<probe::Probe>()?;
    errors::register(module)?;
    generated::register(module)
}
