//! What builds libraries for Apple's systems: Xcode where it is, else the toolchain that the project makes for itself (xtask/cross).

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use super::macho::Version;
use super::slices::{Platform, Target};
use super::stand_ins;
use crate::build::program_of_cargo;
use crate::paths;
use crate::process::must;

/// Where crates are named: the wrapper that Swift stands on.
const PACKAGE: &str = "vitalwire-uniffi";

/// The library that cargo makes of it.
pub(super) const LIBRARY: &str = "libvitalwire_uniffi.a";

/// How what phones ship is compiled.
const PROFILE: &str = "mobile";

/// Exit status of with-targets where this machine can have no toolchain.
const UNAVAILABLE: i32 = 69;

/// What builds.
pub(super) struct Toolchain {
    root: PathBuf,
    /// Where cargo builds for other systems.
    target: PathBuf,
    kind: Kind,
}

enum Kind {
    /// rustup's targets, with LLVM's tools of the component `llvm-tools`.
    Xcode { tools: PathBuf },
    /// A script that runs a program where the tools are.
    Own { script: PathBuf },
}

impl Toolchain {
    /// The one that this machine has, made where it can be.
    ///
    /// # Errors
    /// Where it can have none.
    pub(super) fn find(root: &Path, target: &Path) -> anyhow::Result<Self> {
        let (root, target) = (root.to_path_buf(), target.join("cross"));
        if cfg!(target_os = "macos") {
            let sysroot = must(Command::new("rustc").args(["--print", "target-libdir"]))?;
            let tools = Path::new(sysroot.trim()).parent().context("rustc has no folder")?.join("bin");
            ensure!(tools.join("llvm-objcopy").is_file(), "LLVM's tools are missing: `rustup component add llvm-tools` brings them");
            return Ok(Self { root, target, kind: Kind::Xcode { tools } });
        }
        let script = root.join("xtask/cross/with-targets");
        let prepared = Command::new(&script).arg("--prepare").current_dir(&root).stdin(Stdio::null()).status();
        match prepared.context("with-targets cannot be started")?.code() {
            Some(0) => {}
            Some(UNAVAILABLE) => bail!("no toolchain for Apple's systems, and none can be made here"),
            _ => bail!("with-targets failed"),
        }
        fs::create_dir_all(&target)?;
        Ok(Self { root, target, kind: Kind::Own { script } })
    }

    /// The static library for one processor, as cargo makes it.
    ///
    /// # Errors
    /// Where it does not compile.
    pub(super) fn build(&self, platform: &Platform, target: &Target, oldest: Version) -> anyhow::Result<PathBuf> {
        let mut cargo = match &self.kind {
            Kind::Xcode { .. } => Command::new(program_of_cargo()),
            Kind::Own { .. } => self.own("cargo"),
        };
        cargo.current_dir(&self.root).arg("rustc");
        let rustflags = match &self.kind {
            Kind::Xcode { .. } => paths::shipped_rustflags(&self.root)?,
            Kind::Own { .. } => {
                // Debian's rustc has the standard library of other systems as sources alone.
                cargo.args(["-Z", "build-std=std,panic_unwind"]);
                self.rustflags()?
            }
        };
        cargo.args(["--locked", "--quiet", "--package", PACKAGE, "--lib", "--crate-type", "staticlib", "--profile", PROFILE]);
        cargo.args(["--target", target.triple, "--target-dir"]).arg(&self.target);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", rustflags).env(platform.variable, text(oldest));
        must(&mut cargo).with_context(|| format!("building for {}", target.triple))?;
        Ok(self.target.join(target.triple).join(PROFILE).join(LIBRARY))
    }

    /// One of LLVM's tools for object files.
    pub(super) fn llvm(&self, name: &str) -> Command {
        match &self.kind {
            Kind::Xcode { tools } => Command::new(tools.join(format!("llvm-{name}"))),
            Kind::Own { .. } => self.own(&format!("llvm-{name}")),
        }
    }

    /// Makes one library of those for several processors.
    ///
    /// # Errors
    /// Where the tool fails.
    pub(super) fn join(&self, libraries: &[PathBuf], out: &Path) -> anyhow::Result<()> {
        let mut lipo = match &self.kind {
            Kind::Xcode { .. } => Command::new("lipo"),
            Kind::Own { .. } => self.own("llvm-lipo"),
        };
        must(lipo.arg("-create").args(libraries).arg("-output").arg(out)).map(drop)
    }

    /// Links every member of libraries into a dynamic library that exports the names of a file, as the linker of an application would.
    ///
    /// # Errors
    /// Where the linker refuses; its first lines are in the text.
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
            Kind::Own { .. } => {
                let folder = self.target.join("stand-ins").join(platform.linker);
                stand_ins::write(&self.root, &self.sdk()?, platform.linker, &folder)?;
                let mut lld = self.own("ld64.lld");
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
        must(linker.arg("-o").arg(out)).map(drop)
    }

    fn own(&self, program: &str) -> Command {
        let Kind::Own { script } = &self.kind else { return Command::new(program) };
        let mut command = Command::new(script);
        // The target folder may be outside the workspace: it must be shown inside.
        command.current_dir(&self.root).env("VITALWIRE_CROSS_BINDS", self.target.parent().unwrap_or(&self.target)).arg(program);
        command
    }

    /// A variable that is set where the tools are.
    fn variable(&self, name: &str) -> anyhow::Result<PathBuf> {
        Ok(must(self.own("printenv").arg(name))?.trim().into())
    }

    fn sdk(&self) -> anyhow::Result<PathBuf> {
        self.variable("VITALWIRE_CROSS_SDK")
    }

    fn rustflags(&self) -> anyhow::Result<OsString> {
        Ok(paths::rustflags_with(&self.root, &self.variable("CARGO_HOME")?))
    }
}

fn text((major, minor): Version) -> String {
    format!("{major}.{minor}")
}
