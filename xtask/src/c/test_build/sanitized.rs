//! Builds programs in Rust, C and C++ with sanitizers. A nightly compiler supplies the runtime. Rust's standard library is compiled with
//! the sanitizer too.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::configuration::CMakeConfiguration;
use crate::nightly;
use crate::process::execute;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sanitizer {
    /// Finds invalid memory accesses and leaks. In C and C++, finds undefined behaviour too.
    Address,
    /// Finds data races.
    Thread,
}

impl Sanitizer {
    /// Returns rustc's name of the sanitizer.
    const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
        }
    }

    /// Returns rustc's `--cfg` option for our own code. It disables checks of handles, whose lock would hide data races.
    const fn cfg_flag(self) -> &'static str {
        match self {
            Self::Address => "",
            Self::Thread => " --cfg race_detector",
        }
    }

    /// Returns the folder of the programs, below the target folder.
    const fn folder(self) -> &'static str {
        match self {
            Self::Address => "c-address",
            Self::Thread => "c-thread",
        }
    }

    /// Returns rustc's optimization level. Without optimization, a case with a body of 20 MiB exceeds its timeout.
    const fn optimisation(self) -> &'static str {
        match self {
            Self::Address => "1",
            Self::Thread => "0",
        }
    }

    /// Returns the options of the C and C++ compilers. `vptr` is excluded, because it needs another runtime.
    const fn flags(self) -> &'static str {
        match self {
            Self::Address => "-g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined",
            Self::Thread => "-g -fsanitize=thread",
        }
    }

    /// Returns the name of the sanitizer's runtime.
    const fn runtime(self) -> &'static str {
        match self {
            Self::Address => "librustc-nightly_rt.asan.a",
            Self::Thread => "librustc-nightly_rt.tsan.a",
        }
    }
}

/// The only supported target.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// Returns the missing tool, with the command that installs it.
pub(super) fn missing() -> Option<&'static str> {
    let fits = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if fits { nightly::missing() } else { Some("sanitizers need Linux on x86-64") }
}

/// Returns a cargo command of the nightly toolchain with a sanitizer and its own target folder. The caller adds arguments.
///
/// # Errors
/// If there are no sources of a standard library.
pub(crate) fn cargo(root: &Path, target: &Path, sanitizer: Sanitizer, command: &str) -> anyhow::Result<Command> {
    let folder = target.join("sanitized").join(sanitizer.name());
    let mut cargo = nightly::cargo(root, target, TRIPLE, &folder, command)?;
    cargo.env("RUSTFLAGS", format!("-Zsanitizer={}{}", sanitizer.name(), sanitizer.cfg_flag()));
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", sanitizer.optimisation());
    Ok(cargo)
}

pub(super) fn build(root: &Path, target: &Path, sanitizer: Sanitizer) -> anyhow::Result<CMakeConfiguration> {
    let mut cargo = cargo(root, target, sanitizer, "rustc")?;
    execute(cargo.args(["--package", "vitalwire-c", "--lib", "--features", "__probe", "--crate-type", "staticlib"]))?;
    let library = target.join("sanitized").join(sanitizer.name()).join(TRIPLE).join("debug/libvitalwire_c.a");
    let runtime = nightly::sysroot()?.join("lib/rustlib").join(TRIPLE).join("lib").join(sanitizer.runtime());
    // Use the sanitizer's runtime in Rust's toolchain. The C compiler is older, and its runtime lacks functions.
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
    Ok(CMakeConfiguration { folder: sanitizer.folder(), library, needs: String::new(), probe: true, valgrind: false, settings })
}
