//! The Python packages, in an index of the simple repository API.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::archive::unpack;
use crate::ecosystem::{Build, Client, Ecosystem, Visit, remove_registry_variables, show_night};
use crate::folder;
use crate::native::linker::{released_glibc, zig_variables};
use crate::native::{System, debug_variables, emulator};
use crate::paths::release_rustflags;
use crate::process::execute;
use crate::pypi::{self, environment, uv};
use crate::python::wheel::PACKAGES;

pub(super) const PYPI: Ecosystem = Ecosystem { name: "pypi", build, publish: Some(publish), clients: &[PIP, UV] };

const PIP: Client = Client { name: "pip", missing: pypi::missing, install: install_with_pip, first_night, expected: EXPECTED };
const UV: Client = Client { name: "uv", missing: pypi::missing, install: install_with_uv, first_night, expected: EXPECTED };

/// Folder of the built packages below the target folder.
const RELEASED: &str = "python/released";

const EXPECTED: &str = "deep";

/// Package that a user installs. The extra `sandbox` adds the program.
const WANTED: &str = "vitalwire[sandbox]";

/// Other systems that packages are built for.
const OTHERS: [System; 3] = [System::LinuxArm64, System::LinuxMusl, System::Windows];

/// Folder of the archives with debug information, below the folder of the packages.
pub(crate) const DEBUG: &str = "debug";

/// Builds the wheels and source distributions of a release into a folder. On Linux, moves debug information into archives below [`DEBUG`].
///
/// # Errors
/// If a package cannot be built.
pub(crate) fn build_packages(root: &Path, target: &Path, folder: &Path) -> anyhow::Result<()> {
    build_wheels(root, target, System::Native, &PACKAGES, folder)?;
    PACKAGES.iter().try_for_each(|package| run_maturin(root, target, System::Native, &root.join(package), &["sdist"], folder))
}

/// Builds the wheels of packages for a system. On Linux, moves debug information into archives below [`DEBUG`].
fn build_wheels(root: &Path, target: &Path, system: System, packages: &[&str], folder: &Path) -> anyhow::Result<()> {
    let options = [vec!["build".to_owned(), "--locked".to_owned()], system.cargo_options()?, tag_options(system)].concat();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    packages.iter().try_for_each(|package| run_maturin(root, target, system, &root.join(package), &options, folder))?;
    if cfg!(target_os = "linux") {
        let mut split = Command::new(environment(root, target, "shipping")?.join("bin/python"));
        split.env("OBJCOPY", system.tool("objcopy").get_program()).envs(zig_variables(target));
        execute(split.arg(root.join("xtask/python/split_debug.py")).arg(folder).arg(folder.join(DEBUG)))?;
    }
    Ok(())
}

/// Returns the manylinux or musllinux tag of wheels for a Linux system. `None` for other systems.
fn platform_tag(system: System) -> Option<String> {
    match (system, released_glibc(system)) {
        (System::LinuxMusl, _) => Some("musllinux_1_2".to_owned()),
        (_, glibc) => glibc.map(|(major, minor)| format!("manylinux_{major}_{minor}")),
    }
}

/// Returns maturin's options for the tags of wheels. Zig links wheels for Linux.
fn tag_options(system: System) -> Vec<String> {
    platform_tag(system).map_or(Vec::new(), |standard| vec!["--zig".to_owned(), "--compatibility".to_owned(), standard])
}

/// Returns whether a file is the sandbox's wheel for a system.
fn is_sandbox_wheel(file: &str, system: System) -> bool {
    let fits =
        platform_tag(system).map_or(!file.contains("linux_"), |standard| file.contains(&format!("{standard}_{}", system.processor())));
    fits && file.starts_with("vitalwire_sandbox-") && file.ends_with(".whl")
}

/// Runs maturin for a system in the folder of a package, with the settings of a release.
///
/// # Errors
/// If it fails.
pub(crate) fn run_maturin(root: &Path, target: &Path, system: System, package: &Path, options: &[&str], out: &Path) -> anyhow::Result<()> {
    let tools = environment(root, target, "shipping")?.join("bin");
    let mut maturin = system.command(root, target, &tools.join("maturin"))?;
    // Zig is a module in this environment.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tools).chain(std::env::split_paths(&path)))?;
    maturin.current_dir(package).args(options).arg("--out").arg(out).env("PATH", path).env_remove("RUSTC_WORKSPACE_WRAPPER");
    let mut rustflags = release_rustflags(root, target)?;
    if cfg!(target_os = "linux") {
        rustflags.push("\x1f-Clink-arg=-Wl,--build-id=sha1");
        match system {
            // Zig has the start files, which a compiled standard library lacks.
            System::LinuxMusl => rustflags.push("\x1f-Clink-self-contained=no"),
            System::Windows => {
                rustflags.push("\x1f-Clink-arg=-Wl,--no-insert-timestamp");
                // `cargo xtask` sets it. For Windows, maturin rejects this file for pyo3; cargo reads it from its settings.
                maturin.env_remove("PYO3_CONFIG_FILE");
            }
            System::Native | System::LinuxArm64 => {}
        }
        maturin.envs(debug_variables("wheel")).envs(zig_variables(target));
    }
    execute(maturin.env("CARGO_TARGET_DIR", target).env("CARGO_ENCODED_RUSTFLAGS", rustflags)).map(drop)
}

fn build(build: &Build) -> anyhow::Result<()> {
    let made = build.target.join(RELEASED);
    folder::remove(&made)?;
    for system in build.systems(&OTHERS) {
        let made = made.join(system.triple()?);
        if system == System::Native {
            build_packages(build.source, build.target, &made)?;
        } else {
            build_wheels(build.source, build.target, system, &PACKAGES, &made)?;
        }
        publish(build, &made)?;
        released_program(build, system, &made.join("program"))?;
    }
    Ok(())
}

/// Publishes the packages in a folder.
fn publish(build: &Build, packages: &Path) -> anyhow::Result<()> {
    for file in folder::files(packages)? {
        let name = folder::relative_name(&file, packages)?;
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
        remove_registry_variables(uv.current_dir(visit.folder));
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

/// Unpacks the program from the sandbox's wheel below `into`, and returns the paths of the program and, on Linux, of its debug information.
/// Builds the wheel if this rehearsal has not published it. Runs the program, unless its emulator is missing.
///
/// # Errors
/// If the wheel cannot be built, or has no program, or the program fails.
pub(super) fn released_program(build: &Build, system: System, into: &Path) -> anyhow::Result<(PathBuf, Option<PathBuf>)> {
    let [_, sandbox] = PACKAGES;
    let mut made = build.registry.folder.with_file_name(PYPI.name).join("simple/vitalwire-sandbox");
    if !made.is_dir() {
        made = into.join("packages");
        build_wheels(build.source, build.target, system, &[sandbox], &made)?;
    }
    let named = |file: &PathBuf| file.file_name().is_some_and(|name| is_sandbox_wheel(&name.to_string_lossy(), system));
    let wheel = folder::files(&made)?.into_iter().find(named).context("there is no wheel of the sandbox")?;
    let name = wheel.file_stem().unwrap_or_default().to_string_lossy();
    let debug = format!("{DEBUG}/{}.tar.gz", name.replace("vitalwire_sandbox", "vitalwire-sandbox-python-debug"));
    let debug = wheel.ancestors().map(|folder| folder.join(&debug)).find(|file| file.is_file());
    let unpacked = into.join("unpacked");
    unpack(&wheel, &unpacked)?;
    let program = folder::files(&unpacked)?.into_iter().find(|file| file.with_extension("").ends_with("scripts/vitalwire"));
    let program = program.context("the wheel of the sandbox has no program")?;
    #[cfg(unix)]
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let triple = system.triple()?;
    match emulator::command(build.source, build.target, system, &program)? {
        Some(mut command) => drop(show_night(&mut command).with_context(|| format!("running the program for {triple}"))?),
        None => crate::print_line(&format!("== skipping the program for {triple}: {}", emulator::MISSING)),
    }
    Ok((program, debug))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheels_state_their_system() {
        let options = |standard| ["--zig", "--compatibility", standard];
        assert_eq!(tag_options(System::LinuxArm64), options("manylinux_2_17"));
        assert_eq!(tag_options(System::LinuxMusl), options("musllinux_1_2"));
        assert_eq!(tag_options(System::Windows), [""; 0]);
    }

    #[test]
    fn the_wheel_of_a_system_is_found() {
        let arm64 = "vitalwire_sandbox-0.1.0-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl";
        let musl = "vitalwire_sandbox-0.1.0-py3-none-musllinux_1_2_x86_64.whl";
        let windows = "vitalwire_sandbox-0.1.0-py3-none-win_amd64.whl";
        let others = ["vitalwire-0.1.0-cp310-abi3-win_amd64.whl", "vitalwire_sandbox-0.1.0.tar.gz"];
        for (system, wheel) in [(System::LinuxArm64, arm64), (System::LinuxMusl, musl), (System::Windows, windows)] {
            let found: Vec<&str> = others.into_iter().chain([arm64, musl, windows]).filter(|file| is_sandbox_wheel(file, system)).collect();
            assert_eq!(found, [wheel]);
        }
    }
}
