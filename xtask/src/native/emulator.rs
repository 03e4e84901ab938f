//! Emulators, which run programs for other systems on Linux.

use std::path::Path;
use std::process::Command;

use super::system::System;
use crate::process::{execute, has};

/// The emulator of arm64, with its system libraries.
pub(crate) const ARM64: [&str; 3] = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"];

/// Path of Wine itself in Debian's package. The command on PATH is a wrapper script.
const WINE: &str = "/usr/lib/wine/wine64";

/// Replacement for the DLL that supplies random numbers to Rust's standard library. Older versions of Wine lack the DLL.
const RANDOM_DLL: (&str, &str) = ("bindings/c/tests/windows/bcryptprimitives.c", "bcryptprimitives.dll");

/// The reason why a program is not run, with the remedy.
pub(crate) const MISSING: &str = "no emulator is installed; on Debian: apt install qemu-user wine64";

const TIMEOUT_SECONDS: &str = "180";

/// Returns the command of Wine, if it is installed.
pub(crate) fn wine() -> Option<&'static str> {
    ["wine", WINE].into_iter().find(|program| has(program))
}

/// Returns a command that runs a program, in an emulator if necessary. `None` if the emulator is missing.
///
/// # Errors
/// If a DLL for Wine cannot be compiled. It is written next to the program.
pub(crate) fn command(root: &Path, target: &Path, system: System, program: &Path) -> anyhow::Result<Option<Command>> {
    let emulator = match system {
        System::Native | System::LinuxMusl => return Ok(Some(Command::new(program))),
        System::LinuxArm64 => has(ARM64[0]).then(|| ARM64.to_vec()),
        System::Windows => wine().map(|wine| vec![wine]),
    };
    let Some(emulator) = emulator else { return Ok(None) };
    let mut command = Command::new("timeout");
    command.arg(TIMEOUT_SECONDS).args(emulator).arg(program);
    if system == System::Windows {
        let (source, dll) = (root.join(RANDOM_DLL.0), program.with_file_name(RANDOM_DLL.1));
        let mut cc = system.tool("gcc");
        execute(cc.args(["-Wall", "-Wextra", "-Werror", "-shared"]).arg(source).args(["-ladvapi32", "-o"]).arg(dll))?;
        let prefix = target.join("windows/wine");
        std::fs::create_dir_all(&prefix)?;
        command.env("WINEPREFIX", prefix).env("WINEDEBUG", "-all");
    }
    Ok(Some(command))
}
