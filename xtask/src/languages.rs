//! The languages of the workspace.

use crate::language::Language;

/// All languages, in the order of the conformance matrix.
pub(crate) const ALL: [&dyn Language; 5] =
    [&crate::rust::Rust, &crate::python::Python, &crate::kotlin::Kotlin, &crate::c::C, &crate::swift::Swift];
