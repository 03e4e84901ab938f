//! The Swift package, with an installed Swift or one made for it (xtask/swift/with-swift): its tests and the
//! conformance runner are compiled once, in a copy that has the echo probe.

mod snippets;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context as _;

use super::uniffi::{library_folder, package_with_probe};
use crate::build::target;
use crate::once::Once;
use crate::process::must;

/// with-swift's exit status where this machine can have no Swift.
const UNAVAILABLE: i32 = 69;

/// What is missing to build anything for Swift, once a toolchain was made where one can be.
pub(crate) fn missing(root: &Path) -> anyhow::Result<Option<&'static str>> {
    static PREPARED: Once<Option<i32>> = Once::new();
    let prepared = PREPARED.get(|| {
        let status = Command::new(with_swift(root)).arg("--prepare").current_dir(root).stdin(Stdio::null()).stdout(Stdio::null()).status();
        Ok(status.context("with-swift cannot be started")?.code())
    })?;
    Ok((prepared == Some(UNAVAILABLE)).then_some("no Swift, and none can be made here (xtask/swift/with-swift says why)"))
}

/// The command of the conformance cases' runner, built: with-swift's own arguments come first.
pub(crate) fn conformance_runner(root: &Path) -> anyhow::Result<String> {
    let package = compiled(root)?;
    Ok(format!(
        "env VITALWIRE_SWIFT_BINDS={} {} env LD_LIBRARY_PATH={} {}/debug/ConformanceRunner",
        package.target.display(),
        with_swift(root).display(),
        package.libraries.display(),
        package.scratch().display(),
    ))
}

/// The program that runs others where a Swift toolchain is.
pub(crate) fn with_swift(root: &Path) -> PathBuf {
    root.join("xtask/swift/with-swift")
}

/// The package's place in the workspace.
pub(crate) const FOLDER: &str = "bindings/swift";
/// Where its articles are in it.
pub(crate) const ARTICLES: &str = "Sources/Vitalwire/Vitalwire.docc";
/// Where the tests of the probe are in the copy.
const PROBE: &str = "Tests/VitalwireTests/ProbeTests.swift";
const LEAKS: &str = "Tests/VitalwireTests/LeakTests.swift";

/// Where the handles of the module below are counted: its maps are private to its file.
const BELOW: &str = "Sources/VitalwireFFI/Generated/VitalwireFFI.swift";
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
pub(crate) struct Package {
    root: PathBuf,
    target: PathBuf,
    libraries: PathBuf,
}

/// Builds the copy: library, tests, conformance runner.
pub(crate) fn compiled(root: &Path) -> anyhow::Result<Package> {
    static MADE: Once<Package> = Once::new();
    MADE.get(|| {
        let package = Package { root: root.to_path_buf(), target: target(root)?, libraries: library_folder(root)? };
        let further = [("Package.swift", "Package.swift"), (PROBE, "Tests/Probe/ProbeTests.swift"), (LEAKS, "Tests/Probe/LeakTests.swift")];
        let folders = ["Sources", "Tests/VitalwireTests", "Tests/ConformanceRunner", "Examples", "Bench"];
        let snippets = snippets::tests(&root.join(FOLDER))?;
        package_with_probe(root, FOLDER, &package.folder(), &folders, &further, &[(SNIPPETS, snippets)], &[(BELOW, HANDLES)])?;
        must(&mut package.command("build", &["--build-tests"]))?;
        Ok(package)
    })
}

/// The command of the program that measures the package: an optimised build of it and of the native library in `libraries`.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn bench(root: &Path, libraries: PathBuf) -> anyhow::Result<Command> {
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
pub(crate) fn clean_build(root: &Path) -> anyhow::Result<f64> {
    let package = compiled(root)?;
    let scratch = package.beside("clean");
    if scratch.exists() {
        std::fs::remove_dir_all(&scratch).with_context(|| format!("{} cannot be deleted", scratch.display()))?;
    }
    let started = Instant::now();
    must(package.by(&scratch, "build", &[]).args(["--product", "LastNight"]))?;
    Ok(started.elapsed().as_secs_f64())
}

impl Package {
    fn folder(&self) -> PathBuf {
        self.target.join("swift/package")
    }

    fn scratch(&self) -> PathBuf {
        self.target.join("swift/build")
    }

    /// A program of the package, as it was built.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.scratch().join("debug").join(name)
    }

    /// A folder beside the copy.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.target.join("swift").join(name)
    }

    /// The compiler alone, in the package's language, with the modules of these folders, and else those of the package.
    pub(crate) fn compiler(&self, modules: &[&Path]) -> Command {
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
    pub(crate) fn symbol_graphs(&self) -> anyhow::Result<PathBuf> {
        let built = self.scratch().join("debug").canonicalize().context("there is no build of the Swift package")?;
        Ok(built.parent().context("the build is in no folder")?.join("symbolgraph"))
    }

    /// A command of SwiftPM, and its arguments.
    pub(crate) fn command(&self, command: &str, arguments: &[&str]) -> Command {
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
        let mut command = Command::new(with_swift(&self.root));
        // The target folder may be outside the workspace: with-swift must show it inside its root.
        command.current_dir(&self.root).env("VITALWIRE_SWIFT_BINDS", &self.target);
        command.arg("env").arg(format!("LD_LIBRARY_PATH={}", self.libraries.display()));
        command
    }
}
