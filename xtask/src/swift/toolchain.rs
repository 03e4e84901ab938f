//! Which Swift is used: an installed one, or one made for it (xtask/src/swift/with-swift).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::once::Once;
use crate::process::must;

/// with-swift's exit status where this machine can have no Swift.
const UNAVAILABLE: i32 = 69;

/// The Swift from which on `Testing` has scopes.
const SCOPES: (u32, u32) = (6, 1);

/// Which Swift is made where none is installed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// That of Debian's stable release: the oldest that the package is for.
    Usual,
    /// That of Debian's unstable one, which moves.
    Newest,
}

impl Toolchain {
    /// The folder below the target folder of what it compiles.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Usual => "swift",
            Self::Newest => "swift-newest",
        }
    }

    /// The program that runs others where this Swift is.
    pub(super) fn command(self, root: &Path) -> Command {
        let mut command = Command::new(with_swift(root));
        if self == Self::Newest {
            command.env("VITALWIRE_SWIFT_SUITE", "sid");
        }
        command.current_dir(root);
        command
    }

    /// What is missing to build anything for Swift, once a toolchain was made where one can be.
    ///
    /// # Errors
    /// Where with-swift cannot be started, or Swift does not say its version.
    pub(crate) fn missing(self, root: &Path) -> anyhow::Result<Option<&'static str>> {
        let prepare = || self.command(root).arg("--prepare").stdin(Stdio::null()).stdout(Stdio::null()).status();
        let status = prepare().context("with-swift cannot be started")?;
        if status.code() == Some(UNAVAILABLE) {
            return Ok(Some("no Swift, and none can be made here (xtask/src/swift/with-swift says why)"));
        }
        if self == Self::Usual {
            return Ok(None);
        }
        let said = must(self.command(root).args(["swift", "--version"]))?;
        let version = version(&said).context("Swift does not say its version")?;
        Ok((version < SCOPES).then_some("a Swift before 6.1 is installed; VITALWIRE_SWIFT_FORCE=1 has a newer one made"))
    }
}

/// What is missing to build anything for Swift, once a toolchain was made where one can be.
///
/// # Errors
/// Where with-swift cannot be started.
pub(crate) fn missing(root: &Path) -> anyhow::Result<Option<&'static str>> {
    static PREPARED: Once<Option<&'static str>> = Once::new();
    PREPARED.get(|| Toolchain::Usual.missing(root))
}

/// The program that runs others where a Swift toolchain is.
pub(crate) fn with_swift(root: &Path) -> PathBuf {
    root.join("xtask/src/swift/with-swift")
}

/// The first two numbers of a version, from what `swift --version` prints.
fn version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.split_once("Swift version ")?.1.split(['.', ' ', '-', '\n']).map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

#[cfg(test)]
mod tests {
    use super::{SCOPES, version};

    #[test]
    fn versions_are_read() {
        assert_eq!(version("Swift version 6.0.3 (swift-6.0.3-RELEASE)\nTarget: x86_64-pc-linux-gnu\n"), Some((6, 0)));
        assert_eq!(version("swift-driver version: 1.127.14 Apple Swift version 6.2 (swiftlang-6.2.0.19.9)"), Some((6, 2)));
        assert_eq!(version("swift 4.7.0, OpenStack's client"), None);
        assert!(Some(SCOPES) > version("Swift version 6.0.3") && Some(SCOPES) <= version("Swift version 6.1\n"));
    }
}
