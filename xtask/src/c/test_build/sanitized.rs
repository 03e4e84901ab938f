//! Builds programs in Rust, C and C++ with sanitizers. A nightly compiler supplies the runtime. Rust's standard library is compiled with
//! the sanitizer too.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::configuration::CMakeConfiguration;
use crate::nightly;
use crate::process::execute;

/// A sanitizer and the settings of its builds.
pub(crate) struct Sanitizer {
    /// rustc's name.
    name: &'static str,
    /// rustc's options for our own code.
    cfg_flag: &'static str,
    /// Folder of the programs, below the target folder.
    folder: &'static str,
    /// rustc's optimization level.
    optimisation: &'static str,
    /// Options of the C and C++ compilers.
    flags: &'static str,
    /// File name of the runtime.
    runtime: &'static str,
}

/// Finds invalid memory accesses and leaks. In C and C++, finds undefined behaviour too.
pub(crate) const ADDRESS: Sanitizer = Sanitizer {
    name: "address",
    cfg_flag: "",
    folder: "c-address",
    // Without optimization, a case with a body of 20 MiB exceeds its timeout.
    optimisation: "1",
    // `vptr` needs another runtime.
    flags: "-g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined",
    runtime: "librustc-nightly_rt.asan.a",
};

/// Finds data races.
pub(crate) const THREAD: Sanitizer = Sanitizer {
    name: "thread",
    // Disables checks of handles, whose lock would hide data races.
    cfg_flag: " --cfg race_detector",
    folder: "c-thread",
    optimisation: "0",
    flags: "-g -fsanitize=thread",
    runtime: "librustc-nightly_rt.tsan.a",
};

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
pub(crate) fn cargo(root: &Path, target: &Path, sanitizer: &Sanitizer, command: &str) -> anyhow::Result<Command> {
    let folder = target.join("sanitized").join(sanitizer.name);
    let mut cargo = nightly::cargo(root, target, TRIPLE, &folder, command)?;
    cargo.env("RUSTFLAGS", format!("-Zsanitizer={}{}", sanitizer.name, sanitizer.cfg_flag));
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", sanitizer.optimisation);
    Ok(cargo)
}

pub(super) fn build(root: &Path, target: &Path, sanitizer: &Sanitizer) -> anyhow::Result<CMakeConfiguration> {
    let mut cargo = cargo(root, target, sanitizer, "rustc")?;
    execute(cargo.args(["--package", "vitalwire-c", "--lib", "--features", "__probe", "--crate-type", "staticlib"]))?;
    let library = target.join("sanitized").join(sanitizer.name).join(TRIPLE).join("debug/libvitalwire_c.a");
    let runtime = nightly::sysroot()?.join("lib/rustlib").join(TRIPLE).join("lib").join(sanitizer.runtime);
    // Use the sanitizer's runtime in Rust's toolchain. The C compiler is older, and its runtime lacks functions.
    let link = [
        OsString::from("-fno-sanitize=all -Wl,--whole-archive "),
        runtime.into(),
        " -Wl,--no-whole-archive -lm -ldl -lpthread -lrt".into(),
    ];
    let settings = vec![
        ("CMAKE_C_FLAGS", sanitizer.flags.into()),
        ("CMAKE_CXX_FLAGS", sanitizer.flags.into()),
        ("CMAKE_EXE_LINKER_FLAGS", link.into_iter().collect()),
    ];
    Ok(CMakeConfiguration { folder: sanitizer.folder, library, needs: String::new(), probe: true, valgrind: false, settings })
}
