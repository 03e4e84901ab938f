//! CTest: a C11 program and a C++17 check of the header, linked with the static library.

use anyhow::Context as _;

use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show};

/// Builds the static library and runs the programs.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    test(context, "OFF")
}

/// The same, and the calls under valgrind: no leak and no wrong access.
pub(in crate::test) fn memory(context: &Context) -> anyhow::Result<Outcome> {
    if !has("valgrind") {
        return Ok(Outcome::Missing("no valgrind".to_owned()));
    }
    test(context, "ON")
}

/// What rustc writes before the system libraries that the static library needs.
const LIBRARIES: &str = "note: native-static-libs: ";

fn test(context: &Context, valgrind: &str) -> anyhow::Result<Outcome> {
    if !has("cmake") || !has("cc") {
        return Ok(Outcome::Missing("no cmake or no C compiler".to_owned()));
    }
    let built = show(context.cargo().args(["rustc", "--package", "vitalwire-c", "--lib", "--", "--print", "native-static-libs"]))?;
    let libraries = built.output.lines().find_map(|line| line.strip_prefix(LIBRARIES)).context("rustc named no native libraries")?;
    let build = context.target.join("c");
    let library = context.target.join("debug/libvitalwire_c.a");
    let mut configure = context.program("cmake", ".");
    configure.args(["-S", "bindings/c", "-B"]).arg(&build).arg(format!("-DVITALWIRE_LIBRARY={}", library.display()));
    configure.arg(format!("-DVITALWIRE_NATIVE_STATIC_LIBS={libraries}")).arg(format!("-DVITALWIRE_VALGRIND={valgrind}"));
    must(&mut configure)?;
    must(context.program("cmake", ".").arg("--build").arg(&build))?;
    let mut test = context.program("ctest", ".");
    test.arg("--test-dir").arg(&build).args(["--no-tests=error", "--output-on-failure"]);
    Ok(show(&mut test)?.counted(Count::ctest))
}
