//! Templates of C.

use std::sync::LazyLock;

use super::filters;
use crate::rust;
use crate::templates::{Templates, embedded};

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(TEXTS, &[rust::filters::add_to, filters::add_to]));

const TEXTS: &[(&str, &str)] = embedded![
    "c":
    "calls.rs.j2",
    "code.rs.j2",
    "conformance/calls.c.j2",
    "conformance/calls.h.j2",
    "conformance/list.c.j2",
    "conformance/model.c.j2",
    "conformance/names.c.j2",
    "conformance/names.h.j2",
    "conformance/numbers.c.j2",
    "conformance/operations.c.j2",
    "conformance/outcomes.h.j2",
    "conformance/series.c.j2",
    "conformance/settings.c.j2",
    "conformance/sources.cmake.j2",
    "conformance/waited.c.j2",
    "error.rs.j2",
    "all_operations.c.j2",
    "every_call.c.j2",
    "examples.c.j2",
    "functions.rs.j2",
    "list.rs.j2",
    "mod.rs.j2",
    "model.rs.j2",
    "names.h.j2",
    "numbers.rs.j2",
    "params.rs.j2",
    "range_answers.rs.j2",
    "ranges.rs.j2",
    "series.rs.j2",
    "settings.rs.j2",
    "tables.rs.j2",
    "types.rs.j2",
    "waits.rs.j2",
];
