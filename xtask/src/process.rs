//! Programs that our commands run.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context as _;

/// Runs a command that must succeed, and returns its output.
///
/// # Errors
/// If the command fails. The error has the end of the output.
pub(crate) fn execute(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("{name} cannot be started"))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if output.status.success() {
        return Ok(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    anyhow::bail!("{name} failed:\n{}", lines[lines.len().saturating_sub(40)..].join("\n"))
}

/// Whether a program is on PATH.
pub(crate) fn has(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

/// Whether checks run on a CI machine, where a missing tool is a failure.
pub(crate) fn on_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// Returns the value of an environment variable, or `None` if it is unset.
///
/// # Errors
/// If the value is not UTF-8.
pub(crate) fn text_variable(name: &str) -> anyhow::Result<Option<String>> {
    let text = std::env::var_os(name).map(std::ffi::OsString::into_string).transpose();
    text.map_err(|_| anyhow::anyhow!("{name} must be UTF-8"))
}

/// Writes a shell script.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_program(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)?;
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}
