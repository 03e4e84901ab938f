//! The Python module `vitalwire._native`: the core client as Python classes.
//!
//! Records are immutable views of decoded responses; values are converted on access. Classes of records, resources and errors are generated
//! into `generated/`. The other modules convert values, wait for calls and turn errors into exceptions.

mod arguments;
mod attempts;
mod callable;
mod caller;
mod cancel;
mod client;
mod cohort;
mod consent;
mod convert;
mod coroutine;
mod datetime_module;
mod errors;
mod event_loop;
mod failure;
mod generated;
mod getters;
mod hash;
mod hints;
mod html;
mod json;
mod json_text;
mod keywords;
mod lazy_response;
mod mapping;
mod maps;
mod mock;
mod numbers;
mod options;
mod pickle;
#[cfg(feature = "__probe")]
mod probe;
mod progress;
mod provider_context;
mod ranges;
mod records;
mod response;
mod restore;
mod runtime;
mod series;
mod settings;
mod shape;
mod sync;
mod table;
mod token;
mod uploads;
mod view;
mod waits;
mod webhook;

use pyo3::prelude::*;

/// The native part of `vitalwire`. Import `vitalwire` instead.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    vitalwire::boundary::hide_panic_messages();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<client::Client>()?;
    module.add_class::<client::AsyncClient>()?;
    module.add_class::<cancel::CancelToken>()?;
    module.add_class::<token::Token>()?;
    module.add_function(wrap_pyfunction!(token::sign_user_id, module)?)?;
    module.add_class::<mock::MockResponses>()?;
    module.add_class::<mock::MockRequest>()?;
    module.add_class::<attempts::Attempt>()?;
    module.add_class::<numbers::NumberMap>()?;
    module.add_class::<series::SeriesMap>()?;
    module.add_class::<response::ResponseMetadata>()?;
    module.add_class::<response::SkippedItem>()?;
    module.add_class::<json_text::JsonText>()?;
    ranges::register(module)?;
    module.add_class::<consent::ConsentRedirect>()?;
    module.add_class::<waits::WaitProgress>()?;
    module.add_function(wrap_pyfunction!(consent::parse_consent_redirect, module)?)?;
    webhook::register(module)?;
    cohort::register(module)?;
    sync::register(module)?;
    module.add_class::<table::Table>()?;
    module.add_class::<records::Records>()?;
    #[cfg(feature = "__probe")]
    // The probe is not in `__all__`, so that the module matches the stub.
    module.setattr("_Probe", module.py().get_type::<probe::Probe>())?;
    restore::register(module)?;
    mapping::register::<numbers::NumberMap>(module.py())?;
    mapping::register::<series::SeriesMap>(module.py())?;
    errors::register(module, generated::error_fields::set)?;
    generated::register(module)
}
