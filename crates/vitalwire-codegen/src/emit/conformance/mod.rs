//! The conformance runners: from a case's arguments to a call, and from an answer to canonical JSON, in each language.

mod c;
mod kotlin;
mod python;
mod rust;
mod swift;

use super::File;
use crate::ir::Ir;

/// Every generated file of the runners.
pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let mut files = rust::emit(ir);
    files.extend(c::emit(ir));
    files.extend(python::emit(ir));
    files.extend(kotlin::emit(ir));
    files.extend(swift::emit(ir));
    files
}
