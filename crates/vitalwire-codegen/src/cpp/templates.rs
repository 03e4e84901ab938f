//! Templates of C++.

use std::sync::LazyLock;

use super::filters;
use crate::c;
use crate::templates::{Templates, embedded};

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(TEXTS, &[c::filters::add_to, filters::add_to]));

const TEXTS: &[(&str, &str)] = embedded![
    "cpp":
    "client.hpp.j2",
    "conformance/calls.cpp.j2",
    "conformance/calls.hpp.j2",
    "conformance/list.cpp.j2",
    "conformance/model.cpp.j2",
    "conformance/numbers.cpp.j2",
    "conformance/operations.cpp.j2",
    "conformance/outcomes.hpp.j2",
    "conformance/series.cpp.j2",
    "conformance/settings.cpp.j2",
    "conformance/sources.cmake.j2",
    "conformance/waited.cpp.j2",
    "errors.hpp.j2",
    "examples.cpp.j2",
    "list.hpp.j2",
    "numbers.hpp.j2",
    "options.hpp.j2",
    "parts.hpp.j2",
    "record.hpp.j2",
    "resource.hpp.j2",
    "series.hpp.j2",
    "vitalwire.hpp.j2",
];
