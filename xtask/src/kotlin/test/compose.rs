//! Tests the consent screen of the sample application on a JVM, with Compose for desktops and stubs of Android's classes.

use std::fs;

use anyhow::Context as _;

use super::consumer::Consumer;
use crate::build;
use crate::kotlin::maven::SHORT_RUN_OPTIONS;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Folder of the project with the tests and the stubs.
const PROJECT: &str = "bindings/kotlin/installed-compose";

/// The sample application, which Gradle builds, and its sources of the screen.
const SAMPLE: &str = "bindings/kotlin/installed-android/src/main/kotlin/stranger";
const SAMPLE_SOURCES: [&str; 2] = ["ConnectionsActivity.kt", "ConsentScreen.kt"];

/// Compiles the screen and runs its tests.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Outcome::Missing("the project has the renderer of Compose for Linux on x86-64 only".to_owned()));
    }
    if let Some(missing) = Consumer::missing() {
        return Ok(missing);
    }
    let consumer = Consumer::create(context, PROJECT)?;
    for source in SAMPLE_SOURCES {
        let copied = consumer.project().join("src/main/kotlin").join(source);
        fs::copy(context.root.join(SAMPLE).join(source), copied).with_context(|| format!("copying {source}"))?;
    }
    let mut test = consumer.maven(&context.root)?;
    test.arg("test").env("MAVEN_OPTS", SHORT_RUN_OPTIONS).env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(run_and_show(&mut test)?.count_tests(Count::surefire))
}
