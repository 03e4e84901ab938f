//! The Swift package, in a git repository of its own, and its library for Linux.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::layout::{FOLDER, HEADER, SERVER_HEADER};
use super::package::{header_functions, write_release};
use super::toolchain::{missing, with_swift};
use crate::archive::{tar, unpack};
use crate::cargo;
use crate::ecosystem::{Build, Client, Ecosystem, Visit};
use crate::folder;
use crate::git::git;
use crate::native::linker::{self, LinkInput, Linker, released_glibc};
use crate::native::{self, Optimization, System};
use crate::notices;
use crate::process::execute;
use crate::uniffi::SERVER_FEATURE;

pub(super) const ECOSYSTEMS: [Ecosystem; 1] = [Ecosystem { name: "swift", build, publish: None, clients: &[SWIFT_BUILD] }];

const SWIFT_BUILD: Client = Client { name: "swift build", missing: || None, install, first_night, expected: "of deep sleep" };

/// The bare repository in the registry. SwiftPM takes the package's name from the repository.
const REPOSITORY: &str = "vitalwire-swift.git";
/// The native library, and its name for pkg-config.
const CRATE: &str = "vitalwire-uniffi";
const LIBRARY: &str = "vitalwire_uniffi";

/// Address of the archive with the libraries for Apple's systems, in the release of a tag.
const ARCHIVE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/download");

/// Description for pkg-config, relative to its own folder.
const PKG_CONFIG: &str = "prefix=${pcfiledir}/../..\nName: vitalwire_uniffi\nDescription: Library of Vitalwire for Swift\n\
                          Libs: -L${prefix}/lib -lvitalwire_uniffi\n";

/// Defines the names that the README's first example uses.
const BEFORE: &str = "import Foundation\nlet environment = ProcessInfo.processInfo.environment\nlet url = URL(string: environment[\"VITALWIRE_BASE_URL\"]!)!\n\
                      let (token, id) = (environment[\"VITALWIRE_TOKEN\"]!, environment[\"VITALWIRE_SLEEP_ID\"]!)\n";

fn build(build: &Build) -> anyhow::Result<()> {
    let out = build.target.join("swift-release");
    folder::remove(&out)?;
    fs::create_dir_all(&out)?;
    let url = format!("{ARCHIVE}/v{}/CVitalwireFFI.xcframework.zip", build.version);
    let (package, archives) = write_release(build.source, build.target, &url, build.native, &out)?;
    if let Some([archive, debug]) = archives {
        build.registry.publish(&archive, &format!("CVitalwireFFI-{}.xcframework.zip", build.version))?;
        build.registry.publish(&debug, &debug.file_name().unwrap_or_default().to_string_lossy())?;
    }
    if cfg!(target_os = "linux") {
        for archive in linux_library(build, &out)? {
            build.registry.publish(&archive, &archive.file_name().unwrap_or_default().to_string_lossy())?;
        }
    }
    publish_repository(build, &package)
}

/// Commits the package to a new repository, tags the commit with the version, and publishes a bare clone.
fn publish_repository(build: &Build, package: &Path) -> anyhow::Result<()> {
    let run = |arguments: &[&str]| {
        let mut git = git(package);
        git.args(["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@localhost"]).args(arguments);
        // A fixed time, so that the same files give the same commit.
        execute(git.env("GIT_AUTHOR_DATE", "1970-01-01T00:00Z").env("GIT_COMMITTER_DATE", "1970-01-01T00:00Z"))
    };
    run(&["init", "--quiet", "--initial-branch", "main"])?;
    run(&["add", "--all"])?;
    run(&["commit", "--quiet", "--message", build.version])?;
    run(&["tag", "--annotate", "--message", build.version, build.version])?;
    let published = build.registry.folder.join(REPOSITORY);
    if published.is_dir() {
        let commit = |folder: &Path| execute(git(folder).args(["rev-parse", &format!("{}^{{commit}}", build.version)]));
        ensure!(
            commit(&published).ok() == commit(package).ok(),
            "{REPOSITORY} has another content with the tag {}; raise the version",
            build.version
        );
        return Ok(());
    }
    execute(git(build.source).args(["clone", "--quiet", "--bare"]).arg(package).arg(&published))?;
    // Its address is a path of this machine.
    execute(git(&published).args(["remote", "remove", "origin"])).map(drop)
}

/// Builds the archive with the library for Linux, which SwiftPM finds with pkg-config, and the archive with its debug information.
fn linux_library(build: &Build, out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let parts = out.join("parts");
    let glibc = released_glibc(System::Native);
    let linker = Linker::new(build.source, build.target, System::Native, glibc)?;
    let built = native::build_library(build.source, build.target, CRATE, &[SERVER_FEATURE], Optimization::Speed, &linker)?;
    let triple = cargo::host_triple()?;
    let tree = out.join(format!("vitalwire-swift-library-{}-{}", build.version, triple));
    fs::create_dir_all(tree.join("lib/pkgconfig"))?;
    let mut functions = BTreeSet::new();
    for header in [HEADER, SERVER_HEADER] {
        functions.append(&mut header_functions(&fs::read_to_string(build.source.join(header))?));
    }
    let name = format!("lib{LIBRARY}.so");
    let linked = parts.join(&name);
    fs::create_dir_all(&parts)?;
    linker.link(&LinkInput { archive: &built.archive, functions: &functions, native: &built.native, name: &name }, &linked)?;
    linker.check_exports(&linked, true, &functions)?;
    linker::check_glibc(&linked, glibc)?;
    fs::copy(&linked, tree.join("lib").join(&name))?;
    fs::write(tree.join(format!("lib/pkgconfig/{LIBRARY}.pc")), format!("{PKG_CONFIG}Version: {}\n", build.version))?;
    for file in notices::FILES {
        fs::copy(build.source.join(FOLDER).join(file), tree.join(file)).with_context(|| format!("copying {file}"))?;
    }
    fs::write(tree.join(notices::BILL), notices::bill_of_materials(build.source, CRATE)?)?;
    let archive = out.join(format!("{}.tar.gz", tree.file_name().unwrap_or_default().display()));
    fs::write(&archive, tar::archive(&tree)?)?;
    let debug = format!("vitalwire-swift-debug-{}-{triple}", build.version);
    let debug = linker::archive_debug_files(&[("", &linked)], &debug, &build.source.join(FOLDER), out)?;
    Ok(std::iter::once(archive).chain(debug).collect())
}

/// Returns a command of Swift in the folder of the visit.
fn swift(visit: &Visit) -> Command {
    let mut swift = visit.command(with_swift(visit.source));
    let registry = visit.registry.display();
    swift.env("VITALWIRE_SWIFT_BINDS", format!("{}:{registry}", visit.folder.display()));
    swift
}

fn install(visit: &Visit) -> anyhow::Result<()> {
    if let Some(missing) = missing(visit.source)? {
        anyhow::bail!("{missing}");
    }
    let triple = cargo::host_triple()?;
    let library = format!("vitalwire-swift-library-{}-{}", visit.version, triple);
    unpack(&visit.download(&format!("{library}.tar.gz"))?, visit.folder)?;
    fs::rename(visit.folder.join(library), visit.folder.join("vitalwire"))?;
    let repository = visit.registry.join(REPOSITORY);
    visit.write(
        "Package.swift",
        &format!(
            "// swift-tools-version: 6.0\nimport PackageDescription\n\nlet package = Package(\n    name: \"Stranger\",\n    dependencies: \
             [.package(url: \"file://{}\", exact: \"{}\")],\n    targets: [\n        .executableTarget(name: \"Stranger\", dependencies: \
             [\"Vitalwire\", \"VitalwireServer\"].map {{ .product(name: $0, package: \"vitalwire-swift\") }})\n    ]\n)\n",
            repository.display(),
            visit.version
        ),
    )?;
    // The third example uses the product for servers.
    let code = visit.code(&format!("{FOLDER}/README.md"), "swift", 3)?;
    visit.write("Sources/Stranger/main.swift", &format!("{BEFORE}{code}"))?;
    let mut build = swift(visit);
    build.arg("env").arg(format!("PKG_CONFIG_PATH={}", visit.folder.join("vitalwire/lib/pkgconfig").display()));
    // New folders, because SwiftPM rejects a version that had another content in an earlier rehearsal.
    build.args(["swift", "build", "--quiet", "--cache-path", "cache", "--security-path", "security"]);
    execute(&mut build).map(drop)
}

fn first_night(visit: &Visit) -> anyhow::Result<String> {
    visit.use_sandbox(swift(visit).args(["env", "LD_LIBRARY_PATH=vitalwire/lib", ".build/debug/Stranger"]))
}
