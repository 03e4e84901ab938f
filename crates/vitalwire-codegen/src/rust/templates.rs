//! Templates of the Rust crates.

use std::sync::LazyLock;

use super::filters;
use crate::templates::{Templates, embedded};

/// All templates of the Rust crates, parsed on first use.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(TEXTS, &[filters::add_to]));

const TEXTS: &[(&str, &str)] = embedded![
    "rust":
    "client.rs.j2",
    "client/builder.rs.j2",
    "client/call.rs.j2",
    "client/client.rs.j2",
    "cohort_table.rs.j2",
    "conformance/calls.rs.j2",
    "conformance/dispatch.rs.j2",
    "conformance/maps.rs.j2",
    "conformance/mod.rs.j2",
    "conformance/model.rs.j2",
    "conformance/open_sets.rs.j2",
    "conformance/outcomes.rs.j2",
    "conformance/settings.rs.j2",
    "folder.rs.j2",
    "http/mod.rs.j2",
    "http/resource.rs.j2",
    "http/service.rs.j2",
    "lookup.rs.j2",
    "maps.rs.j2",
    "meta.rs.j2",
    "mod.rs.j2",
    "model.rs.j2",
    "names.rs.j2",
    "open_set.rs.j2",
    "operations.rs.j2",
    "problems.rs.j2",
    "resource.rs.j2",
    "shared.rs.j2",
    "tables.rs.j2",
    "waits.rs.j2",
];
