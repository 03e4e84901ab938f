//! The jars, in a Maven repository with checksums and signatures.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::maven::{FOLDER, local_repository, maven, missing};
use super::package::{android, jvm};
use crate::ecosystem::{Build, Client, Ecosystem, Visit, remove_registry_variables};
use crate::folder;
use crate::native::System;
use crate::native::linker::released_glibc;
use crate::process::{execute, has};

pub(super) const ECOSYSTEMS: [Ecosystem; 1] = [Ecosystem { name: "maven", build, publish: Some(publish), clients: &[MAVEN] }];

const MAVEN: Client = Client { name: "maven", missing, install, first_night, expected: "of deep sleep" };

/// Programs for the checksums that Maven Central requires, and the extensions of the checksum files.
const CHECKSUMS: [(&str, &str); 2] = [("md5sum", "md5"), ("sha1sum", "sha1")];

/// A project that names the package by its coordinates.
const PROJECT: &str = "bindings/kotlin/installed/pom.xml";

/// Calls the artifact for servers, and the function of the README's first example.
const MAIN: &str = "
fun main() = kotlinx.coroutines.runBlocking {
    dev.vitalwire.server.WebhookVerifier(\"the-new-webhook-key\").close()
    deepSleep(System.getenv(\"VITALWIRE_BASE_URL\"), System.getenv(\"VITALWIRE_TOKEN\"), System.getenv(\"VITALWIRE_SLEEP_ID\"))
}
";

fn build(build: &Build) -> anyhow::Result<()> {
    let made = build.target.join("jvm-package/repository");
    for folder in [&made, &build.target.join(jvm::DEBUG), &build.target.join(android::DEBUG)] {
        folder::remove(folder)?;
    }
    jvm::package(build.source, build.target, &made, None, released_glibc(System::Native))?;
    build.registry.publish_folder(&build.target.join(jvm::DEBUG))?;
    if !build.native {
        android::package_all(build.source, build.target, &made)?;
        build.registry.publish_folder(&build.target.join(android::DEBUG))?;
    }
    publish(build, &made)
}

/// Signs the artifacts of a repository and publishes them.
fn publish(build: &Build, repository: &Path) -> anyhow::Result<()> {
    let signed = build.target.join("jvm-package/signed");
    folder::remove(&signed)?;
    folder::copy(repository, &signed)?;
    sign(&signed)?;
    build.registry.publish_folder(&signed)
}

/// Adds checksums and signatures. The key exists only for this rehearsal.
fn sign(repository: &Path) -> anyhow::Result<()> {
    ensure!(has("gpg"), "gpg is missing; on Debian: apt install gpg");
    let home = tempfile::tempdir()?;
    let gpg = || {
        let mut gpg = Command::new("gpg");
        gpg.args(["--homedir"]).arg(home.path()).args(["--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""]);
        gpg
    };
    execute(gpg().args(["--quick-generate-key", "Rehearsal <rehearsal@localhost>", "ed25519", "sign", "1d"]))?;
    for file in folder::files(repository)? {
        let beside = |extension: &str| PathBuf::from(format!("{}.{extension}", file.display()));
        execute(gpg().args(["--armor", "--detach-sign"]).arg(&file))?;
        execute(gpg().arg("--verify").arg(beside("asc")).arg(&file))?;
        for (program, extension) in CHECKSUMS {
            let printed = execute(Command::new(program).arg(&file))?;
            let sum = printed.split_whitespace().next().with_context(|| format!("{program} printed no checksum"))?;
            std::fs::write(beside(extension), sum)?;
        }
    }
    Ok(())
}

fn install(visit: &Visit) -> anyhow::Result<()> {
    let pom = std::fs::read_to_string(visit.source.join(PROJECT)).with_context(|| format!("reading {PROJECT}"))?;
    // Maven must check the checksums, because this registry has them.
    visit.write("pom.xml", &pom.replace("<checksumPolicy>ignore<", "<checksumPolicy>fail<"))?;
    let code = visit.code(&format!("{FOLDER}/README.md"), "kotlin", 1)?;
    visit.write("src/main/kotlin/Night.kt", &format!("{code}{MAIN}"))?;
    let mut build = maven(visit.folder);
    remove_registry_variables(&mut build);
    build.arg(format!("-Dvitalwire.repository={}", visit.address)).arg(format!("-Dvitalwire.version={}", visit.version));
    build.arg(format!("-Dmaven.repo.local={}", local_repository(visit.folder)?.display()));
    execute(build.args(["compile", "dependency:build-classpath", "-Dmdep.outputFile=classpath"])).map(drop)
}

fn first_night(visit: &Visit) -> anyhow::Result<String> {
    let paths = std::fs::read_to_string(visit.folder.join("classpath")).context("Maven wrote no class path")?;
    visit.use_sandbox(visit.command("java").arg("-classpath").arg(format!("target/classes:{}", paths.trim())).arg("NightKt"))
}
