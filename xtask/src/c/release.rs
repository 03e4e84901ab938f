//! The C and C++ package: an archive with headers, libraries and descriptions for CMake, Meson and pkg-config.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::ensure;

use super::package::package;
use super::tools;
use crate::archive::unpack;
use crate::cargo;
use crate::ecosystem::{Build, Client, Ecosystem, Visit};
use crate::native::{Optimization, System, emulator, linker::released_glibc};
use crate::process::{execute, has};
use crate::pypi;

pub(super) const ECOSYSTEMS: [Ecosystem; 1] =
    [Ecosystem { name: "c", build, publish: Some(publish), clients: &[CMAKE, MESON, PKG_CONFIG] }];

const CMAKE: Client = Client { name: "cmake", missing: tools::missing, install: with_cmake, first_night, expected: EXPECTED };
const MESON: Client = Client { name: "meson", missing: missing_meson, install: with_meson, first_night, expected: EXPECTED };
const PKG_CONFIG: Client =
    Client { name: "pkg-config", missing: missing_pkg_config, install: with_pkg_config, first_night, expected: EXPECTED };

const EXPECTED: &str = "deep ";

const README: &str = "bindings/c/README.md";

/// A project that names the package, and its programs by linkage and language.
pub(super) const PROJECT: &str = "bindings/c/tests/installed";
pub(super) const PROGRAMS: [(&str, &str); 4] = [("shared", "c"), ("shared", "cpp"), ("static", "c"), ("static", "cpp")];

fn build(build: &Build) -> anyhow::Result<()> {
    let out = build.target.join("c-package");
    for system in build.systems(&[System::LinuxArm64, System::Windows]) {
        let made = package(build.source, build.target, &out, Optimization::Speed, system, released_glibc(system))?;
        if system != System::Native {
            use_in_emulator(build, system, &made.package)?;
        }
        for archive in made.all() {
            build.registry.publish(archive, &archive.file_name().unwrap_or_default().to_string_lossy())?;
        }
    }
    Ok(())
}

/// Builds [`PROJECT`] with an archive for another system, and runs its programs in an emulator, if one is installed. The clients use only
/// the archive for this system.
fn use_in_emulator(build: &Build, system: System, archive: &Path) -> anyhow::Result<()> {
    let (folder, triple) = (tempfile::tempdir()?, system.triple()?);
    unpack(archive, folder.path())?;
    let package = folder.path().join(format!("vitalwire-c-{}-{triple}", build.version));
    let built = folder.path().join("built");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(build.source.join(PROJECT)).arg("-B").arg(&built).arg(format!("-DCMAKE_PREFIX_PATH={}", package.display()));
    configure.arg(format!("-DCMAKE_SYSTEM_NAME={}", if system == System::Windows { "Windows" } else { "Linux" }));
    if system == System::Windows {
        // The runtime of the compiler, which Wine does not find.
        configure.arg("-DCMAKE_EXE_LINKER_FLAGS=-static");
    }
    for (variable, tool) in [("CMAKE_C_COMPILER", "gcc"), ("CMAKE_CXX_COMPILER", "g++")] {
        configure.arg(format!("-D{variable}={}", system.tool(tool).get_program().display()));
    }
    execute(&mut configure)?;
    execute(Command::new("cmake").arg("--build").arg(&built))?;
    let end = if system == System::Windows { ".exe" } else { "" };
    for (kind, language) in PROGRAMS {
        let program = built.join(format!("{kind}_{language}{end}"));
        // A folder for Wine that other threads do not use.
        let Some(mut command) = emulator::command(build.source, &build.target.join("c-package"), system, &program)? else {
            crate::print_line(&format!("== skipping programs for {triple}: {}", emulator::MISSING));
            return Ok(());
        };
        // On Windows, the shared library is in this folder.
        let printed = execute(command.env("WINEPATH", package.join("bin")))?;
        ensure!(printed.contains("an id of "), "{} for {triple} printed:\n{printed}", program.display());
    }
    Ok(())
}

fn publish(build: &Build, packages: &Path) -> anyhow::Result<()> {
    build.registry.publish_folder(packages)
}

fn missing_meson() -> Option<&'static str> {
    tools::missing().or_else(pypi::missing).or_else(missing_pkg_config)
}

fn missing_pkg_config() -> Option<&'static str> {
    (!has("pkg-config") || !has("cc")).then_some("pkg-config or a C compiler is missing; on Debian: apt install gcc pkg-config")
}

/// Downloads the archive, unpacks it and writes the first program of the README. Returns the folder of the package.
fn unpack_package(visit: &Visit) -> anyhow::Result<PathBuf> {
    let triple = cargo::host_triple()?;
    let name = format!("vitalwire-c-{}-{}", visit.version, triple);
    let archive = visit.download(&format!("{name}.tar.gz"))?;
    unpack(&archive, visit.folder)?;
    visit.write("app.c", &visit.code(README, "c", 1)?)?;
    Ok(visit.folder.join(name))
}

fn with_cmake(visit: &Visit) -> anyhow::Result<()> {
    let package = unpack_package(visit)?;
    visit.write(
        "CMakeLists.txt",
        &format!(
            "cmake_minimum_required(VERSION 3.16)\nproject(stranger LANGUAGES C)\nfind_package(Vitalwire {} EXACT REQUIRED)\n\
             add_executable(app app.c)\ntarget_link_libraries(app PRIVATE Vitalwire::vitalwire)\n",
            visit.version
        ),
    )?;
    execute(visit.command("cmake").args(["-S", ".", "-B", "built"]).arg(format!("-DCMAKE_PREFIX_PATH={}", package.display())))?;
    execute(visit.command("cmake").args(["--build", "built"])).map(drop)
}

fn with_meson(visit: &Visit) -> anyhow::Result<()> {
    let package = unpack_package(visit)?;
    visit.write(
        "meson.build",
        "project('stranger', 'c', default_options: ['c_std=c11'])\n\
         executable('app', 'app.c', dependencies: dependency('vitalwire', static: true))\n",
    )?;
    let tools = pypi::environment(visit.source, visit.target, "meson")?.join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tools.clone()).chain(std::env::split_paths(&path)))?;
    let mut setup = visit.command(tools.join("meson"));
    setup.args(["setup", "built", "--pkg-config-path"]).arg(pkg_config_path(&package)).env("PATH", &path);
    execute(&mut setup)?;
    execute(visit.command(tools.join("meson")).args(["compile", "-C", "built"]).env("PATH", path)).map(drop)
}

fn with_pkg_config(visit: &Visit) -> anyhow::Result<()> {
    let package = unpack_package(visit)?;
    let build = "mkdir built && cc app.c $(pkg-config --cflags --libs vitalwire-static) -o built/app";
    execute(visit.command("sh").args(["-c", build]).env("PKG_CONFIG_PATH", pkg_config_path(&package))).map(drop)
}

fn pkg_config_path(package: &Path) -> PathBuf {
    package.join("lib/pkgconfig")
}

fn first_night(visit: &Visit) -> anyhow::Result<String> {
    visit.use_sandbox(&mut visit.command(visit.folder.join("built/app")))
}
