//! Records by their names: what reads pickled ones.

use crate::ir::Ir;

use super::records;

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from(
        "//! Pickled records by their names.\n\nuse pyo3::prelude::*;\nuse vitalwire::models as core;\nuse vitalwire::value::Basis;\n\nuse super::models::*;\nuse crate::pickle;\n\n",
    );
    text.push_str("/// A record from its JSON; `None` for a name that is none.\n");
    text.push_str(
        "pub(crate) fn restore(py: Python<'_>, name: &str, json: &[u8], basis: Option<Basis>) -> PyResult<Option<Py<PyAny>>> {\n",
    );
    text.push_str("let made = match name {\n");
    for model in records(ir) {
        text.push_str(&format!("\"{0}\" => pickle::record::<{0}>(py, json, basis),\n", model.name));
    }
    for map in &ir.number_maps {
        text.push_str(&format!("\"{0}\" => pickle::numbers::<core::{0}>(py, json, basis),\n", map.name));
    }
    for map in &ir.series_maps {
        text.push_str(&format!("\"{0}\" => pickle::series::<core::{0}>(py, json, basis),\n", map.name));
    }
    text.push_str("_ => return Ok(None),\n};\nmade.map(Some)\n}\n");
    text
}
