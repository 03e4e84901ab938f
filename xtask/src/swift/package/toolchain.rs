//! Toolchain for Apple's libraries: Xcode if installed, otherwise the project's own toolchain (xtask/cross).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::macho::Version;
use super::slices::{Platform, Target};
use super::symbol_lists;
use crate::cargo;
use crate::native::debug_variables;
use crate::paths;
use crate::process::execute;
use crate::toolchain::{BUILD_STD, CrossToolchain};
use crate::uniffi::SERVER_FEATURE;

/// The crate of the library that Swift calls.
pub(super) const PACKAGE: &str = "vitalwire-uniffi";

/// Name of the library that cargo builds.
pub(super) const LIBRARY: &str = "libvitalwire_uniffi.a";

/// Cargo profile of libraries for phones.
const PROFILE: &str = "mobile";

pub(super) struct Toolchain {
    root: PathBuf,
    /// Cargo's target folder for other systems.
    target: PathBuf,
    kind: Kind,
}

enum Kind {
    /// rustup's targets, with LLVM's tools of the component `llvm-tools`.
    Xcode { tools: PathBuf },
    /// The project's own toolchain.
    Cross(CrossToolchain),
}

impl Toolchain {
    /// Finds the toolchain of this machine, or builds one if possible.
    ///
    /// # Errors
    /// If none is available.
    pub(super) fn find(root: &Path, target: &Path) -> anyhow::Result<Self> {
        let folder = target.join("cross");
        if cfg!(target_os = "macos") {
            let sysroot = execute(Command::new("rustc").args(["--print", "target-libdir"]))?;
            let tools = Path::new(sysroot.trim()).parent().context("rustc's target-libdir has no parent")?.join("bin");
            ensure!(tools.join("llvm-objcopy").is_file(), "LLVM's tools are missing: run `rustup component add llvm-tools`");
            return Ok(Self { root: root.to_path_buf(), target: folder, kind: Kind::Xcode { tools } });
        }
        let cross = CrossToolchain::find_or_create(root, target, "Apple's systems")?;
        fs::create_dir_all(&folder)?;
        Ok(Self { root: root.to_path_buf(), target: folder, kind: Kind::Cross(cross) })
    }

    /// Builds the static library for one processor with cargo, with line tables.
    ///
    /// # Errors
    /// If it does not compile.
    pub(super) fn build(&self, platform: &Platform, target: &Target, oldest: Version) -> anyhow::Result<PathBuf> {
        let mut cargo = match &self.kind {
            Kind::Xcode { .. } => cargo::command(),
            Kind::Cross(cross) => cross.command("cargo"),
        };
        cargo.current_dir(&self.root).arg("rustc");
        let rustflags = match &self.kind {
            Kind::Xcode { .. } => paths::phone_rustflags(&self.root)?,
            Kind::Cross(cross) => {
                cargo.args(BUILD_STD);
                cross.rustflags()?
            }
        };
        cargo.args(["--locked", "--quiet", "--package", PACKAGE, "--lib", "--crate-type", "staticlib", "--profile", PROFILE]);
        if platform.server {
            cargo.args(["--features", SERVER_FEATURE]);
        }
        cargo.args(["--target", target.triple, "--target-dir"]).arg(&self.target);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", rustflags).env(platform.variable, text(oldest));
        cargo.envs(debug_variables(PROFILE));
        execute(&mut cargo).with_context(|| format!("building for {}", target.triple))?;
        Ok(self.target.join(target.triple).join(PROFILE).join(LIBRARY))
    }

    /// Returns a command of an LLVM tool for object files.
    pub(super) fn llvm(&self, name: &str) -> Command {
        match &self.kind {
            Kind::Xcode { tools } => Command::new(tools.join(format!("llvm-{name}"))),
            Kind::Cross(cross) => cross.command(&format!("llvm-{name}")),
        }
    }

    /// Combines the libraries for several processors into one.
    ///
    /// # Errors
    /// If the tool fails.
    pub(super) fn join(&self, libraries: &[PathBuf], out: &Path) -> anyhow::Result<()> {
        let mut lipo = match &self.kind {
            Kind::Xcode { .. } => Command::new("lipo"),
            Kind::Cross(cross) => cross.command("llvm-lipo"),
        };
        execute(lipo.arg("-create").args(libraries).arg("-output").arg(out)).map(drop)
    }

    /// Links every member of libraries into a dynamic library that exports the names in a file, as an application's linker would.
    ///
    /// # Errors
    /// If the linker fails. The error has the first lines of its output.
    pub(super) fn link(&self, slice: (&Platform, &Target, Version), libraries: &[&Path], exports: &Path, out: &Path) -> anyhow::Result<()> {
        let (platform, target, oldest) = slice;
        let oldest = text(oldest);
        let mut linker = match &self.kind {
            Kind::Xcode { .. } => {
                let variant = if platform.plist.1.is_some() { "-simulator" } else { "" };
                let system = if platform.plist.0 == "macos" { "macosx" } else { "ios" };
                let mut clang = Command::new("xcrun");
                clang.args(["--sdk", platform.sdk, "clang", "-dynamiclib", "-target"]);
                clang.arg(format!("{}-apple-{system}{oldest}{variant}", target.processor)).args(["-Xlinker", "-dead_strip"]);
                clang.args(["-Xlinker", "-x", "-Xlinker", "-exported_symbols_list", "-Xlinker"]).arg(exports);
                for library in libraries {
                    clang.args(["-Xlinker", "-force_load", "-Xlinker"]).arg(library);
                }
                clang
            }
            Kind::Cross(cross) => {
                let folder = self.target.join("stand-ins").join(platform.linker);
                symbol_lists::write(&self.root, &cross.variable("VITALWIRE_CROSS_SDK")?, platform.linker, &folder)?;
                let mut lld = cross.command("ld64.lld");
                lld.args(["-dylib", "-arch", target.processor, "-platform_version", platform.linker, &oldest, &oldest]);
                lld.args(["-dead_strip", "-x", "-exported_symbols_list"]).arg(exports).arg("-F").arg(&folder).arg("-L").arg(&folder);
                lld.arg("-lSystem");
                for library in libraries {
                    lld.arg("-force_load").arg(library);
                }
                lld
            }
        };
        for framework in platform.frameworks {
            linker.args(["-framework", framework]);
        }
        execute(linker.arg("-o").arg(out)).map(drop)
    }
}

fn text((major, minor): Version) -> String {
    format!("{major}.{minor}")
}
