//! `sleeps.between`, which no operation is: nights are found by daily statistics, and then read.

use crate::ir::{Docs, Ir, Operation, Param, Type};
use crate::lang::rust::literal;

use super::arguments::named;
use super::options::{self, CALL_OPTIONS, CallOption};
use super::ranges::RANGE_OPTIONS;
use super::resources::{self, Style, rust_name, taken};
use crate::lang::python::{docstring, given, python_name};

/// The resource that has it.
pub(super) const GROUP: &str = "sleeps";

/// Its name.
pub(super) const NAME: &str = "between";

/// The bounds, which no operation names so.
pub(super) const BOUNDS: [(&str, &str); 2] = [("first", "First day."), ("last", "Last day; it belongs to the range.")];

/// The parameters that it takes of the operations it is made of.
const TAKEN: [(&str, &[&str]); 2] =
    [("get_sleep", &["include_stages", "include_samples"]), ("daily_statistics", &["providers", "exclude_manual"])];

const SUMMARY: &str = "The sleeps of these days, naps among them, with the days that each counts to.\n\nNo operation lists sleeps: daily statistics \
                       of `sleep_duration_total` name the records behind each day, and each is read by `get`. An id that no sleep has is left \
                       out and counted; a sleep of several days is given once. Nothing is asked before what this gives is iterated, \
                       collected or read as a table.";

/// Days are the parts, so their length is no choice.
fn options() -> impl Iterator<Item = &'static CallOption> {
    CALL_OPTIONS.iter().chain(RANGE_OPTIONS.iter().filter(|option| option.name != "split"))
}

/// What it takes of operations, each with its own.
fn keywords(ir: &Ir) -> Vec<(&Operation, &Param)> {
    let of = |(id, names): &(&str, &'static [&'static str])| {
        let operation = ir.operations.iter().find(|operation| operation.id == *id)?;
        let params = names.iter().filter_map(|name| operation.params.iter().find(|param| param.member.wire == *name));
        Some(params.map(move |param| (operation, param)).collect::<Vec<_>>())
    };
    TAKEN.iter().filter_map(of).flatten().collect()
}

/// The method, in Rust.
pub(super) fn method(text: &mut String, ir: &Ir, comments: impl Fn(&str) -> String) {
    let keywords = keywords(ir);
    let mut signature: Vec<String> = BOUNDS.iter().map(|(name, _)| (*name).to_owned()).collect();
    signature.push("*".into());
    signature.extend(keywords.iter().map(|(_, param)| format!("{}=None", rust_name(param))));
    signature.extend(options().map(|option| format!("{}={}", option.name, option.rust_default)));
    let mut takes: Vec<String> = BOUNDS.iter().map(|(name, _)| format!("{name}: Bound<'_, PyAny>")).collect();
    takes.extend(keywords.iter().map(|(operation, param)| format!("{}: {}", rust_name(param), taken(operation, param))));
    takes.extend(options().map(|option| format!("{}: {}", option.name, option.rust)));
    text.push_str(&comments(NAME));
    text.push_str(&format!("#[pyo3(name = {}, signature = ({}))]\n", literal(NAME), signature.join(", ")));
    text.push_str(&format!("fn {NAME}(&self, py: Python<'_>, {}) -> PyResult<Py<PyAny>> {{\n", named(&takes)));
    let names = |options: &[CallOption]| options.iter().map(|option| option.name).collect::<Vec<_>>().join(", ");
    text.push_str(&format!("let options = Options {{ {} }};\n", names(&CALL_OPTIONS)));
    text.push_str(&format!("let split = None;\nlet arguments = ranges::Arguments {{ {} }};\n", names(&RANGE_OPTIONS)));
    let mut wanted: Vec<String> = BOUNDS.iter().map(|(name, _)| format!("{name}: convert::to_date({}, &{name})?", literal(name))).collect();
    wanted.extend(keywords.iter().map(|(_, param)| match (rust_name(param), &param.member.ty) {
        (name, Type::List(_)) => format!("{name}: {name}.map(|texts| texts.0)"),
        (name, _) => name,
    }));
    text.push_str(&format!("let wanted = ranges::Wanted {{ {} }};\n", wanted.join(", ")));
    text.push_str("ranges::nights(py, &self.caller, wanted, &options, &arguments)\n}\n\n");
}

/// The method, in the stub.
pub(super) fn stub(text: &mut String, ir: &Ir, style: &Style) {
    let keywords = keywords(ir);
    text.push_str(&format!("    def {NAME}(\n        self,\n"));
    text.extend(BOUNDS.iter().map(|(name, _)| format!("        {name}: _datetime.date,\n")));
    text.push_str("        *,\n");
    text.extend(keywords.iter().map(|(_, param)| format!("        {}: {} = None,\n", python_name(&param.member.name), given(param))));
    text.extend(options().map(|option| format!("        {}: {} = {},\n", option.name, option.python, option.default)));
    text.push_str(&format!("    ) -> {}Nights:\n", style.prefix));
    let mut docs = Docs { text: SUMMARY.to_owned(), ..Docs::default() };
    let abouts = BOUNDS.iter().map(|(name, about)| ((*name).to_owned(), (*about).to_owned()));
    let abouts = abouts.chain(keywords.iter().map(|(_, param)| (python_name(&param.member.name), resources::about(param))));
    docs.text.extend(abouts.map(|(name, about)| format!("\n\n{name}: {about}")));
    docs.text.push_str(&options::about(options().filter(|option| CALL_OPTIONS.iter().all(|other| other.name != option.name))));
    docs.text.push_str(&options::of_every_call(style));
    text.push_str(&docstring(&docs, NAME, "        "));
    text.push('\n');
}
