//! The runner in C: what is hand-written of it is in `bindings/c/tests/conformance`.

mod calls;
mod maps;
mod outcomes;

use crate::emit::File;
use crate::ir::{Ir, Type};
use crate::lang::c as names;
use crate::lang::snake;

const ROOT: &str = "bindings/c/tests/conformance/generated";

/// Every generated file of the runner in C.
pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let mut sources = vec![("calls/operations".to_owned(), calls::table(ir))];
    sources.extend(ir.groups().into_iter().map(|group| (format!("calls/{group}"), calls::group(ir, group))));
    let received = ir.models.iter().filter(|model| !model.request);
    sources.extend(received.map(|model| (format!("outcomes/{}", snake(&model.name)), outcomes::model(model))));
    sources.extend(outcomes::lists(ir).into_iter().map(|item| (format!("outcomes/{}_list", snake(item)), outcomes::list(item))));
    sources.extend(ir.number_maps.iter().map(|map| (format!("outcomes/{}", snake(&map.name)), maps::numbers(ir, map))));
    sources.extend(ir.series_maps.iter().map(|map| (format!("outcomes/{}", snake(&map.name)), maps::series(map))));
    sources.sort();
    let mut files = vec![
        File::new(format!("{ROOT}/calls.h"), calls::header(ir)),
        File::new(format!("{ROOT}/outcomes.h"), outcomes::header(ir)),
        File::new(format!("{ROOT}/sources.cmake"), list(&sources)),
    ];
    files.extend(sources.into_iter().map(|(name, text)| File::new(format!("{ROOT}/{name}.c"), text)));
    files
}

/// The sources by their names, for CMake.
fn list(sources: &[(String, String)]) -> String {
    let names: String = sources.iter().map(|(name, _)| format!("  conformance/generated/{name}.c\n")).collect();
    format!("set(conformance_generated\n{names})\n")
}

/// The function that writes an object.
fn outcome(name: &str) -> String {
    format!("outcome_{}", snake(name))
}

/// The declaration of a function that writes an object of C's type `of`.
fn signature(function: &str, of: &str) -> String {
    format!("void {function}(struct json *out, const {of} *of)")
}

/// The declarations of all functions that write objects: what they write, and its type in C.
fn written(ir: &Ir) -> Vec<(String, String)> {
    let models = ir.models.iter().filter(|model| !model.request).map(|model| &model.name);
    let maps = ir.number_maps.iter().map(|map| &map.name).chain(ir.series_maps.iter().map(|map| &map.name));
    let mut all: Vec<_> = models.chain(maps).map(|name| (outcome(name), names::object(name))).collect();
    all.extend(outcomes::lists(ir).into_iter().map(|item| (format!("{}_list", outcome(item)), names::list(item))));
    all.sort();
    all
}

/// What a plain value is called in the runner, and its type in C; `None` for what is no plain value.
fn plain(ty: &Type) -> Option<(&'static str, &'static str)> {
    Some(match ty {
        Type::Boolean => ("boolean", "bool"),
        Type::Integer => ("integer", "int64_t"),
        Type::Number => ("number", "double"),
        Type::Timestamp => ("timestamp", "vitalwire_timestamp"),
        Type::Date => ("date", "vitalwire_date"),
        _ => return None,
    })
}
