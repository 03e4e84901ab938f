//! Arguments of methods, named in what is raised where one is of another type.

use std::collections::BTreeSet;

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

/// The functions that these texts use.
pub(super) fn emit<'a>(texts: impl Iterator<Item = &'a String>) -> String {
    let used = |text: &'a String| text.split(PLACE).skip(1).filter_map(|rest| rest.strip_prefix("::")?.split(')').next());
    let names: BTreeSet<&str> = texts.flat_map(used).collect();
    let lines: String = names.into_iter().map(|name| format!("    {name}\n")).collect();
    format!("//! A function for each name of an argument; see `crate::given`.\n\ncrate::given::named! {{\n{lines}}}\n")
}
