//! JUnit tests on a desktop JVM, and the artifacts in applications.

mod android;
mod calls;
mod class_paths;
mod compose;
mod consumer;
mod jars;
mod minified;
mod spring;

use crate::build;
use crate::kotlin::maven::{FOLDER, SHORT_RUN_OPTIONS, maven, missing};
use crate::kotlin::test_build::compile;
use crate::steps::{Context, Count, Outcome, Step, run_and_show};
use crate::uniffi::library_folder;

/// Steps of `cargo xtask test`.
pub(super) const STEPS: [Step; 7] = [
    Step::new("kotlin", run),
    Step::deep("kotlin-android", android::run),
    Step::deep("kotlin-calls", calls::run),
    Step::deep("kotlin-compose", compose::run),
    Step::deep("kotlin-minified", minified::run),
    Step::deep("kotlin-spring", spring::run),
    Step::deep("package-jvm", jars::run),
];

/// Compiles the package. Runs its tests and the tests of the echo probe.
fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(format!("{what}; install a JDK 17 and Maven")));
    }
    let mut test = maven(&compile(&context.root)?);
    // Call the goal `surefire:test`, because Maven's phase `test` would compile again.
    // A test that fails under load is run once more on its own, and surefire reports it as flaky.
    test.args(["surefire:test", "-Dsurefire.rerunFailingTestsCount=1"])
        .arg(format!("-DargLine={SHORT_RUN_OPTIONS}"))
        .arg(format!("-Dnative.dir={}", library_folder(&context.root)?.display()));
    // Tests compare the committed API and the README with the build, or update them.
    test.arg(format!("-Dpackage.dir={}", context.root.join(FOLDER).display()));
    test.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(run_and_show(context.with_sandbox(&mut test)?)?.count_tests(Count::surefire))
}
