//! JUnit on a desktop JVM.

use crate::build;
use crate::packages::kotlin::{BRIEF, FOLDER, compiled, maven, missing};
use crate::packages::uniffi::library_folder;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, show};

/// Compiles the package and runs its tests and those of the echo probe.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(format!("{what}; install a JDK 17 and Maven")));
    }
    let mut test = maven(&compiled(&context.root)?);
    // The goal alone: the phase would compile again.
    // A test that fails beside other work is run once more by itself; surefire tells it as a flake.
    test.args(["surefire:test", "-Dsurefire.rerunFailingTestsCount=1"])
        .arg(format!("-DargLine={BRIEF}"))
        .arg(format!("-Dnative.dir={}", library_folder(&context.root)?.display()));
    // The committed API and the README are compared with, or written.
    test.arg(format!("-Dpackage.dir={}", context.root.join(FOLDER).display()));
    test.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(show(context.told(&mut test)?)?.counted(Count::surefire))
}
