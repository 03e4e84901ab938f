//! The runner in C++: what is hand-written of it is in `bindings/c/tests/conformance/cpp`.

use super::Runner;
use super::c::Style;
use crate::emit::File;

const CPP: Style = Style { root: "bindings/c/tests/conformance/cpp/generated", templates: "conformance/cpp", source: "cpp", header: "hpp" };

pub(super) fn emit(runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
    CPP.emit(runner)
}
