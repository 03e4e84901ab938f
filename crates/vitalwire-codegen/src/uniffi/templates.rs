//! Templates of the uniffi wrapper.

use std::sync::LazyLock;

use super::convert;
use crate::rust;
use crate::templates::{Templates, embedded};

/// All templates of the uniffi wrapper, parsed on first use.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(TEXTS, &[rust::filters::add_to, convert::add_to]));

const TEXTS: &[(&str, &str)] = embedded![
    "uniffi":
    "calls.rs.j2",
    "error_info.rs.j2",
    "error_kind.rs.j2",
    "maps.rs.j2",
    "mod.rs.j2",
    "open_sets.rs.j2",
    "options.rs.j2",
    "params.rs.j2",
    "range_answer.rs.j2",
    "record.rs.j2",
    "redacted.rs.j2",
    "uniffi.toml.j2",
    "waits.rs.j2",
];
