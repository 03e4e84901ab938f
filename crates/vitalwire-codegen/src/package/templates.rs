//! Templates of integrators' crates.

use std::sync::LazyLock;

use crate::templates::{Templates, embedded};

/// All templates of integrators' crates, parsed on first use.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(TEXTS, &[]));

const TEXTS: &[(&str, &str)] = embedded![
    "package":
    "Cargo.toml.j2",
    "lib.rs.j2",
];
