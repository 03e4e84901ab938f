//! Formats generated files with stable tools.

use std::env::consts::EXE_SUFFIX;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use crate::file::File;

/// Returns the path of the rustfmt next to the current cargo. The one on `PATH` may be rustup's proxy, which takes as long as formatting
/// a small file.
fn rustfmt_path() -> PathBuf {
    let sibling = std::env::var_os("CARGO").map(|cargo| PathBuf::from(cargo).with_file_name(format!("rustfmt{EXE_SUFFIX}")));
    sibling.filter(|program| program.is_file()).unwrap_or_else(|| "rustfmt".into())
}

/// Formats Rust files. Leaves files with other extensions as they are.
///
/// # Errors
/// If rustfmt is missing or the text is not valid Rust.
pub fn format(root: &Path, file: &mut File) -> anyhow::Result<()> {
    if !file.path.ends_with(".rs") {
        return Ok(());
    }
    let mut rustfmt = Command::new(rustfmt_path())
        .args(["--edition", "2024", "--config-path"])
        .arg(root.join("rustfmt.toml"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("rustfmt is missing; install it by `rustup component add rustfmt`")?;
    let mut input = rustfmt.stdin.take().context("no input to rustfmt")?;
    let text = std::mem::take(&mut file.text);
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = rustfmt.wait_with_output()?;
    let written = writer.join().map_err(|_| anyhow::anyhow!("writing to rustfmt failed"))?;
    if !output.status.success() {
        bail!("rustfmt rejected the file:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    written?;
    file.text = String::from_utf8(output.stdout)?;
    Ok(())
}
