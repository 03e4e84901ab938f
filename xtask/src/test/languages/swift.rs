//! XCTest, with an installed Swift or one made for it (xtask/swift/with-swift).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use super::uniffi::{mirror, probe, write};
use crate::codegen;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, must, show, target};

/// with-swift's exit status where this machine can have no Swift.
const UNAVAILABLE: i32 = 69;

/// Builds the native library and runs the package's tests.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing(&context.root)? {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    // Made first: the library without probe must be the one that stays.
    let library = probe(context)?;
    must(&mut native(&context.root))?;
    let mut test = Package::shipped(&context.root, &context.target).command(&["test"]);
    let ran = show(context.told(&mut test))?.counted(Count::xctest);
    let (Outcome::Ran(mut count), Outcome::Ran(crossing)) = (ran, show(&mut probed(context, &library)?)?.counted(Count::xctest)) else {
        return Ok(Outcome::Ran(Count::failed()));
    };
    count += if crossing == Count::default() { Count::failed() } else { crossing };
    Ok(Outcome::Ran(count))
}

/// The tests of the echo probe, in a copy of the package that has it.
fn probed(context: &Context, library: &Path) -> anyhow::Result<Command> {
    let (from, folder) = (context.root.join("bindings/swift"), context.target.join("swift-probe"));
    let package = Package {
        root: &context.root,
        target: &context.target,
        folder: folder.join("package"),
        scratch: folder.join("build"),
        libraries: library.parent().unwrap_or(&folder).to_path_buf(),
    };
    let bindings = codegen::uniffi_bindings(&context.root, library)?;
    // Where a file of the shipped package is in the copy.
    let copied = |path: &str| path.strip_prefix("bindings/swift/").map(|below| package.folder.join(below));
    let files: Vec<_> = bindings.iter().filter_map(|file| Some((copied(&file.path)?, file.text.as_bytes()))).collect();
    let keep: Vec<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
    mirror(&from.join("Sources"), &package.folder.join("Sources"), &keep)?;
    for (path, bytes) in files {
        write(&path, bytes)?;
    }
    for (name, place) in [("Package.swift", "Package.swift"), ("ProbeTests.swift", "Tests/ProbeTests/ProbeTests.swift")] {
        write(&package.folder.join(place), &std::fs::read(from.join("Tests/Probe").join(name))?)?;
    }
    Ok(package.command(&["test"]))
}

/// What is missing to build anything for Swift, once a toolchain was made where one can be.
pub(crate) fn missing(root: &Path) -> anyhow::Result<Option<&'static str>> {
    let prepared = Command::new(with_swift(root)).arg("--prepare").current_dir(root).stdout(Stdio::null()).status();
    let prepared = prepared.context("with-swift cannot be started")?;
    Ok((prepared.code() == Some(UNAVAILABLE)).then_some("no Swift, and none can be made here (xtask/swift/with-swift says why)"))
}

/// The command of the conformance cases' runner, built: with-swift's own arguments come first.
pub(crate) fn conformance_runner(root: &Path) -> anyhow::Result<String> {
    const NAME: &str = "ConformanceRunner";
    let target = target(root)?;
    must(&mut native(root))?;
    must(&mut Package::shipped(root, &target).command(&["build", "--product", NAME]))?;
    Ok(format!(
        "env VITALWIRE_SWIFT_BINDS={target} {} env LD_LIBRARY_PATH={target}/debug {target}/swift/debug/{NAME}",
        with_swift(root).display(),
        target = target.display(),
    ))
}

/// What builds the native library.
fn native(root: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["build", "--package", "vitalwire-uniffi", "--lib"]);
    cargo
}

fn with_swift(root: &Path) -> PathBuf {
    root.join("xtask/swift/with-swift")
}

/// A Swift package and the folder of its native library.
struct Package<'a> {
    root: &'a Path,
    target: &'a Path,
    folder: PathBuf,
    scratch: PathBuf,
    libraries: PathBuf,
}

impl<'a> Package<'a> {
    /// What users install.
    fn shipped(root: &'a Path, target: &'a Path) -> Self {
        Self { root, target, folder: root.join("bindings/swift"), scratch: target.join("swift"), libraries: target.join("debug") }
    }

    /// A command of SwiftPM.
    fn command(&self, command: &[&str]) -> Command {
        let mut swift = Command::new(with_swift(self.root));
        // The target folder may be outside the workspace: with-swift must show it inside its root.
        swift.current_dir(self.root).env("VITALWIRE_SWIFT_BINDS", self.target);
        swift.arg("env").arg(format!("LD_LIBRARY_PATH={}", self.libraries.display())).arg("swift").args(command);
        swift.arg("--package-path").arg(&self.folder).arg("--scratch-path").arg(&self.scratch);
        swift.arg("-Xlinker").arg(format!("-L{}", self.libraries.display()));
        swift
    }
}
