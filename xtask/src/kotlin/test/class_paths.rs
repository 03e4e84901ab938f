//! Tests the jars with the versions that frameworks select, on every JDK of this machine, on the class path and on the module path.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::consumer::{Consumer, JAVA, PROGRAMS};
use crate::process::execute;
use crate::steps::{Context, Count};

/// Page of the site with a row for each class path.
const PAGE: &str = "docs/site/compatibility.md";

/// The project as a Java module.
const MODULE: &str = "src/module/java/module-info.java";
const MODULE_PROGRAM: &str = "src/main/java/stranger/JavaConsumer.java";

/// Artifacts whose versions the page lists, in the order of its columns.
const ARTIFACTS: [&str; 4] = ["kotlin-stdlib", "kotlinx-coroutines-core-jvm", "kotlinx-serialization-json-jvm", "jna"];

/// The first JDK that requires permission for native code.
const NATIVE_ACCESS: u32 = 24;

struct ClassPath {
    /// Name in the table.
    name: &'static str,
    /// Maven profile of the project that selects the versions.
    profile: Option<&'static str>,
    /// Whether programs in Kotlin work.
    kotlin: bool,
}

const CLASS_PATHS: [ClassPath; 6] = [
    ClassPath { name: "lowest versions", profile: None, kotlin: true },
    ClassPath { name: "Spring Boot 3.5.16", profile: Some("spring-boot-3.5"), kotlin: false },
    ClassPath { name: "Spring Boot 3.5.16 with `kotlin.version` 2.1.21", profile: Some("spring-boot-3.5-kotlin-2.1"), kotlin: true },
    ClassPath { name: "Spring Boot 4.0.9", profile: Some("spring-boot-4.0"), kotlin: true },
    ClassPath { name: "Spring Boot 4.1.2", profile: Some("spring-boot-4.1"), kotlin: true },
    ClassPath { name: "newest versions", profile: Some("newest"), kotlin: true },
];

/// Counts each program on each JDK as a test, as well as each row of the page.
///
/// # Errors
/// If a project does not compile, or a JDK cannot be started.
pub(super) fn run(context: &Context, consumer: &Consumer) -> anyhow::Result<Count> {
    let jdks = jdks()?;
    let page = fs::read_to_string(context.root.join(PAGE)).with_context(|| format!("reading {PAGE}"))?;
    let mut count = Count::default();
    for class_path in &CLASS_PATHS {
        let profile: Vec<&str> = class_path.profile.iter().flat_map(|profile| ["--activate-profiles", profile]).collect();
        let paths = consumer.compile(&context.root, &profile)?;
        let row = row(class_path, &paths)?;
        crate::print_line(&row);
        if !page.contains(&row) {
            crate::print_line(&format!("{PAGE} does not have this row"));
        }
        count += Count::from_check(page.contains(&row));
        let modules = compile_module(consumer, &paths)?;
        for (version, home) in &jdks {
            crate::print_line(&format!("{}, JDK {version}", class_path.name));
            let java = home.join("bin/java");
            let native_access = |name: &str| {
                let option = (*version >= NATIVE_ACCESS).then(|| format!("--enable-native-access={name}"));
                option.into_iter().map(OsString::from).collect::<Vec<_>>()
            };
            for program in PROGRAMS.iter().filter(|program| class_path.kotlin || program.0 == JAVA.0) {
                let mut arguments = native_access("ALL-UNNAMED");
                arguments.extend(["-classpath".into(), std::env::join_paths(&paths)?, program.0.into()]);
                count += Count::from_check(consumer.prints_expected(context, &java, &arguments, *program)?);
            }
            let mut arguments = native_access("com.sun.jna");
            arguments.extend(["--module-path".into(), modules.clone(), "--module".into(), format!("stranger/{}", JAVA.0).into()]);
            count += Count::from_check(consumer.prints_expected(context, &java, &arguments, JAVA)?);
        }
    }
    Ok(count)
}

/// Returns the page's row for a class path.
fn row(class_path: &ClassPath, paths: &[PathBuf]) -> anyhow::Result<String> {
    let versions = ARTIFACTS.map(|artifact| version(artifact, paths));
    let kotlin = if class_path.kotlin { "yes" } else { "no" };
    let [stdlib, coroutines, serialization, jna] = versions;
    Ok(format!("| {} | {} | {} | {} | {} | {kotlin} | yes | yes |", class_path.name, stdlib?, coroutines?, serialization?, jna?))
}

/// Returns the version of an artifact on a class path.
fn version(artifact: &str, paths: &[PathBuf]) -> anyhow::Result<String> {
    let names = paths.iter().filter_map(|path| path.file_stem()?.to_str()?.strip_prefix(artifact)?.strip_prefix('-'));
    let mut versions = names.filter(|version| version.starts_with(|first: char| first.is_ascii_digit()));
    Ok(versions.next().with_context(|| format!("{artifact} is not on the class path"))?.to_owned())
}

/// Compiles the program in Java as a module that requires ours. Returns its module path.
fn compile_module(consumer: &Consumer, paths: &[PathBuf]) -> anyhow::Result<OsString> {
    let (project, out) = (consumer.project(), consumer.folder().join("modules"));
    // The first path has the classes of the project without its descriptor.
    let jars = std::env::join_paths(&paths[1..])?;
    let mut javac = Command::new("javac");
    javac.args(["--release", "17", "-d"]).arg(&out).arg("--module-path").arg(&jars);
    execute(javac.arg(project.join(MODULE)).arg(project.join(MODULE_PROGRAM)))?;
    Ok(std::env::join_paths(std::iter::once(&out).chain(&paths[1..]))?)
}

/// Returns the JDKs of this machine: the one of `java`, those that Debian installs, and those of GitHub's variables. The key is the
/// version, which must be at least 17.
fn jdks() -> anyhow::Result<BTreeMap<u32, PathBuf>> {
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let variables = std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("JAVA_HOME_"));
    let mut found = BTreeMap::new();
    for home in installed.chain(variables.map(|(_, home)| home.into())).chain([super::minified::java_home()?]) {
        if let Some(version) = jdk_version(&home)
            && version >= 17
        {
            found.insert(version, home);
        }
    }
    ensure!(!found.is_empty(), "no JDK 17 or later was found");
    Ok(found)
}

/// Returns the version of the JDK in a folder: 17 for `JAVA_VERSION="17.0.15"`. Returns `None` if the folder has no JDK.
fn jdk_version(home: &Path) -> Option<u32> {
    if !home.join("bin/java").is_file() {
        return None;
    }
    let release = fs::read_to_string(home.join("release")).ok()?;
    release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\"")?.split(['.', '"']).next()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_jars() {
        let paths =
            ["/a/classes", "/m/jna-platform-1.jar", "/m/jna-5.17.0.jar", "/m/kotlin-stdlib-jdk8-1.9.0.jar", "/m/kotlin-stdlib-2.1.0.jar"]
                .map(PathBuf::from);
        assert_eq!(version("jna", &paths).unwrap(), "5.17.0");
        assert_eq!(version("kotlin-stdlib", &paths).unwrap(), "2.1.0");
        assert!(version("kotlinx-coroutines-core-jvm", &paths).is_err());
    }

    #[test]
    fn a_jdk_has_a_release_file_and_java() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(jdk_version(home.path()), None);
        fs::create_dir(home.path().join("bin")).unwrap();
        fs::write(home.path().join("bin/java"), "").unwrap();
        for (text, expected) in [("A=\"1\"\nJAVA_VERSION=\"17.0.15\"\n", Some(17)), ("JAVA_VERSION=\"25\"\n", Some(25)), ("", None)] {
            fs::write(home.path().join("release"), text).unwrap();
            assert_eq!(jdk_version(home.path()), expected, "{text}");
        }
    }
}
