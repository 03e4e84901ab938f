//! What builds libraries for Android: an NDK where a variable names one, else the toolchain that the project makes for itself
//! (xtask/cross).

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::MIN_SDK;
use super::abis::Abi;
use crate::build::program_of_cargo;
use crate::package::maven::{CRATE, LIBRARY};
use crate::package::own_toolchain::{BUILD_STD, OwnToolchain};
use crate::paths;
use crate::process::must;

/// Where an NDK is, as Android's own tools are told.
const NDK: &str = "ANDROID_NDK_HOME";

/// How what phones ship is compiled.
const PROFILE: &str = "mobile";

/// What the NDK's linker is told; that of xtask/cross knows it. Pages may have 16 KiB, and no name of a static library is shown.
const LINKER_OPTIONS: [&str; 3] = ["-Clink-arg=-Wl,-z,max-page-size=16384", "-Clink-arg=-Wl,-z,defs", "-Clink-arg=-Wl,--exclude-libs,ALL"];

/// What builds.
pub(super) struct Toolchain {
    root: PathBuf,
    /// Where cargo builds for other systems.
    target: PathBuf,
    kind: Kind,
}

enum Kind {
    /// The NDK's folder of programs, with rustup's targets.
    Ndk(PathBuf),
    Own(OwnToolchain),
}

impl Toolchain {
    /// The one that this machine has, made where it can be.
    ///
    /// # Errors
    /// Where it can have none.
    pub(super) fn find(root: &Path, target: &Path) -> anyhow::Result<Self> {
        let kind = match std::env::var_os(NDK) {
            Some(ndk) => Kind::Ndk(programs(Path::new(&ndk))?),
            None => Kind::Own(OwnToolchain::made(root, target, "Android")?),
        };
        let target = target.join("cross");
        fs::create_dir_all(&target)?;
        Ok(Self { root: root.to_path_buf(), target, kind })
    }

    /// The library for one processor.
    ///
    /// # Errors
    /// Where it does not compile.
    pub(super) fn build(&self, abi: &Abi) -> anyhow::Result<PathBuf> {
        let mut cargo = match &self.kind {
            Kind::Ndk(_) => Command::new(program_of_cargo()),
            Kind::Own(own) => own.command("cargo"),
        };
        cargo.current_dir(&self.root).arg("rustc");
        let rustflags = match &self.kind {
            Kind::Ndk(programs) => {
                let clang = programs.join(format!("{}{MIN_SDK}-clang", abi.clang));
                let name = abi.triple.replace('-', "_");
                cargo.env(format!("CC_{name}"), &clang).env(format!("AR_{name}"), programs.join("llvm-ar"));
                cargo.env(format!("CARGO_TARGET_{}_LINKER", name.to_uppercase()), &clang);
                let shipped = [paths::shipped_rustflags(&self.root)?];
                let all: Vec<OsString> = shipped.into_iter().chain(LINKER_OPTIONS.map(OsString::from)).collect();
                all.join("\x1f".as_ref())
            }
            Kind::Own(own) => {
                cargo.args(BUILD_STD);
                own.rustflags()?
            }
        };
        cargo.args(["--locked", "--quiet", "--package", CRATE, "--lib", "--crate-type", "cdylib", "--profile", PROFILE]);
        cargo.args(["--target", abi.triple, "--target-dir"]).arg(&self.target).env("CARGO_ENCODED_RUSTFLAGS", rustflags);
        must(&mut cargo).with_context(|| format!("building for {}", abi.triple))?;
        Ok(self.target.join(abi.triple).join(PROFILE).join(file()))
    }
}

/// What the library's file is called.
pub(super) fn file() -> String {
    format!("lib{LIBRARY}.so")
}

/// The folder of an NDK's programs for the system that it is on.
fn programs(ndk: &Path) -> anyhow::Result<PathBuf> {
    let hosts = ndk.join("toolchains/llvm/prebuilt");
    let found = fs::read_dir(&hosts).with_context(|| format!("{NDK} names no NDK: there is no {}", hosts.display()))?;
    let mut folders = found.map(|entry| Ok(entry?.path().join("bin"))).collect::<anyhow::Result<Vec<_>>>()?;
    folders.retain(|folder| folder.join("llvm-ar").is_file());
    ensure!(folders.len() == 1, "{} has {} folders with programs", hosts.display(), folders.len());
    Ok(folders.remove(0))
}
