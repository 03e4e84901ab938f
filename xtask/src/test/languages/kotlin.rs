//! JUnit on a desktop JVM, by Maven.

use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show};

/// Builds the native library and runs the package's tests.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !has("mvn") || !has("java") {
        return Ok(Outcome::Missing("no Maven or no JDK; install a JDK 17 and Maven".to_owned()));
    }
    must(context.cargo().args(["build", "--package", "vitalwire-uniffi", "--lib"]))?;
    let mut test = context.program("mvn", "bindings/kotlin");
    test.args(["--batch-mode", "--no-transfer-progress", "test"]).arg(format!("-Dnative.dir={}", context.target.join("debug").display()));
    Ok(show(&mut test)?.counted(Count::surefire))
}
