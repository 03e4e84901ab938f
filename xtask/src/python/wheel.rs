//! Wheels of the Python packages, and environments with them.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::build::SHARED;
use crate::cargo;
use crate::once::Once;
use crate::process::{execute, write_program};
use crate::pypi::{environment, uv};

/// Folders of the packages.
pub(crate) const PACKAGES: [&str; 2] = ["bindings/python", "bindings/python/sandbox"];

/// Folder of this workspace's wheels, below `target`.
pub(crate) const WHEELS: &str = "python/wheels";

/// Returns the interpreter of an environment with the wheel of this workspace and the packages of its tests. Builds and installs the wheel
/// once per process.
///
/// # Errors
/// If the wheel cannot be built or installed.
pub(crate) fn interpreter(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    static CACHE: Once<PathBuf> = Once::new();
    CACHE.get(|| interpreter_in(root, target, "tests"))
}

/// Like [`interpreter`], with another list of packages.
///
/// # Errors
/// If the wheel cannot be built or installed.
pub(crate) fn interpreter_in(root: &Path, target: &Path, list: &str) -> anyhow::Result<PathBuf> {
    let environment = environment(root, target, list)?;
    let wheel = shared_wheel(root, target, "bindings/python", "vitalwire-")?;
    // Without an index, the installation proves that the wheel needs no other package.
    let mut install = uv(root, target)?;
    install.args(["pip", "install", "--quiet", "--no-index", "--reinstall", "--python"]).arg(environment.join("bin/python")).arg(wheel);
    execute(&mut install)?;
    Ok(environment.join("bin/python"))
}

/// Builds the wheel of the package in a folder with the shared test build: the dev profile and every feature. `name` is the prefix of its
/// file name.
///
/// # Errors
/// If it cannot be built.
pub(crate) fn shared_wheel(root: &Path, target: &Path, package: &str, name: &str) -> anyhow::Result<PathBuf> {
    build_wheel(root, target, package, name, &["--profile", "dev"], Some(&shared_cargo(target)?))
}

/// Returns a replacement of cargo for maturin. maturin builds a single package, which would change the features. The replacement returns
/// the shared build of all packages.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn shared_cargo(target: &Path) -> anyhow::Result<PathBuf> {
    // Several steps share the replacement.
    static CACHE: Once<PathBuf> = Once::new();
    CACHE.get(|| {
        let cargo = target.join("python/cargo");
        let own = cargo::program();
        let own = Path::new(&own).display();
        // The library of one package needs no program to be linked.
        let script = format!(
            "#!/bin/sh\n[ \"$1\" = rustc ] || exec '{own}' \"$@\"\n\
         case \" $* \" in *' --lib '*) part=--lib ;; *) part=--bins ;; esac\n\
         exec '{own}' build --quiet --message-format json-render-diagnostics {} $part\n",
            SHARED.join(" ")
        );
        write_program(&cargo, &script)?;
        Ok(cargo)
    })
}

/// Builds the wheel of the package in a folder with the settings of its `pyproject.toml`. `name` is the prefix of its file name.
///
/// # Errors
/// If it cannot be built.
pub(crate) fn wheel(root: &Path, target: &Path, package: &str, name: &str) -> anyhow::Result<PathBuf> {
    build_wheel(root, target, package, name, &[], None)
}

fn build_wheel(root: &Path, target: &Path, package: &str, name: &str, options: &[&str], cargo: Option<&Path>) -> anyhow::Result<PathBuf> {
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
    let mut build = cargo::clean_command(tools.join("bin/maturin"));
    build.current_dir(root.join(package)).arg("build").args(options).args(["--locked", "--out"]).arg(&wheels);
    build.env("CARGO_TARGET_DIR", target);
    if let Some(cargo) = cargo {
        // Use another target folder: maturin moves programs and libraries, which parallel tests need.
        build.env("CARGO", cargo).env("CARGO_TARGET_DIR", target.join("python/built")).env("CARGO_BUILD_BUILD_DIR", target);
    }
    execute(&mut build)?;
    built()?.pop().context("maturin built no wheel")
}
