//! Tokens from files and commands. They are read when a call needs one, and again after the service rejects it.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use vitalwire::client::{BoxFuture, Token, TokenProvider, TokenReason};
use vitalwire::error::BoxError;
use zeroize::Zeroizing;

use crate::failure::{NoToken, set_running_command};

/// Maximum size of a token file or command output, in bytes. It prevents reading a wrong file completely.
const MAX_TOKEN_BYTES: usize = 64 * 1024;

/// A source of a token outside the settings.
pub(super) enum Source {
    File(PathBuf),
    /// A program and its arguments, run without a shell.
    Command(Vec<String>),
}

impl Source {
    /// Returns a warning if other users can read the token.
    pub(super) fn warning(&self) -> Option<String> {
        match self {
            Self::File(path) if others(path).read => {
                Some(format!("other users of this machine can read the token file {}: chmod 600 it", path.display()))
            }
            Self::File(_) | Self::Command(_) => None,
        }
    }
}

impl TokenProvider for Source {
    fn token(&self, _: TokenReason) -> BoxFuture<'_, Result<Token, BoxError>> {
        Box::pin(async move {
            let text = match self {
                Self::File(path) => read(path)?,
                Self::Command(command) => run(command).await?,
            };
            // The client removes the byte order mark and the line end that files and commands add.
            Ok(Token::new(&text))
        })
    }
}

fn read(path: &Path) -> Result<Zeroizing<String>, NoToken> {
    let what = || format!("the token file {}", path.display());
    let bytes = std::fs::read(path).map_err(|error| NoToken::File(format!("{} cannot be read: {error}", what())))?;
    text(bytes).ok_or_else(|| NoToken::Other(format!("{} holds no token", what())))
}

/// Returns the output of a command. The command's messages go to stderr, and it may prompt on the terminal.
async fn run(command: &[String]) -> Result<Zeroizing<String>, NoToken> {
    let failed = |text: String| NoToken::Other(format!("the token command {text}"));
    let (program, arguments) = command.split_first().ok_or_else(|| failed("is empty".to_owned()))?;
    let mut command = tokio::process::Command::new(program);
    command.args(arguments).stdin(Stdio::inherit()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
    // Stays set if the call's deadline drops this future.
    set_running_command(Some(program));
    let output = match command.spawn() {
        Ok(child) => child.wait_with_output().await.map_err(|error| failed(format!("has no output that can be read: {error}"))),
        Err(error) => Err(failed(format!("does not start: {error}"))),
    };
    set_running_command(None);
    let output = output?;
    if !output.status.success() {
        return Err(failed(format!("failed ({})", output.status)));
    }
    text(output.stdout).ok_or_else(|| failed("printed no token".to_owned()))
}

fn text(bytes: Vec<u8>) -> Option<Zeroizing<String>> {
    let bytes = Zeroizing::new(bytes);
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() <= MAX_TOKEN_BYTES && !text.trim().is_empty())?;
    Some(Zeroizing::new(text.to_owned()))
}

/// Access rights of other users to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Others {
    pub(super) read: bool,
    pub(super) write: bool,
}

/// Reads the access rights of a file. A missing file has none.
#[cfg(unix)]
pub(super) fn others(path: &Path) -> Others {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).map_or(0, |file| file.permissions().mode());
    Others { read: mode & 0o044 != 0, write: mode & 0o022 != 0 }
}

/// Returns no rights, because other systems do not state them in permission bits.
#[cfg(not(unix))]
pub(super) fn others(_: &Path) -> Others {
    Others { read: false, write: false }
}
