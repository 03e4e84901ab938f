//! Arguments of methods, named in what is raised where one is of another type.

use std::collections::BTreeSet;

use crate::ir::Ir;

use super::nights;
use super::options::CALL_OPTIONS;
use super::ranges::RANGE_OPTIONS;
use super::resources::rust_name;
use super::uploads::{self, Upload};
use super::waits;

/// Where the functions are that take and name them.
const PLACE: &str = "crate::generated::arguments";

/// The arguments of a method, each as `name: type`, with what takes them.
pub(super) fn named(arguments: &[String]) -> String {
    let argument = |text: &String| {
        let name = text.split(':').next().unwrap_or_default();
        format!("#[pyo3(from_py_with = {PLACE}::{name})] {text}")
    };
    arguments.iter().map(argument).collect::<Vec<_>>().join(", ")
}

/// A function for each name of an argument.
pub(super) fn emit(ir: &Ir) -> String {
    let own = ir.operations.iter().flat_map(|operation| &operation.params).map(rust_name);
    let uploads = ir.operations.iter().filter_map(uploads::of).flat_map(Upload::further);
    let options = uploads.chain(&CALL_OPTIONS).chain(&waits::OPTIONS).chain(&RANGE_OPTIONS).map(|option| option.name.to_owned());
    let days = nights::BOUNDS.iter().map(|(name, _)| (*name).to_owned());
    let names: BTreeSet<String> = own.chain(options).chain(days).collect();
    let lines: String = names.into_iter().map(|name| format!("    {name}\n")).collect();
    format!("//! A function for each name of an argument; see `crate::given`.\n\ncrate::given::named! {{\n{lines}}}\n")
}
