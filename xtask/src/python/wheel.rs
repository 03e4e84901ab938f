//! The wheels of the Python packages, and environments that hold them.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::build::SHARED;
use crate::cargo;
use crate::once::Once;
use crate::process::{must, write_program};
use crate::pypi::{environment, uv};

/// Folders of the packages.
pub(crate) const PACKAGES: [&str; 2] = ["bindings/python", "bindings/python/sandbox"];

/// Where the wheels of this workspace are put, below `target`.
pub(crate) const WHEELS: &str = "python/wheels";

/// The interpreter of an environment that holds the wheel of this workspace and what its tests use. The wheel is built and installed once for
/// each run of this program.
///
/// # Errors
/// Where the wheel cannot be built or installed.
pub(crate) fn interpreter(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    static MADE: Once<PathBuf> = Once::new();
    MADE.get(|| interpreter_in(root, target, "tests"))
}

/// The same in another environment, whose list begins with that of the tests.
///
/// # Errors
/// Where the wheel cannot be built or installed.
pub(crate) fn interpreter_in(root: &Path, target: &Path, list: &str) -> anyhow::Result<PathBuf> {
    let environment = environment(root, target, list)?;
    let wheel = shared_wheel(root, target, "bindings/python", "vitalwire-")?;
    // Without an index nothing but the wheel can come, so that it requires no other package.
    let mut install = uv(root, target)?;
    install.args(["pip", "install", "--quiet", "--no-index", "--reinstall", "--python"]).arg(environment.join("bin/python")).arg(wheel);
    must(&mut install)?;
    Ok(environment.join("bin/python"))
}

/// Builds the wheel of the package in a folder of what all tests share: the dev profile, with every feature. Its file's name starts as is said.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn shared_wheel(root: &Path, target: &Path, package: &str, name: &str) -> anyhow::Result<PathBuf> {
    wheel_by(root, target, package, name, &["--profile", "dev"], Some(&shared_cargo(target)?))
}

/// A cargo for maturin. That asks for one package, whose features would then be another set: it is given the build of all, in which it finds its
/// own.
///
/// # Errors
/// Where it cannot be written.
pub(crate) fn shared_cargo(target: &Path) -> anyhow::Result<PathBuf> {
    // Several steps use it.
    static MADE: Once<PathBuf> = Once::new();
    MADE.get(|| {
    let cargo = target.join("python/cargo");
    let own = cargo::program();
    let own = Path::new(&own).display();
    let script = format!(
        "#!/bin/sh\n[ \"$1\" != rustc ] || exec '{own}' build --quiet --message-format json-render-diagnostics {} --lib --bins\nexec '{own}' \"$@\"\n",
        SHARED.join(" ")
    );
    write_program(&cargo, &script)?;
    Ok(cargo)
    })
}

/// Builds the wheel of the package in a folder as its `pyproject.toml` says. Its file's name starts as is said.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn wheel(root: &Path, target: &Path, package: &str, name: &str) -> anyhow::Result<PathBuf> {
    wheel_by(root, target, package, name, &[], None)
}

fn wheel_by(root: &Path, target: &Path, package: &str, name: &str, options: &[&str], cargo: Option<&Path>) -> anyhow::Result<PathBuf> {
    let tools = environment(root, target, "tools")?;
    let wheels = target.join(WHEELS);
    let built = || -> anyhow::Result<Vec<PathBuf>> {
        let files = std::fs::read_dir(&wheels)?.collect::<Result<Vec<_>, _>>()?;
        Ok(files
            .iter()
            .map(|file| file.path())
            .filter(|path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name)))
            .collect())
    };
    std::fs::create_dir_all(&wheels)?;
    for old in built()? {
        std::fs::remove_file(old)?;
    }
    let mut build = cargo::caller(tools.join("bin/maturin"));
    build.current_dir(root.join(package)).arg("build").args(options).args(["--locked", "--out"]).arg(&wheels);
    build.env("CARGO_TARGET_DIR", target);
    if let Some(cargo) = cargo {
        // maturin takes programs and libraries away from where cargo puts them; tests that run meanwhile need theirs.
        build.env("CARGO", cargo).env("CARGO_TARGET_DIR", target.join("python/built")).env("CARGO_BUILD_BUILD_DIR", target);
    }
    must(&mut build)?;
    built()?.pop().context("maturin built no wheel")
}
