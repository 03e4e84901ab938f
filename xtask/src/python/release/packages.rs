//! The Python packages, in an index of the simple repository API.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::archive::unpack;
use crate::cargo;
use crate::ecosystem::{Build, Client, Ecosystem, Visit};
use crate::folder;
use crate::native::debug_variables;
use crate::native::linker::zig_variables;
use crate::paths::release_rustflags;
use crate::process::execute;
use crate::pypi::{self, environment, uv};
use crate::python::wheel::PACKAGES;

pub(super) const PYPI: Ecosystem = Ecosystem { name: "pypi", build, clients: &[PIP, UV] };

const PIP: Client = Client { name: "pip", missing: pypi::missing, install: install_with_pip, first_night, expected: EXPECTED };
const UV: Client = Client { name: "uv", missing: pypi::missing, install: install_with_uv, first_night, expected: EXPECTED };

/// Folder of the built packages below the target folder.
const RELEASED: &str = "python/released";

const EXPECTED: &str = "deep";

/// Package that a user installs. The extra `sandbox` adds the program.
const WANTED: &str = "vitalwire[sandbox]";

/// Options of maturin on Linux. Zig links the wheels for systems with glibc 2.17 or newer.
const LINUX: [&str; 3] = ["--zig", "--compatibility", "manylinux_2_17"];

/// Folder of the archives with debug information, below the folder of the packages.
pub(crate) const DEBUG: &str = "debug";

/// Builds the wheels and source distributions of a release into a folder. On Linux, moves debug information into archives below [`DEBUG`].
///
/// # Errors
/// If a package cannot be built.
pub(crate) fn build_packages(root: &Path, target: &Path, folder: &Path) -> anyhow::Result<()> {
    PACKAGES.iter().try_for_each(|package| build_package(root, target, &root.join(package), folder))?;
    split_debug_information(root, target, folder)
}

/// Builds the wheel and the source distribution of a package.
fn build_package(root: &Path, target: &Path, package: &Path, folder: &Path) -> anyhow::Result<()> {
    let old: &[&str] = if cfg!(target_os = "linux") { &LINUX } else { &[] };
    run_maturin(root, target, package, &[&["build", "--locked"], old].concat(), folder)?;
    run_maturin(root, target, package, &["sdist"], folder)
}

fn split_debug_information(root: &Path, target: &Path, folder: &Path) -> anyhow::Result<()> {
    if cfg!(target_os = "linux") {
        let mut split = Command::new(environment(root, target, "shipping")?.join("bin/python"));
        execute(split.arg(root.join("xtask/python/split_debug.py")).arg(folder).arg(folder.join(DEBUG)))?;
    }
    Ok(())
}

/// Runs maturin in the folder of a package, with the options of a release.
///
/// # Errors
/// If it fails.
pub(crate) fn run_maturin(root: &Path, target: &Path, package: &Path, options: &[&str], out: &Path) -> anyhow::Result<()> {
    let tools = environment(root, target, "shipping")?.join("bin");
    let mut maturin = cargo::clean_command(tools.join("maturin"));
    // Zig is a module in this environment.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tools).chain(std::env::split_paths(&path)))?;
    maturin.current_dir(package).args(options).arg("--out").arg(out).env("PATH", path).env_remove("RUSTC_WORKSPACE_WRAPPER");
    let mut rustflags = release_rustflags(root, target)?;
    if cfg!(target_os = "linux") {
        rustflags.push("\x1f-Clink-arg=-Wl,--build-id=sha1");
        maturin.envs(debug_variables("wheel")).envs(zig_variables(target));
    }
    execute(maturin.env("CARGO_TARGET_DIR", target).env("CARGO_ENCODED_RUSTFLAGS", rustflags)).map(drop)
}

fn build(build: &Build) -> anyhow::Result<()> {
    let made = build.target.join(RELEASED);
    folder::remove(&made)?;
    build_packages(build.source, build.target, &made)?;
    for file in folder::files(&made)? {
        let name = folder::relative_name(&file, &made)?;
        if name.starts_with(DEBUG) {
            build.registry.publish(&file, &name)?;
            continue;
        }
        let (project, _) = name.split_once('-').with_context(|| format!("{name} has no version"))?;
        build.registry.publish(&file, &format!("simple/{}/{name}", project.replace('_', "-")))?;
    }
    Ok(())
}

/// Returns the address of the index.
fn index(visit: &Visit) -> String {
    format!("{}/simple/", visit.address)
}

fn python(visit: &Visit) -> PathBuf {
    visit.folder.join("venv/bin/python")
}

fn install_with_pip(visit: &Visit) -> anyhow::Result<()> {
    execute(visit.command("python3").args(["-m", "venv", "venv"]))?;
    let mut pip = visit.command(python(visit));
    pip.args(["-I", "-m", "pip", "--isolated", "install", "--quiet", "--no-cache-dir", "--disable-pip-version-check", "--index-url"])
        .arg(index(visit));
    execute(pip.arg(WANTED)).map(drop)
}

fn install_with_uv(visit: &Visit) -> anyhow::Result<()> {
    let uv = || -> anyhow::Result<_> {
        let mut uv = uv(visit.source, visit.target)?;
        uv.current_dir(visit.folder);
        Ok(uv)
    };
    execute(uv()?.args(["venv", "--quiet", "--python", "python3", "venv"]))?;
    let mut install = uv()?;
    install
        .args(["pip", "install", "--no-config", "--quiet", "--no-cache", "--python"])
        .arg(python(visit))
        .arg("--index-url")
        .arg(index(visit));
    execute(install.arg(WANTED)).map(drop)
}

/// Runs the first examples of the README, which start the sandbox of the installed package.
fn first_night(visit: &Visit) -> anyhow::Result<String> {
    visit.write("night.py", &visit.code("bindings/python/README.md", "python", 2)?)?;
    execute(visit.command(python(visit)).args(["-I", "night.py"]))
}

/// Unpacks the program from the wheel of the sandbox below `into`, and returns the program's path. Builds the wheel if this rehearsal has
/// not published it.
///
/// # Errors
/// If the wheel cannot be built, or has no program.
pub(super) fn released_program(build: &Build, into: &Path) -> anyhow::Result<PathBuf> {
    let [_, sandbox] = PACKAGES;
    let mut made = build.registry.folder.with_file_name(PYPI.name).join("simple/vitalwire-sandbox");
    if !made.is_dir() {
        made = into.join("packages");
        build_package(build.source, build.target, &build.source.join(sandbox), &made)?;
        split_debug_information(build.source, build.target, &made)?;
    }
    let is_sandbox = |file: &PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("vitalwire_sandbox-"));
    let wheel = folder::files(&made)?.into_iter().find(|file| is_sandbox(file) && file.extension().is_some_and(|end| end == "whl"));
    let unpacked = into.join("unpacked");
    unpack(&wheel.context("there is no wheel of the sandbox")?, &unpacked)?;
    let program = folder::files(&unpacked)?.into_iter().find(|file| file.ends_with("scripts/vitalwire"));
    program.context("the wheel of the sandbox has no program")
}
