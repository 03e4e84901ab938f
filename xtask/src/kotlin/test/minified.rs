//! Tests an application whose classes R8 has shrunk and renamed with the AAR's rules. It runs on a JVM against the sandbox.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::consumer::{Consumer, PROGRAMS};
use crate::kotlin::maven::{FOLDER, maven};
use crate::kotlin::package::android::RULES;
use crate::process::execute;
use crate::steps::{Context, Count, Outcome};

/// R8's version in Maven.
const R8: &str = "9.5.28";

/// R8 rules of the application: keep its entry points.
const ENTRY_POINTS: &str = "-keep class stranger.* { public static void main(java.lang.String[]); }\n-dontwarn javax.**,org.junit.**\n";

/// The package's error if JNA's classes were renamed.
const MISSING_RULES: &str = "the native library cannot be used: JNA's classes were renamed; use the R8 rules of the AAR";

/// Counts each program as a test, as well as two checks: names were changed, and the rules are necessary.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(missing) = Consumer::missing() {
        return Ok(missing);
    }
    let consumer = Consumer::build(context)?;
    let r8 = download_r8(context)?;
    let mut count = Count::default();
    let minified = minify(&consumer, &r8, RULES, "minified")?;
    for program in PROGRAMS {
        count += Count::from_check(consumer.prints_expected(context, "java".as_ref(), &minified.arguments(program.0), program)?);
    }
    crate::print_line(&format!("{} of our classes were renamed", minified.renamed));
    count += Count::from_check(minified.renamed > 0);
    // Without the rules, the application must fail, and for no other reason. Otherwise the test would prove nothing.
    let without = self::minify(&consumer, &r8, "-dontwarn java.awt.**\n", "without")?;
    let printed = consumer.run(context, "java".as_ref(), &without.arguments(PROGRAMS[0].0))?;
    count += Count::from_check(!printed.success && printed.output.contains(MISSING_RULES));
    Ok(Outcome::Ran(count))
}

/// R8's output.
struct MinifiedJar {
    jar: PathBuf,
    /// Number of our classes that were renamed.
    renamed: usize,
}

impl MinifiedJar {
    /// Returns the arguments of a JVM that runs a program of the jar.
    fn arguments(&self, program: &str) -> [OsString; 3] {
        ["-classpath".into(), self.jar.clone().into(), program.into()]
    }
}

fn download_r8(context: &Context) -> anyhow::Result<PathBuf> {
    let folder = context.target.join("r8");
    let mut copy = maven(&context.root.join(FOLDER));
    copy.args(["dependency:copy", &format!("-Dartifact=com.android.tools:r8:{R8}")]);
    execute(copy.arg(format!("-DoutputDirectory={}", folder.display())))?;
    Ok(folder.join(format!("r8-{R8}.jar")))
}

/// Shrinks the project's classes and all their dependencies.
fn minify(consumer: &Consumer, r8: &Path, rules: &str, name: &str) -> anyhow::Result<MinifiedJar> {
    let at = |extension: &str| consumer.folder().join(format!("{name}.{extension}"));
    fs::write(at("pro"), format!("{rules}\n{ENTRY_POINTS}"))?;
    let own = consumer.folder().join("own.jar");
    execute(Command::new("jar").arg("--create").arg("--file").arg(&own).arg("-C").arg(&consumer.paths[0]).arg("."))?;
    let mut java = Command::new("java");
    java.arg("-classpath").arg(r8).args(["com.android.tools.r8.R8", "--release", "--classfile", "--lib"]).arg(java_home()?);
    java.arg("--pg-conf").arg(at("pro")).arg("--pg-map-output").arg(at("map")).arg("--output").arg(at("jar")).arg(&own);
    execute(java.args(consumer.paths.iter().skip(1))).context("R8")?;
    let map = fs::read_to_string(at("map"))?;
    // Lines of classes are not indented: `dev.vitalwire.SleepRecord -> a.b:`.
    let ours =
        map.lines().filter(|line| line.starts_with("dev.vitalwire.")).filter_map(|line| line.trim_end_matches(':').split_once(" -> "));
    Ok(MinifiedJar { jar: at("jar"), renamed: ours.filter(|(from, to)| from != to).count() })
}

/// Returns the home of the JDK that `java` runs from.
pub(super) fn java_home() -> anyhow::Result<PathBuf> {
    let text = execute(Command::new("java").args(["-XshowSettings:properties", "-version"]))?;
    let home = text.lines().find_map(|line| line.trim().strip_prefix("java.home = ")).context("java does not print java.home")?;
    Ok(home.into())
}
