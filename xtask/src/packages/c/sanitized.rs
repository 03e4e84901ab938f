//! The programs with code that watches itself, in Rust, C and C++: by a nightly compiler, which has a runtime for it, and a standard library
//! that is compiled in the same way.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use super::Told;
use crate::own_toolchain::{BUILD_STD, OwnToolchain};
use crate::process::{has, must};

/// What rustc calls the sanitizer: it watches accesses of several threads to the same memory.
const SANITIZER: &str = "thread";
/// What compilers of C and C++ are told.
const FLAGS: &str = "-g -fsanitize=thread";
/// Its runtime.
const RUNTIME: &str = "librustc-nightly_rt.tsan.a";
/// The only system for which this is written.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// What is missing.
pub(super) fn missing() -> Option<&'static str> {
    let nightly =
        || Command::new("rustup").args(["run", "nightly", "rustc", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let all = cfg!(all(target_os = "linux", target_arch = "x86_64")) && has("rustup") && nightly().is_ok_and(|status| status.success());
    (!all).then_some("no nightly compiler for Linux on x86-64; 'rustup toolchain install nightly --component rust-src' brings it")
}

/// cargo of the nightly toolchain for code that watches itself: a command, with what it needs, in a target folder of its own. What follows
/// the command is up to the caller.
///
/// # Errors
/// Where there are no sources of a standard library.
pub(crate) fn cargo(root: &Path, target: &Path, command: &str) -> anyhow::Result<Command> {
    let mut cargo = Command::new("rustup");
    // Of the compiler that runs this program.
    for name in ["CARGO", "RUSTC", "RUSTC_WORKSPACE_WRAPPER", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(name);
    }
    cargo.current_dir(root).args(["run", "nightly", "cargo", command, "--locked"]).args(BUILD_STD).args([
        "--target",
        TRIPLE,
        "--target-dir",
    ]);
    cargo.arg(target.join("sanitized").join(SANITIZER)).env("RUSTFLAGS", format!("-Zsanitizer={SANITIZER} --cfg race_detector"));
    if let Some(sources) = sources(root, target)? {
        // cargo's own, for its tests: it has no other for a standard library that is elsewhere.
        cargo.env("__CARGO_TESTS_ONLY_SRC_ROOT", sources);
    }
    Ok(cargo)
}

/// Builds the library.
pub(super) fn told(root: &Path, target: &Path) -> anyhow::Result<Told> {
    let mut cargo = cargo(root, target, "rustc")?;
    must(cargo.args(["--package", "vitalwire-c", "--lib", "--features", "__probe", "--crate-type", "staticlib"]))?;
    let library = target.join("sanitized").join(SANITIZER).join(TRIPLE).join("debug/libvitalwire_c.a");
    let runtime = sysroot()?.join("lib/rustlib").join(TRIPLE).join("lib").join(RUNTIME);
    // Rust's runtime, for all of the program: its compiler is newer than C's, whose runtime lacks functions.
    let link = [
        OsString::from("-fno-sanitize=all -Wl,--whole-archive "),
        runtime.into(),
        " -Wl,--no-whole-archive -lm -ldl -lpthread -lrt".into(),
    ];
    let settings =
        vec![("CMAKE_C_FLAGS", FLAGS.into()), ("CMAKE_CXX_FLAGS", FLAGS.into()), ("CMAKE_EXE_LINKER_FLAGS", link.into_iter().collect())];
    Ok(Told { folder: "c-thread", library, needs: String::new(), probe: true, valgrind: false, settings })
}

/// The sources of a standard library, where the toolchain has none: Debian's, which are near enough.
fn sources(root: &Path, target: &Path) -> anyhow::Result<Option<PathBuf>> {
    if sysroot()?.join("lib/rustlib/src/rust/library/Cargo.lock").is_file() {
        return Ok(None);
    }
    let copy = target.join("sanitized/library");
    if !copy.join("Cargo.lock").is_file() {
        std::fs::create_dir_all(target.join("sanitized"))?;
        let own = OwnToolchain::made(root, target, "a standard library's sources")?;
        must(own.command("sh").args(["-c", "cp -rL /usr/src/rustc-*/library \"$1\"", "sh"]).arg(&copy))?;
    }
    Ok(Some(copy))
}

/// Where the nightly toolchain is.
fn sysroot() -> anyhow::Result<PathBuf> {
    let said = must(Command::new("rustup").args(["run", "nightly", "rustc", "--print", "sysroot"]).env_remove("RUSTUP_TOOLCHAIN"))?;
    Ok(said.lines().next().context("rustc named no folder")?.into())
}
