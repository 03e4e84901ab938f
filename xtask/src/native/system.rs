//! Systems for which release libraries are built: this one and, on Linux, others with Debian's cross compilers.

use std::path::Path;
use std::process::Command;

use crate::cargo;
use crate::nightly;
use crate::toolchain::BUILD_STD;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum System {
    /// The system of this machine.
    Native,
    /// Linux on arm64.
    #[value(name = "linux-arm64")]
    LinuxArm64,
    /// Linux on x86-64 with musl.
    #[value(skip)]
    LinuxMusl,
    /// Windows on x86-64, with mingw-w64.
    Windows,
}

impl System {
    pub(crate) const fn has_glibc(self) -> bool {
        matches!(self, Self::LinuxArm64) || matches!(self, Self::Native) && cfg!(target_os = "linux")
    }

    pub(crate) const fn is_windows(self) -> bool {
        matches!(self, Self::Windows) || matches!(self, Self::Native) && cfg!(windows)
    }

    /// Returns rustc's name of the system.
    ///
    /// # Errors
    /// If rustc cannot be started.
    pub(crate) fn triple(self) -> anyhow::Result<String> {
        match self {
            Self::Native => cargo::host_triple(),
            Self::LinuxArm64 => Ok("aarch64-unknown-linux-gnu".to_owned()),
            Self::LinuxMusl => Ok("x86_64-unknown-linux-musl".to_owned()),
            Self::Windows => Ok("x86_64-pc-windows-gnu".to_owned()),
        }
    }

    /// Returns the processor in the name of the system.
    pub(crate) const fn processor(self) -> &'static str {
        match self {
            Self::Native => std::env::consts::ARCH,
            Self::LinuxArm64 => "aarch64",
            Self::LinuxMusl | Self::Windows => "x86_64",
        }
    }

    /// Returns a command of GCC or binutils for the system.
    pub(crate) fn tool(self, name: &str) -> Command {
        Command::new(match self {
            Self::Native | Self::LinuxMusl => name.to_owned(),
            Self::LinuxArm64 => format!("aarch64-linux-gnu-{name}"),
            Self::Windows => format!("x86_64-w64-mingw32-{name}"),
        })
    }

    /// Returns a command for a program that calls cargo. If the system has no standard library, that cargo is a nightly one.
    ///
    /// # Errors
    /// If there are no sources of a standard library.
    pub(crate) fn command(self, root: &Path, target: &Path, program: &Path) -> anyhow::Result<Command> {
        if self.needs_std()? { nightly::command(root, target, program) } else { Ok(cargo::clean_command(program)) }
    }

    /// Returns the options of cargo for the system.
    ///
    /// # Errors
    /// If rustc cannot be started.
    pub(crate) fn cargo_options(self) -> anyhow::Result<Vec<String>> {
        let mut options = Vec::new();
        if self != Self::Native {
            options.extend(["--target".to_owned(), self.triple()?]);
        }
        if self.needs_std()? {
            options.extend(BUILD_STD.map(str::to_owned));
        }
        Ok(options)
    }

    /// Whether the standard library must be compiled, because rustup has not installed it.
    fn needs_std(self) -> anyhow::Result<bool> {
        Ok(self != Self::Native && !cargo::has_target(&self.triple()?))
    }
}
