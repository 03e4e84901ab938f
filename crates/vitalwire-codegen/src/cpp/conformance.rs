//! Generator of the C++ runner. Its hand-written part is in `bindings/c/tests/conformance/cpp`.

use crate::c::conformance::RunnerLayout;
use crate::conformance::Runner;
use crate::cpp::filters::TEMPLATES;
use crate::file::File;

static CPP: RunnerLayout = RunnerLayout {
    root: "bindings/c/tests/conformance/cpp/generated",
    templates: &TEMPLATES,
    folder: "cpp/conformance",
    source: "cpp",
    header: "hpp",
};

pub(crate) fn emit(runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
    CPP.emit(runner)
}
