//! Templates for Python.

use std::sync::LazyLock;

use super::filters;
use crate::rust;
use crate::templates::{Templates, embedded};

/// Templates of all files of the Python binding.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(TEXTS, &[rust::filters::add_to, filters::add_to]));

const TEXTS: &[(&str, &str)] = embedded![
    "python":
    "arguments.rs.j2",
    "conformance/calls.py.j2",
    "conformance/names.py.j2",
    "conformance/outcome.py.j2",
    "conformance/package.py.j2",
    "conformance/settings.py.j2",
    "conformance/table.py.j2",
    "conformance/waited.py.j2",
    "constant_set.py.j2",
    "constants.py.j2",
    "declarations/calls.yaml.j2",
    "declarations/client.yaml.j2",
    "declarations/errors.yaml.j2",
    "declarations/map.yaml.j2",
    "declarations/mock.yaml.j2",
    "declarations/module.yaml.j2",
    "declarations/part_reader.yaml.j2",
    "declarations/range.yaml.j2",
    "declarations/ranges.yaml.j2",
    "declarations/record.yaml.j2",
    "declarations/table_response.yaml.j2",
    "declarations/tables.yaml.j2",
    "declarations/webhook.yaml.j2",
    "docs.rs.j2",
    "error_fields.rs.j2",
    "folder.rs.j2",
    "kinds.rs.j2",
    "module.rs.j2",
    "native.pyi.j2",
    "options.rs.j2",
    "package.py.j2",
    "plot_units.py.j2",
    "record.rs.j2",
    "reference/index.md.j2",
    "reference/names.md.j2",
    "reference/page.md.j2",
    "resource.rs.j2",
    "restore.rs.j2",
    "stub.pyi.j2",
    "stub_cohort.pyi.j2",
    "stub_cohort/functions.pyi.j2",
    "stub_cohort/plan.pyi.j2",
    "stub_cohort/summary.pyi.j2",
    "stub_folder.pyi.j2",
    "stub_types.pyi.j2",
    "units.rs.j2",
    "webhook.py.j2",
];
