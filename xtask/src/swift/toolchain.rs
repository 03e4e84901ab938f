//! Toolchains for Swift: an installed one, or one created by xtask/src/swift/with-swift.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::once::Once;
use crate::process::execute;

/// Exit status of with-swift if Swift is not available on this machine.
const UNAVAILABLE: i32 = 69;

/// First Swift version whose `Testing` has test scoping.
const TEST_SCOPING_VERSION: (u32, u32) = (6, 1);

/// The Swift version to create if none is installed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// Version in Debian stable: the minimum version of the package.
    Stable,
    /// Version in Debian unstable, which changes.
    Newest,
}

impl Toolchain {
    /// Returns the name of its build folder in the target folder.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Stable => "swift",
            Self::Newest => "swift-newest",
        }
    }

    /// Returns the command that runs programs with this Swift.
    pub(super) fn command(self, root: &Path) -> Command {
        let mut command = Command::new(with_swift(root));
        if self == Self::Newest {
            command.env("VITALWIRE_SWIFT_SUITE", "sid");
        }
        command.current_dir(root);
        command
    }

    /// Creates the toolchain if possible. Returns what is missing for Swift builds.
    ///
    /// # Errors
    /// If with-swift cannot be started, or Swift does not state its version.
    pub(crate) fn missing(self, root: &Path) -> anyhow::Result<Option<&'static str>> {
        let prepare = || self.command(root).arg("--prepare").stdin(Stdio::null()).stdout(Stdio::null()).status();
        let status = prepare().context("with-swift cannot be started")?;
        if status.code() == Some(UNAVAILABLE) {
            return Ok(Some("Swift is missing and cannot be installed here; xtask/src/swift/with-swift lists the requirements"));
        }
        if self == Self::Stable {
            return Ok(None);
        }
        let output = execute(self.command(root).args(["swift", "--version"]))?;
        let version = version(&output).context("Swift does not print its version")?;
        Ok((version < TEST_SCOPING_VERSION)
            .then_some("the installed Swift is older than 6.1; VITALWIRE_SWIFT_FORCE=1 installs a newer one"))
    }
}

/// Creates the toolchain if possible. Returns what is missing for Swift builds.
///
/// # Errors
/// If with-swift cannot be started.
pub(crate) fn missing(root: &Path) -> anyhow::Result<Option<&'static str>> {
    static PREPARED: Once<Option<&'static str>> = Once::new();
    PREPARED.get(|| Toolchain::Stable.missing(root))
}

/// Returns the program that runs others with a Swift toolchain.
pub(crate) fn with_swift(root: &Path) -> PathBuf {
    root.join("xtask/src/swift/with-swift")
}

/// Parses major and minor version in the output of `swift --version`.
fn version(output: &str) -> Option<(u32, u32)> {
    let mut numbers = output.split_once("Swift version ")?.1.split(['.', ' ', '-', '\n']).map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

#[cfg(test)]
mod tests {
    use super::{TEST_SCOPING_VERSION, version};

    #[test]
    fn versions_are_read() {
        assert_eq!(version("Swift version 6.0.3 (swift-6.0.3-RELEASE)\nTarget: x86_64-pc-linux-gnu\n"), Some((6, 0)));
        assert_eq!(version("swift-driver version: 1.127.14 Apple Swift version 6.2 (swiftlang-6.2.0.19.9)"), Some((6, 2)));
        assert_eq!(version("swift 4.7.0, OpenStack's client"), None);
        assert!(
            Some(TEST_SCOPING_VERSION) > version("Swift version 6.0.3") && Some(TEST_SCOPING_VERSION) <= version("Swift version 6.1\n")
        );
    }
}
