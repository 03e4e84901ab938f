//! Redocly, which checks specifications and renders pages of them.

use std::path::Path;
use std::process::Command;

use crate::npm;

/// The npm package.
const PACKAGE: &str = "@redocly/cli@2.77.0";

/// Returns a command of the tool, without its update check and telemetry. Installs the tool if necessary.
///
/// # Errors
/// If npm fails.
pub(crate) fn command(target: &Path) -> anyhow::Result<Command> {
    let mut command = Command::new(npm::program(&target.join("npm"), PACKAGE, "redocly")?);
    command.env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true").env("REDOCLY_TELEMETRY", "off");
    Ok(command)
}
