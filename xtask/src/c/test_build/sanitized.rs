//! The programs with code that watches itself, in Rust, C and C++: by a nightly compiler, which has a runtime for it, and a standard library
//! that is compiled in the same way.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::configuration::Configuration;
use super::nightly;
use crate::process::must;

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sanitizer {
    /// Accesses to memory, and what is never freed; in C and C++ also what has no defined behaviour.
    Address,
    /// Accesses of several threads to the same memory.
    Thread,
}

impl Sanitizer {
    /// What rustc calls it.
    const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
        }
    }

    /// What our own code is told. The table of handles has a lock, which would put in order what is not.
    const fn condition(self) -> &'static str {
        match self {
            Self::Address => "",
            Self::Thread => " --cfg race_detector",
        }
    }

    /// Folder of the programs, below the target folder.
    const fn folder(self) -> &'static str {
        match self {
            Self::Address => "c-address",
            Self::Thread => "c-thread",
        }
    }

    /// How much rustc optimises: unoptimised, a body of 20 MiB takes longer than a case may where each access is looked at.
    const fn optimisation(self) -> &'static str {
        match self {
            Self::Address => "1",
            Self::Thread => "0",
        }
    }

    /// What compilers of C and C++ are told. `vptr` alone wants a further runtime.
    const fn flags(self) -> &'static str {
        match self {
            Self::Address => "-g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined",
            Self::Thread => "-g -fsanitize=thread",
        }
    }

    /// Its runtime.
    const fn runtime(self) -> &'static str {
        match self {
            Self::Address => "librustc-nightly_rt.asan.a",
            Self::Thread => "librustc-nightly_rt.tsan.a",
        }
    }
}

/// The only system for which this is written.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// What is missing.
pub(super) fn missing() -> Option<&'static str> {
    let fits = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if fits { nightly::missing() } else { Some("only for Linux on x86-64") }
}

/// cargo of the nightly toolchain for code that watches itself: a command, with what it needs, in a target folder of its own. What follows
/// the command is up to the caller.
///
/// # Errors
/// Where there are no sources of a standard library.
pub(crate) fn cargo(root: &Path, target: &Path, sanitizer: Sanitizer, command: &str) -> anyhow::Result<Command> {
    let folder = target.join("sanitized").join(sanitizer.name());
    let mut cargo = nightly::cargo(root, target, TRIPLE, &folder, command)?;
    cargo.env("RUSTFLAGS", format!("-Zsanitizer={}{}", sanitizer.name(), sanitizer.condition()));
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", sanitizer.optimisation());
    Ok(cargo)
}

/// Builds the library.
pub(super) fn configuration(root: &Path, target: &Path, sanitizer: Sanitizer) -> anyhow::Result<Configuration> {
    let mut cargo = cargo(root, target, sanitizer, "rustc")?;
    must(cargo.args(["--package", "vitalwire-c", "--lib", "--features", "__probe", "--crate-type", "staticlib"]))?;
    let library = target.join("sanitized").join(sanitizer.name()).join(TRIPLE).join("debug/libvitalwire_c.a");
    let runtime = nightly::sysroot()?.join("lib/rustlib").join(TRIPLE).join("lib").join(sanitizer.runtime());
    // Rust's runtime, for all of the program: its compiler is newer than C's, whose runtime lacks functions.
    let link = [
        OsString::from("-fno-sanitize=all -Wl,--whole-archive "),
        runtime.into(),
        " -Wl,--no-whole-archive -lm -ldl -lpthread -lrt".into(),
    ];
    let settings = vec![
        ("CMAKE_C_FLAGS", sanitizer.flags().into()),
        ("CMAKE_CXX_FLAGS", sanitizer.flags().into()),
        ("CMAKE_EXE_LINKER_FLAGS", link.into_iter().collect()),
    ];
    Ok(Configuration { folder: sanitizer.folder(), library, needs: String::new(), probe: true, valgrind: false, settings })
}
