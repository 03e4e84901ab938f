//! CTest: a C11 program and a C++17 check of the header, linked with the static library.

use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show};

/// Builds the static library and runs the programs.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    test(context, &[])
}

/// The same under valgrind: no leak and no wrong access.
pub(in crate::test) fn memory(context: &Context) -> anyhow::Result<Outcome> {
    if !has("valgrind") {
        return Ok(Outcome::Missing("no valgrind".to_owned()));
    }
    test(context, &["-T", "memcheck", "--overwrite", "MemoryCheckCommandOptions=--leak-check=full --error-exitcode=9"])
}

fn test(context: &Context, options: &[&str]) -> anyhow::Result<Outcome> {
    if !has("cmake") || !has("cc") {
        return Ok(Outcome::Missing("no cmake or no C compiler".to_owned()));
    }
    must(context.cargo().args(["build", "--package", "vitalwire-c", "--lib"]))?;
    let build = context.target.join("c");
    let library = context.target.join("debug/libvitalwire_c.a");
    must(
        context
            .program("cmake", ".")
            .args(["-S", "bindings/c", "-B"])
            .arg(&build)
            .arg(format!("-DVITALWIRE_LIBRARY={}", library.display())),
    )?;
    must(context.program("cmake", ".").arg("--build").arg(&build))?;
    let mut test = context.program("ctest", ".");
    test.arg("--test-dir").arg(&build).args(["--no-tests=error", "--output-on-failure"]).args(options);
    Ok(show(&mut test)?.counted(Count::ctest))
}
