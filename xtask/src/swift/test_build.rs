//! The Swift package compiled for tests, conformance cases and measures, in a copy that has the test-only functions.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;

use super::bindings::{BINDINGS, GENERATOR};
use super::places::{FOLDER, MANIFEST};
use super::snippets;
use super::toolchain::{Toolchain, with_swift};
use crate::build::target;
use crate::folder;
use crate::once::Once;
use crate::process::must;
use crate::uniffi::{ProbePackage, library_folder};

/// The command of the conformance cases' runner, built: with-swift's own arguments come first.
pub(super) fn conformance_runner(root: &Path) -> anyhow::Result<String> {
    let package = compiled(root)?;
    Ok(format!(
        "env VITALWIRE_SWIFT_BINDS={} {} env LD_LIBRARY_PATH={} {}/debug/ConformanceRunner",
        package.target.display(),
        with_swift(root).display(),
        package.libraries.display(),
        package.scratch().display(),
    ))
}

/// Where the tests of the probe are in the copy.
const PROBE: &str = "Tests/VitalwireTests/ProbeTests.swift";
const LEAKS: &str = "Tests/VitalwireTests/LeakTests.swift";

/// Counts the handles of the module below, at the end of its bindings: its maps are private to its file.
const HANDLES: &str = "
/// How many objects and calls of this side the library holds.
public func probeForeignHandles() -> Int {
    uniffiContinuationHandleMap.count + uniffiForeignFutureHandleCountVitalwire()
        + FfiConverterTypeAttemptListener.handleMap.count + FfiConverterTypeTokenProvider.handleMap.count
        + FfiConverterTypeRangeObserver.handleMap.count + FfiConverterTypeWaitObserver.handleMap.count
}
";

/// Where the snippets of its documentation are in the copy, as tests.
const SNIPPETS: &str = "Tests/VitalwireTests/SnippetTests.swift";

/// How the compiler is called. Nobody debugs this copy: without debugging information and a module at once, it takes two thirds of the time.
/// With one thread SwiftPM does not find what a program of one file became. Whatever it warns of is an error: applications would see it, too.
const COMPILER: [&str; 5] = ["-whole-module-optimization", "-num-threads", "2", "-gnone", "-warnings-as-errors"];

/// The copy of the package with the probe, and the folder of its native library.
#[derive(Clone)]
pub(super) struct Package {
    toolchain: Toolchain,
    root: PathBuf,
    target: PathBuf,
    libraries: PathBuf,
}

/// Builds the copy: library, tests, conformance runner.
pub(super) fn compiled(root: &Path) -> anyhow::Result<Package> {
    static MADE: Once<Package> = Once::new();
    MADE.get(|| compiled_by(root, Toolchain::Usual))
}

/// Builds a copy by a toolchain.
///
/// # Errors
/// Where it does not compile.
pub(super) fn compiled_by(root: &Path, toolchain: Toolchain) -> anyhow::Result<Package> {
    let package = Package { toolchain, root: root.to_path_buf(), target: target(root)?, libraries: library_folder(root)? };
    let copy = ProbePackage {
        from: FOLDER,
        to: &package.folder(),
        generator: &GENERATOR,
        folders: &["Sources", "Tests/VitalwireTests", "Tests/ConformanceRunner", "Examples", "Bench"],
        files: &[(MANIFEST, MANIFEST), (PROBE, "Tests/Probe/ProbeTests.swift"), (LEAKS, "Tests/Probe/LeakTests.swift")],
        written: &[(SNIPPETS, snippets::tests(&root.join(FOLDER))?)],
        added: &[(BINDINGS, HANDLES)],
    };
    copy.write(root)?;
    must(&mut package.command("build", &["--build-tests"]))?;
    Ok(package)
}

/// The command of the program that measures the package: an optimised build of it and of the native library in `libraries`.
///
/// # Errors
/// Where it cannot be built.
pub(super) fn bench(root: &Path, libraries: PathBuf) -> anyhow::Result<Command> {
    let compiled = compiled(root)?;
    let scratch = compiled.target.join("swift/bench");
    let package = Package { libraries, ..compiled };
    must(&mut package.built_in(&scratch, "build", &["-c", "release", "--product", "Bench", "-Xswiftc", "-DVITALWIRE_PROBE"]))?;
    let mut bench = package.with_libraries();
    bench.arg(scratch.join("release/Bench"));
    Ok(bench)
}

/// Seconds that a debug build of an application takes which nobody built before, with the package in it, by SwiftPM's own options.
///
/// # Errors
/// Where it cannot be built.
pub(super) fn clean_build(root: &Path) -> anyhow::Result<f64> {
    let package = compiled(root)?;
    let scratch = package.beside("clean");
    folder::remove(&scratch)?;
    let started = Instant::now();
    must(package.by(&scratch, "build", &[]).args(["--product", "LastNight"]))?;
    Ok(started.elapsed().as_secs_f64())
}

impl Package {
    fn folder(&self) -> PathBuf {
        self.beside("package")
    }

    fn scratch(&self) -> PathBuf {
        self.beside("build")
    }

    /// A program of the package, as it was built.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.scratch().join("debug").join(name)
    }

    /// A folder beside the copy.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.target.join(self.toolchain.folder()).join(name)
    }

    /// The compiler alone, in the package's language, with the modules of these folders, and else those of the package.
    pub(super) fn compiler(&self, modules: &[&Path]) -> Command {
        let mut compiler = self.with_libraries();
        compiler.args(["swiftc", "-swift-version", "6"]);
        for folder in modules.iter().copied().chain([self.scratch().join("debug/Modules").as_path()]) {
            compiler.arg("-I").arg(folder);
        }
        compiler.arg("-Xcc").arg(format!("-fmodule-map-file={}", self.folder().join("Sources/CVitalwireFFI/module.modulemap").display()));
        compiler
    }

    /// Where SwiftPM puts the symbol graphs that it dumps: beside the configuration that it builds, in the folder of the platform.
    ///
    /// # Errors
    /// Where the build is not there.
    pub(super) fn symbol_graphs(&self) -> anyhow::Result<PathBuf> {
        let built = self.scratch().join("debug").canonicalize().context("there is no build of the Swift package")?;
        Ok(built.parent().context("the build is in no folder")?.join("symbolgraph"))
    }

    /// A command of SwiftPM, and its arguments.
    pub(super) fn command(&self, command: &str, arguments: &[&str]) -> Command {
        self.built_in(&self.scratch(), command, arguments)
    }

    fn built_in(&self, scratch: &Path, command: &str, arguments: &[&str]) -> Command {
        let mut swift = self.by(scratch, command, &COMPILER);
        swift.args(arguments);
        swift
    }

    /// A command of SwiftPM, with these options of the compiler.
    fn by(&self, scratch: &Path, command: &str, compiler: &[&str]) -> Command {
        let mut swift = self.with_libraries();
        swift.arg("swift").arg(command).arg("--package-path").arg(self.folder()).arg("--scratch-path").arg(scratch);
        swift.args(compiler.iter().flat_map(|option| ["-Xswiftc", option]));
        swift.arg("-Xlinker").arg(format!("-L{}", self.libraries.display()));
        swift
    }

    /// Runs what its arguments name where Swift and the native library are.
    fn with_libraries(&self) -> Command {
        let mut command = self.toolchain.command(&self.root);
        // The target folder may be outside the workspace: with-swift must show it inside its root.
        command.env("VITALWIRE_SWIFT_BINDS", &self.target);
        command.arg("env").arg(format!("LD_LIBRARY_PATH={}", self.libraries.display()));
        command
    }
}
