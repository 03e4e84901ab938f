//! Tests an Android application with Hilt outside the workspace, compiled against the AAR, and the sources of the sample application that
//! need no Compose. The tests run on a JVM with Robolectric.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::consumer::Consumer;
use crate::archive::unpack;
use crate::build;
use crate::folder::files;
use crate::kotlin::maven::SHORT_RUN_OPTIONS;
use crate::kotlin::package::android::without_libraries;
use crate::process::execute;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Folder of the application's project.
const PROJECT: &str = "bindings/kotlin/installed-robolectric";

/// The sample application, which Gradle builds, and its sources without Compose. They are compiled and tested with the project above.
const SAMPLE: &str = "bindings/kotlin/installed-android/src/main/kotlin/stranger";
const SAMPLE_SOURCES: [&str; 5] = ["DaysModel.kt", "SampleApplication.kt", "SqliteCopy.kt", "SyncWorker.kt", "sync/CopySync.kt"];

/// Compiles the application with Hilt's annotation processor and runs its tests.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(missing) = Consumer::missing() {
        return Ok(missing);
    }
    let consumer = Consumer::create(context, PROJECT)?;
    let sources = consumer.folder().join("project/src/main/kotlin/stranger");
    fs::create_dir_all(sources.join("sync"))?;
    for source in SAMPLE_SOURCES {
        fs::copy(context.root.join(SAMPLE).join(source), sources.join(source)).with_context(|| format!("copying {source}"))?;
    }
    without_libraries(&context.root, &context.target, &consumer.repository())?;
    let aars = classes(&consumer, &context.root)?;
    let mut test = consumer.maven(&context.root)?;
    test.arg("test").arg(format!("-Daars={}", aars.display())).env("MAVEN_OPTS", SHORT_RUN_OPTIONS);
    test.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(run_and_show(&mut test)?.count_tests(Count::surefire))
}

/// Creates a jar with the classes of all required AARs, because Maven, unlike Gradle, does not read AARs.
fn classes(consumer: &Consumer, root: &Path) -> anyhow::Result<PathBuf> {
    let at = |name: &str| consumer.folder().join(name);
    let mut copy = consumer.maven(root)?;
    copy.args(["dependency:copy-dependencies", "-DincludeTypes=aar"]);
    execute(copy.arg(format!("-DoutputDirectory={}", at("aars").display())))?;
    for aar in files(&at("aars"))? {
        let opened = at("opened").join(aar.file_stem().unwrap_or_default());
        unpack(&aar, &opened)?;
        unpack(&opened.join("classes.jar"), &at("classes"))?;
    }
    fs::remove_dir_all(at("opened"))?;
    let jar = at("aars.jar");
    execute(Command::new("jar").arg("--create").arg("--file").arg(&jar).arg("-C").arg(at("classes")).arg("."))?;
    Ok(jar)
}
