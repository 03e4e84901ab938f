//! Templates of the sandbox.

use std::sync::LazyLock;

use crate::rust;
use crate::templates::{Templates, embedded};

/// All templates of the sandbox, parsed on first use.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(TEXTS, &[rust::filters::add_to]));

const TEXTS: &[(&str, &str)] = embedded![
    "sandbox":
    "names.rs.j2",
    "operations.rs.j2",
];
