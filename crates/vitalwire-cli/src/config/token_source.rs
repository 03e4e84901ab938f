//! Tokens from files and commands. They are read when a call needs one, and again after the service rejects it.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use vitalwire::client::{BoxFuture, Token, TokenProvider, TokenReason};
use vitalwire::error::BoxError;
use zeroize::Zeroizing;

use crate::failure::{MissingToken, set_running_command};

/// Maximum size of a token file or command output, in bytes.
const MAX_TOKEN_BYTES: usize = 64 * 1024;

/// A source of a token outside the settings.
pub(super) enum TokenSource {
    File(PathBuf),
    /// A program and its arguments, run without a shell.
    Command(Vec<String>),
}

impl TokenSource {
    /// Returns a warning if other users can read the token.
    pub(super) fn warning(&self) -> Option<String> {
        match self {
            Self::File(path) if other_users_access(path).read => {
                Some(format!("other users of this machine can read the token file {}: run chmod 600 on it", path.display()))
            }
            Self::File(_) | Self::Command(_) => None,
        }
    }
}

impl TokenProvider for TokenSource {
    fn token(&self, _: TokenReason) -> BoxFuture<'_, Result<Token, BoxError>> {
        Box::pin(async move {
            let text = match self {
                Self::File(path) => read_token(path)?,
                Self::Command(command) => run_command(command).await?,
            };
            // The client removes the byte order mark and the line end that files and commands add.
            Ok(Token::new(&text))
        })
    }
}

fn read_token(path: &Path) -> Result<Zeroizing<String>, MissingToken> {
    let description = || format!("the token file {}", path.display());
    let bytes = std::fs::read(path).map_err(|error| MissingToken::File(format!("{} cannot be read: {error}", description())))?;
    parse_token(bytes).ok_or_else(|| MissingToken::Other(format!("{} contains no token", description())))
}

/// Returns the output of a command. The command's messages go to stderr, and it may prompt on the terminal.
async fn run_command(command: &[String]) -> Result<Zeroizing<String>, MissingToken> {
    let failure = |text: String| MissingToken::Other(format!("the token command {text}"));
    let (program, arguments) = command.split_first().ok_or_else(|| failure("is empty".to_owned()))?;
    let mut command = tokio::process::Command::new(program);
    command.args(arguments).stdin(Stdio::inherit()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
    // Stays set if the call's deadline drops this future.
    set_running_command(Some(program));
    let output = match command.spawn() {
        Ok(child) => child.wait_with_output().await.map_err(|error| failure(format!("has unreadable output: {error}"))),
        Err(error) => Err(failure(format!("cannot be started: {error}"))),
    };
    set_running_command(None);
    let output = output?;
    if !output.status.success() {
        return Err(failure(format!("failed ({})", output.status)));
    }
    parse_token(output.stdout).ok_or_else(|| failure("printed no token".to_owned()))
}

fn parse_token(bytes: Vec<u8>) -> Option<Zeroizing<String>> {
    let bytes = Zeroizing::new(bytes);
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() <= MAX_TOKEN_BYTES && !text.trim().is_empty())?;
    Some(Zeroizing::new(text.to_owned()))
}

/// Access rights of other users to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OtherUsersAccess {
    pub(super) read: bool,
    pub(super) write: bool,
}

/// Reads the access rights of a file. A missing file has none.
#[cfg(unix)]
pub(super) fn other_users_access(path: &Path) -> OtherUsersAccess {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).map_or(0, |file| file.permissions().mode());
    OtherUsersAccess { read: mode & 0o044 != 0, write: mode & 0o022 != 0 }
}

/// Returns no rights, because other systems do not state them in permission bits.
#[cfg(not(unix))]
pub(super) fn other_users_access(_: &Path) -> OtherUsersAccess {
    OtherUsersAccess { read: false, write: false }
}
