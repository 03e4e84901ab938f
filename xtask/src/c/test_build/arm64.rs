//! Programs for Linux on arm64. The library uses rustup's target or xtask/cross, the programs Debian's cross compilers and an emulator.

use std::path::Path;
use std::process::Command;

use super::configuration::CMakeConfiguration;
use crate::cargo;
use crate::native::emulator;
use crate::process::{execute, has};
use crate::toolchain::{BUILD_STD, CrossToolchain};

const TRIPLE: &str = "aarch64-unknown-linux-gnu";

const COMPILERS: [(&str, &str); 2] = [("CMAKE_C_COMPILER", "aarch64-linux-gnu-gcc"), ("CMAKE_CXX_COMPILER", "aarch64-linux-gnu-g++")];

/// Returns the missing tool, with the command that installs it.
pub(super) fn missing() -> Option<&'static str> {
    let all = has(emulator::ARM64[0]) && COMPILERS.iter().all(|(_, program)| has(program));
    (!all).then_some("no compiler or emulator for arm64; on Debian: apt install g++-aarch64-linux-gnu qemu-user")
}

pub(super) fn build(root: &Path, target: &Path) -> anyhow::Result<CMakeConfiguration> {
    let folder = target.join("cross");
    std::fs::create_dir_all(&folder)?;
    let mut cargo = cargo(root, target)?;
    cargo.args(["--locked", "--target", TRIPLE, "--package", "vitalwire-c", "--lib"]);
    execute(cargo.args(["--features", "__probe", "--crate-type", "staticlib", "--target-dir"]).arg(&folder))?;
    let mut settings: Vec<_> = COMPILERS.map(|(name, program)| (name, program.into())).into();
    settings.extend([
        ("CMAKE_SYSTEM_NAME", "Linux".into()),
        ("CMAKE_SYSTEM_PROCESSOR", "aarch64".into()),
        ("CMAKE_CROSSCOMPILING_EMULATOR", emulator::ARM64.join(";").into()),
        // Disable pkg-config, because it would find this machine's libraries.
        ("CMAKE_DISABLE_FIND_PACKAGE_PkgConfig", "ON".into()),
    ]);
    let library = folder.join(TRIPLE).join("debug/libvitalwire_c.a");
    Ok(CMakeConfiguration { folder: "c-arm64", library, needs: String::new(), probe: true, valgrind: false, settings })
}

/// Returns `cargo rustc` with a standard library for arm64.
fn cargo(root: &Path, target: &Path) -> anyhow::Result<Command> {
    if cargo::has_target(TRIPLE) {
        let mut cargo = cargo::command();
        cargo.current_dir(root).env("CC_aarch64_unknown_linux_gnu", COMPILERS[0].1).arg("rustc");
        return Ok(cargo);
    }
    let mut cargo = CrossToolchain::find_or_create(root, target, "Linux on arm64")?.command("cargo");
    cargo.arg("rustc").args(BUILD_STD);
    Ok(cargo)
}
