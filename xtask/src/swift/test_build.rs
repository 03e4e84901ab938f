//! Test build of the Swift package, for tests, conformance cases and benchmarks: a copy with the test-only functions.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;

use super::bindings::{BINDINGS, GENERATOR};
use super::layout::{FOLDER, MANIFEST};
use super::snippets;
use super::toolchain::{Toolchain, with_swift};
use crate::build::target;
use crate::folder;
use crate::once::Once;
use crate::process::execute;
use crate::uniffi::{ProbePackage, library_folder};

/// Builds the conformance runner and returns its command, as arguments of with-swift.
pub(super) fn conformance_runner(root: &Path) -> anyhow::Result<String> {
    let package = compile(root)?;
    Ok(format!(
        "env VITALWIRE_SWIFT_BINDS={} {} env LD_LIBRARY_PATH={} {}/debug/ConformanceRunner",
        package.target.display(),
        with_swift(root).display(),
        package.libraries.display(),
        package.scratch().display(),
    ))
}

/// Path of the probe's tests in the copy.
const PROBE: &str = "Tests/VitalwireTests/ProbeTests.swift";
const LEAKS: &str = "Tests/VitalwireTests/LeakTests.swift";

/// Counts the handles of the lower module, at the end of its bindings, because its maps are private to that file.
const HANDLES: &str = "
/// Returns the number of Swift objects and calls that the library holds.
public func probeForeignHandles() -> Int {
    uniffiContinuationHandleMap.count + uniffiForeignFutureHandleCountVitalwire()
        + FfiConverterTypeAttemptListener.handleMap.count + FfiConverterTypeTokenProvider.handleMap.count
        + FfiConverterTypeRangeObserver.handleMap.count + FfiConverterTypeWaitObserver.handleMap.count
}
";

/// Path of the documentation snippets in the copy, as tests.
const SNIPPETS: &str = "Tests/VitalwireTests/SnippetTests.swift";

/// Compiler options. Without debug information and with whole-module optimization, the build takes two thirds of the time. SwiftPM fails
/// with one thread if a module has a single file. Warnings are errors, because applications would see them.
pub(super) const COMPILER: [&str; 5] = ["-whole-module-optimization", "-num-threads", "2", "-gnone", "-warnings-as-errors"];

/// The copy of the package with the probe, and the folder of its native library.
#[derive(Clone)]
pub(super) struct Package {
    toolchain: Toolchain,
    root: PathBuf,
    target: PathBuf,
    libraries: PathBuf,
}

/// Builds the copy: library, tests and conformance runner.
pub(super) fn compile(root: &Path) -> anyhow::Result<Package> {
    static CACHE: Once<Package> = Once::new();
    CACHE.get(|| compile_with(root, Toolchain::Stable))
}

/// Builds a copy with a toolchain.
///
/// # Errors
/// If it does not compile.
pub(super) fn compile_with(root: &Path, toolchain: Toolchain) -> anyhow::Result<Package> {
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
    execute(&mut package.command("build", &["--build-tests"]))?;
    Ok(package)
}

/// Builds the benchmark program with optimizations and the native library in `libraries`. Returns its command.
///
/// # Errors
/// If it cannot be built.
pub(super) fn bench(root: &Path, libraries: PathBuf) -> anyhow::Result<Command> {
    let compiled = compile(root)?;
    let scratch = compiled.target.join("swift/bench");
    let package = Package { libraries, ..compiled };
    execute(&mut package.command_in(&scratch, "build", &["-c", "release", "--product", "Bench", "-Xswiftc", "-DVITALWIRE_PROBE"]))?;
    let mut bench = package.with_libraries();
    bench.arg(scratch.join("release/Bench"));
    Ok(bench)
}

/// Measures a clean debug build of an application with the package, with SwiftPM's default options. Returns seconds.
///
/// # Errors
/// If it cannot be built.
pub(super) fn clean_build(root: &Path) -> anyhow::Result<f64> {
    let package = compile(root)?;
    let scratch = package.sibling_folder("clean");
    folder::remove(&scratch)?;
    let started = Instant::now();
    execute(package.command_with(&scratch, "build", &[]).args(["--product", "LastNight"]))?;
    Ok(started.elapsed().as_secs_f64())
}

impl Package {
    fn folder(&self) -> PathBuf {
        self.sibling_folder("package")
    }

    fn scratch(&self) -> PathBuf {
        self.sibling_folder("build")
    }

    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.scratch().join("debug").join(name)
    }

    /// Returns the path of a folder beside the copy.
    pub(super) fn sibling_folder(&self, name: &str) -> PathBuf {
        self.target.join(self.toolchain.folder()).join(name)
    }

    /// Returns a command of the compiler in the package's language mode, with the modules of these folders, then those of the package.
    pub(super) fn compiler(&self, modules: &[&Path]) -> Command {
        let mut compiler = self.with_libraries();
        compiler.args(["swiftc", "-swift-version", "6"]);
        for folder in modules.iter().copied().chain([self.scratch().join("debug/Modules").as_path()]) {
            compiler.arg("-I").arg(folder);
        }
        compiler.arg("-Xcc").arg(format!("-fmodule-map-file={}", self.folder().join("Sources/CVitalwireFFI/module.modulemap").display()));
        compiler
    }

    /// Returns the folder to which SwiftPM writes symbol graphs: beside the build configuration, in the platform's folder.
    ///
    /// # Errors
    /// If the package has not been built.
    pub(super) fn symbol_graphs(&self) -> anyhow::Result<PathBuf> {
        let built = self.scratch().join("debug").canonicalize().context("the Swift package must be built first")?;
        Ok(built.parent().context("the build folder has no parent")?.join("symbolgraph"))
    }

    /// Returns a SwiftPM command and its arguments.
    pub(super) fn command(&self, command: &str, arguments: &[&str]) -> Command {
        self.command_in(&self.scratch(), command, arguments)
    }

    fn command_in(&self, scratch: &Path, command: &str, arguments: &[&str]) -> Command {
        let mut swift = self.command_with(scratch, command, &COMPILER);
        swift.args(arguments);
        swift
    }

    /// Returns a SwiftPM command with these compiler options.
    fn command_with(&self, scratch: &Path, command: &str, compiler: &[&str]) -> Command {
        let mut swift = self.with_libraries();
        swift.arg("swift").arg(command).arg("--package-path").arg(self.folder()).arg("--scratch-path").arg(scratch);
        swift.args(compiler.iter().flat_map(|option| ["-Xswiftc", option]));
        swift.arg("-Xlinker").arg(format!("-L{}", self.libraries.display()));
        swift
    }

    /// Returns a command that runs its arguments with Swift and the native library.
    pub(super) fn with_libraries(&self) -> Command {
        let mut command = self.toolchain.command(&self.root);
        // The target folder may be outside the workspace, so with-swift must mount it.
        command.env("VITALWIRE_SWIFT_BINDS", &self.target);
        command.arg("env").arg(format!("LD_LIBRARY_PATH={}", self.libraries.display()));
        command
    }
}
