//! Toolchain for Android libraries: the NDK in the environment variable, or else the project's own toolchain (xtask/cross).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::abis::{Abi, MIN_SDK};
use crate::cargo;
use crate::kotlin::package::repository::{CRATE, LIBRARY};
use crate::native::{debug_variables, linker, native_libraries};
use crate::paths;
use crate::process::execute;
use crate::toolchain::{BUILD_STD, CrossToolchain};
use crate::uniffi::check_phone_library;

/// Environment variable with the NDK's folder, as in Android's tools.
const NDK: &str = "ANDROID_NDK_HOME";

/// Cargo profile of libraries for phones.
const PROFILE: &str = "mobile";

/// Linker options: support pages of 16 KiB, drop unused sections and merge identical functions. Relocations are packed, which Android
/// supports since API level 23; unpacked they would be a thirtieth of the library.
const LINK_OPTIONS: [&str; 3] =
    ["-Wl,-z,max-page-size=16384,-z,defs,-z,relro,-z,now", "-Wl,--gc-sections,--icf=all,--build-id=sha1", PACK_RELOCATIONS];
const PACK_RELOCATIONS: &str = "-Wl,--pack-dyn-relocs=android";

/// Clang options without an NDK: use the system libraries of xtask/cross for this API level.
const WITHOUT_NDK: [&str; 3] = ["-fuse-ld=lld", "-nostartfiles", "-nostdlib"];
const CROSS_SDK: u32 = 24;

/// Code generation options. Each function adds a row of 28 bytes to the unwind tables, so outlining must save more than that. LLVM's
/// default is one byte; with it, half of all functions on arm64 were outlined ones.
const CODEGEN_OPTIONS: [&str; 2] = ["-C", "llvm-args=-outliner-benefit-threshold=32"];

pub(super) struct Toolchain {
    root: PathBuf,
    /// Cargo's target folder for other systems.
    target: PathBuf,
    kind: Kind,
}

enum Kind {
    /// The NDK's folder of programs, with rustup's targets.
    Ndk(PathBuf),
    Cross(CrossToolchain),
}

impl Toolchain {
    /// Finds the toolchain of this machine, or builds one if possible.
    ///
    /// # Errors
    /// If none is available.
    pub(super) fn find(root: &Path, target: &Path) -> anyhow::Result<Self> {
        let kind = match std::env::var_os(NDK) {
            Some(ndk) => Kind::Ndk(programs(Path::new(&ndk))?),
            None => Kind::Cross(CrossToolchain::find_or_create(root, target, "Android")?),
        };
        let target = target.join("cross");
        fs::create_dir_all(&target)?;
        Ok(Self { root: root.to_path_buf(), target, kind })
    }

    /// Builds the library for one ABI. The library exports only `functions`.
    ///
    /// # Errors
    /// If it does not compile.
    pub(super) fn build(&self, abi: &Abi, functions: &BTreeSet<String>) -> anyhow::Result<AndroidLibrary> {
        let mut cargo = match &self.kind {
            Kind::Ndk(_) => cargo::command(),
            Kind::Cross(cross) => cross.command("cargo"),
        };
        cargo.current_dir(&self.root).arg("rustc");
        let mut rustflags = match &self.kind {
            Kind::Ndk(programs) => {
                let name = abi.triple.replace('-', "_");
                cargo.env(format!("CC_{name}"), clang(programs, abi)).env(format!("AR_{name}"), programs.join("llvm-ar"));
                paths::phone_rustflags(&self.root)?
            }
            Kind::Cross(cross) => {
                cargo.args(BUILD_STD);
                cross.rustflags()?
            }
        };
        if abi.frame_pointers {
            rustflags.push("\x1f-Cforce-frame-pointers=yes");
        }
        cargo.args(["--locked", "--package", CRATE, "--lib", "--crate-type", "staticlib", "--profile", PROFILE]);
        cargo.args(["--target", abi.triple, "--target-dir"]).arg(&self.target).env("CARGO_ENCODED_RUSTFLAGS", rustflags);
        cargo.args(["--", "--print", "native-static-libs"]).args(CODEGEN_OPTIONS).envs(debug_variables(PROFILE));
        let printed = execute(&mut cargo).with_context(|| format!("building for {}", abi.triple))?;
        let native = native_libraries(&printed)?;
        let folder = self.target.join(abi.triple).join(PROFILE);
        let archive = folder.join(format!("lib{LIBRARY}.a"));
        check_phone_library(&fs::read(&archive)?)?;
        let list = folder.join("shown.txt");
        let names: String = functions.iter().map(|name| format!("{name};\n")).collect();
        fs::write(&list, format!("{{ global:\n{names}local: *; }};\n"))?;
        let link = |options: &[&str], out: PathBuf| -> anyhow::Result<PathBuf> {
            let mut link = self.linker(abi)?;
            link.arg("-shared").args(options).arg(format!("-Wl,-soname,{}", file_name()));
            link.arg(format!("-Wl,--version-script={}", list.display()));
            link.arg("-Wl,--whole-archive").arg(&archive).arg("-Wl,--no-whole-archive");
            execute(link.args(native.split_whitespace()).arg("-o").arg(&out)).with_context(|| format!("linking for {}", abi.triple))?;
            linker::split_debug_information(&out, || self.objcopy())?;
            Ok(out)
        };
        let unpacked: Vec<&str> = LINK_OPTIONS.into_iter().filter(|option| *option != PACK_RELOCATIONS).collect();
        Ok(AndroidLibrary {
            library: link(&LINK_OPTIONS, folder.join(file_name()))?,
            unpacked: link(&unpacked, folder.join("unpacked.so"))?,
        })
    }

    /// Loads and calls a library on this machine, without Android. Returns its output, or `None` if its processor cannot be emulated.
    ///
    /// # Errors
    /// If the library is not loaded or has unexpected output.
    pub(super) fn run_emulated(&self, abi: &Abi, library: &Path) -> anyhow::Result<Option<String>> {
        let Kind::Cross(cross) = &self.kind else { return Ok(None) };
        if !abi.is_64_bit {
            return Ok(None);
        }
        let mut run = cross.command("bash");
        run.arg(self.root.join("xtask/src/kotlin/package/android/emulated/android-run")).arg(abi.triple).arg(library);
        execute(&mut run).with_context(|| format!("running the library for {}", abi.name)).map(Some)
    }

    fn objcopy(&self) -> Command {
        match &self.kind {
            Kind::Ndk(programs) => Command::new(programs.join("llvm-objcopy")),
            Kind::Cross(cross) => cross.command("llvm-objcopy"),
        }
    }

    /// Returns the linker for a processor.
    fn linker(&self, abi: &Abi) -> anyhow::Result<Command> {
        match &self.kind {
            Kind::Ndk(programs) => Ok(Command::new(clang(programs, abi))),
            Kind::Cross(cross) => {
                let name = abi.triple.replace('-', "_").to_uppercase();
                let program = cross.variable(&format!("CARGO_TARGET_{name}_LINKER"))?;
                let libraries = program.parent().context("the linker has no folder")?;
                let mut clang = cross.command("clang");
                clang.arg(format!("--target={}{CROSS_SDK}", abi.triple)).args(WITHOUT_NDK).arg(format!("-L{}", libraries.display()));
                Ok(clang)
            }
        }
    }
}

/// A library with packed and with unpacked relocations.
pub(super) struct AndroidLibrary {
    pub(super) library: PathBuf,
    /// The library with unpacked relocations, which loaders other than Android's can read.
    pub(super) unpacked: PathBuf,
}

fn clang(programs: &Path, abi: &Abi) -> PathBuf {
    programs.join(format!("{}{MIN_SDK}-clang", abi.clang))
}

/// Returns the file name of the library.
pub(super) fn file_name() -> String {
    format!("lib{LIBRARY}.so")
}

/// Returns the folder of an NDK's programs for this system.
fn programs(ndk: &Path) -> anyhow::Result<PathBuf> {
    let hosts = ndk.join("toolchains/llvm/prebuilt");
    let found = fs::read_dir(&hosts).with_context(|| format!("{NDK} must be the folder of an NDK; missing: {}", hosts.display()))?;
    let mut folders = found.map(|entry| Ok(entry?.path().join("bin"))).collect::<anyhow::Result<Vec<_>>>()?;
    folders.retain(|folder| folder.join("llvm-ar").is_file());
    ensure!(folders.len() == 1, "{} must have one folder with programs, not {}", hosts.display(), folders.len());
    Ok(folders.remove(0))
}
