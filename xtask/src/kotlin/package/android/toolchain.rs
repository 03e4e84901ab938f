//! What builds libraries for Android: an NDK where a variable names one, else the toolchain that the project makes for itself
//! (xtask/cross).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::abis::{Abi, MIN_SDK};
use crate::cargo;
use crate::kotlin::package::repository::{CRATE, LIBRARY};
use crate::native::native_libraries;
use crate::paths;
use crate::process::must;
use crate::toolchain::{BUILD_STD, CrossToolchain};

/// Where an NDK is, as Android's own tools are told.
const NDK: &str = "ANDROID_NDK_HOME";

/// How what phones ship is compiled.
const PROFILE: &str = "mobile";

/// How a library is linked: pages may have 16 KiB, and what no function needs is left out. Relocations are packed, which Android unpacks since
/// API level 23: unpacked they are a thirtieth of the library. Functions with the same code become one.
const LINKED: [&str; 3] = ["-Wl,-z,max-page-size=16384,-z,defs,-z,relro,-z,now", "-Wl,--gc-sections,--icf=all,-s,--build-id=none", PACKED];
const PACKED: &str = "-Wl,--pack-dyn-relocs=android";

/// What clang is told where there is no NDK: the system's libraries are those of xtask/cross, for this API level.
const WITHOUT_NDK: [&str; 3] = ["-fuse-ld=lld", "-nostartfiles", "-nostdlib"];
const CROSS_SDK: u32 = 24;

/// How code is made. Each function has a row of 28 bytes in the tables for unwinding, so none is cut out of others that saves less: LLVM's own
/// limit is one byte, and half of all functions were such, on arm64.
const COMPILED: [&str; 2] = ["-C", "llvm-args=-outliner-benefit-threshold=32"];

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
    Own(CrossToolchain),
}

impl Toolchain {
    /// The one that this machine has, made where it can be.
    ///
    /// # Errors
    /// Where it can have none.
    pub(super) fn find(root: &Path, target: &Path) -> anyhow::Result<Self> {
        let kind = match std::env::var_os(NDK) {
            Some(ndk) => Kind::Ndk(programs(Path::new(&ndk))?),
            None => Kind::Own(CrossToolchain::made(root, target, "Android")?),
        };
        let target = target.join("cross");
        fs::create_dir_all(&target)?;
        Ok(Self { root: root.to_path_buf(), target, kind })
    }

    /// The library for one processor, with these functions and no other name.
    ///
    /// # Errors
    /// Where it does not compile.
    pub(super) fn build(&self, abi: &Abi, functions: &BTreeSet<String>) -> anyhow::Result<Made> {
        let mut cargo = match &self.kind {
            Kind::Ndk(_) => cargo::command(),
            Kind::Own(own) => own.command("cargo"),
        };
        cargo.current_dir(&self.root).arg("rustc");
        let mut rustflags = match &self.kind {
            Kind::Ndk(programs) => {
                let name = abi.triple.replace('-', "_");
                cargo.env(format!("CC_{name}"), clang(programs, abi)).env(format!("AR_{name}"), programs.join("llvm-ar"));
                paths::phone_rustflags(&self.root)?
            }
            Kind::Own(own) => {
                cargo.args(BUILD_STD);
                own.rustflags()?
            }
        };
        if abi.frame_pointers {
            rustflags.push("\x1f-Cforce-frame-pointers=yes");
        }
        cargo.args(["--locked", "--package", CRATE, "--lib", "--crate-type", "staticlib", "--profile", PROFILE]);
        cargo.args(["--target", abi.triple, "--target-dir"]).arg(&self.target).env("CARGO_ENCODED_RUSTFLAGS", rustflags);
        cargo.args(["--", "--print", "native-static-libs"]).args(COMPILED);
        let printed = must(&mut cargo).with_context(|| format!("building for {}", abi.triple))?;
        let native = native_libraries(&printed)?;
        let folder = self.target.join(abi.triple).join(PROFILE);
        let list = folder.join("shown.txt");
        let names: String = functions.iter().map(|name| format!("{name};\n")).collect();
        fs::write(&list, format!("{{ global:\n{names}local: *; }};\n"))?;
        let link = |options: &[&str], out: PathBuf| -> anyhow::Result<PathBuf> {
            let mut link = self.linker(abi)?;
            link.arg("-shared").args(options).arg(format!("-Wl,-soname,{}", file()));
            link.arg(format!("-Wl,--version-script={}", list.display()));
            link.arg("-Wl,--whole-archive").arg(folder.join(format!("lib{LIBRARY}.a"))).arg("-Wl,--no-whole-archive");
            must(link.args(native.split_whitespace()).arg("-o").arg(&out)).with_context(|| format!("linking for {}", abi.triple))?;
            Ok(out)
        };
        let unpacked: Vec<&str> = LINKED.into_iter().filter(|option| *option != PACKED).collect();
        Ok(Made { library: link(&LINKED, folder.join(file()))?, unpacked: link(&unpacked, folder.join("unpacked.so"))? })
    }

    /// What a library prints that is loaded and called here, where there is no Android; nothing where none of its processor can be.
    ///
    /// # Errors
    /// Where it is not loaded, or does not give what it should.
    pub(super) fn ran(&self, abi: &Abi, library: &Path) -> anyhow::Result<Option<String>> {
        let Kind::Own(own) = &self.kind else { return Ok(None) };
        if !abi.is_64_bit {
            return Ok(None);
        }
        let mut run = own.command("bash");
        run.arg(self.root.join("xtask/src/kotlin/package/android/emulated/android-run")).arg(abi.triple).arg(library);
        must(&mut run).with_context(|| format!("running the library for {}", abi.name)).map(Some)
    }

    /// What links for a processor.
    fn linker(&self, abi: &Abi) -> anyhow::Result<Command> {
        match &self.kind {
            Kind::Ndk(programs) => Ok(Command::new(clang(programs, abi))),
            Kind::Own(own) => {
                let name = abi.triple.replace('-', "_").to_uppercase();
                let program = own.variable(&format!("CARGO_TARGET_{name}_LINKER"))?;
                let libraries = program.parent().context("a linker in no folder")?;
                let mut clang = own.command("clang");
                clang.arg(format!("--target={}{CROSS_SDK}", abi.triple)).args(WITHOUT_NDK).arg(format!("-L{}", libraries.display()));
                Ok(clang)
            }
        }
    }
}

/// A library that was built.
pub(super) struct Made {
    pub(super) library: PathBuf,
    /// The same with relocations as other loaders than Android's read them.
    pub(super) unpacked: PathBuf,
}

fn clang(programs: &Path, abi: &Abi) -> PathBuf {
    programs.join(format!("{}{MIN_SDK}-clang", abi.clang))
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
