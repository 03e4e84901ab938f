//! What `import vitalwire` gives.

use crate::ir::Ir;

use super::{constants, declared, errors, records, resources, stubs, webhook};
use crate::lang::python::literal;

/// What is written by hand in Python, with its module. It is imported when it is first read: `import vitalwire` stays quick.
const LAZY: [(&str, &str); 1] = [("Sandbox", "vitalwire._sandbox")];

/// Everything that the native module exports, sorted.
pub(super) fn native(ir: &Ir) -> Vec<String> {
    let mut names = top(ir);
    names.extend(webhook::names());
    names.sort();
    names
}

/// What of it the package itself gives, sorted.
fn top(ir: &Ir) -> Vec<String> {
    let mut names: Vec<String> = declared::exported(&stubs::fixed()).collect();
    names.extend(records(ir).map(|model| model.name.clone()));
    names.extend(resources::STYLES.iter().map(|style| style.client.to_owned()));
    names.extend(resources::classes(ir));
    names.extend(ir.error_kinds.iter().map(errors::class));
    names.sort();
    names
}

/// `__all__`.
pub(super) fn all<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let lines: String = names.map(|name| format!("    {},\n", literal(name))).collect();
    format!("__all__ = [\n{lines}]\n")
}

pub(super) fn emit(ir: &Ir) -> String {
    let native = top(ir);
    let sets: Vec<String> = constants::sorted(ir).iter().map(|set| set.name.clone()).collect();
    let mut text = String::from(
        "\"\"\"Client for a health data service: user information, sleep, statistics, lab reports, nutrition records, benefits.\"\"\"\n\n",
    );
    text.push_str("from vitalwire import webhook\n");
    import(&mut text, "vitalwire._native", &native);
    import(&mut text, "vitalwire.constants", &sets);
    text.push_str(&lazy());
    let submodule = "webhook".to_owned();
    let late: Vec<String> = LAZY.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut names: Vec<&String> = native.iter().chain(&sets).chain(&late).chain([&submodule]).collect();
    names.sort();
    text.push_str(&all(names.into_iter()));
    text
}

/// Names that are imported when they are first read. Type checkers see plain imports; they know this constant by its name.
fn lazy() -> String {
    let imports: String = LAZY.iter().map(|(name, module)| format!("    from {module} import {name}\n")).collect();
    let modules: String = LAZY.iter().map(|(name, module)| format!("        {}: {},\n", literal(name), literal(module))).collect();
    format!(
        "\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n{imports}else:\n    _LAZY = {{\n{modules}    }}\n\n    def __getattr__(name):\n        \
         module = _LAZY.get(name)\n        if module is None:\n            raise AttributeError(f\"module 'vitalwire' has no attribute \
         {{name!r}}\")\n        from importlib import import_module\n\n        value = getattr(import_module(module), name)\n        \
         globals()[name] = value\n        return value\n\n    def __dir__():\n        return sorted({{*globals(), *_LAZY}})\n\n\n"
    )
}

pub(super) fn import(text: &mut String, module: &str, names: &[String]) {
    text.push_str(&format!("from {module} import (\n"));
    for name in names {
        text.push_str(&format!("    {name},\n"));
    }
    text.push_str(")\n");
}
