//! An application for Android with Hilt, as a stranger has it, by the classes of the AAR: its tests run on a JVM, where Robolectric is Android.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::count::Count;
use super::step::{Context, Outcome, show};
use super::stranger::Stranger;
use crate::build;
use crate::package::android::without_libraries;
use crate::packages::kotlin::BRIEF;
use crate::process::must;
use crate::unpack::{files, unpack};

/// The application.
const PROJECT: &str = "bindings/kotlin/installed-robolectric";

/// Compiles it, Hilt's processor included, and runs its tests.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(missing) = Stranger::missing() {
        return Ok(missing);
    }
    let stranger = Stranger::laid(context, PROJECT)?;
    without_libraries(&context.root, &context.target, &stranger.repository())?;
    let aars = classes(&stranger, &context.root)?;
    let mut test = stranger.maven(&context.root)?;
    test.arg("test").arg(format!("-Daars={}", aars.display())).env("MAVEN_OPTS", BRIEF);
    test.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(show(&mut test)?.counted(Count::surefire))
}

/// A jar of the classes of all AARs that the application needs: Maven does not look into them, as Gradle does.
fn classes(stranger: &Stranger, root: &Path) -> anyhow::Result<PathBuf> {
    let at = |name: &str| stranger.folder().join(name);
    let mut copy = stranger.maven(root)?;
    copy.args(["dependency:copy-dependencies", "-DincludeTypes=aar"]);
    must(copy.arg(format!("-DoutputDirectory={}", at("aars").display())))?;
    for aar in files(&at("aars"))? {
        let opened = at("opened").join(aar.file_stem().unwrap_or_default());
        unpack(&aar, &opened)?;
        unpack(&opened.join("classes.jar"), &at("classes"))?;
    }
    fs::remove_dir_all(at("opened"))?;
    let jar = at("aars.jar");
    must(Command::new("jar").arg("--create").arg("--file").arg(&jar).arg("-C").arg(at("classes")).arg("."))?;
    Ok(jar)
}
