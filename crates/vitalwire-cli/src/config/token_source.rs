//! Tokens from files and commands. They are read when a call needs one, and again after the service rejects it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::Instant;
use vitalwire::client::{BoxFuture, RefreshReason, Token, TokenProvider};
use vitalwire::error::BoxError;
use zeroize::Zeroizing;

use super::permissions::{check_program, others_access, shown_path};
use crate::failure::{Failure, MissingToken, running_command, unread_file, while_waiting};
use crate::render::style::{clean_path, may_be_secret_path};

/// Maximum size of a token file or command output, in bytes.
const MAX_TOKEN_BYTES: usize = 64 * 1024;
/// Maximum time to read the rest of the output of a command that has ended.
const PIPE_DELAY: Duration = Duration::from_millis(100);
/// Time for a signal to reach this program after it has reached a token command.
const INTERRUPTION_DELAY: Duration = Duration::from_millis(200);

/// A source of a token outside the settings.
pub(super) enum TokenSource {
    File(PathBuf),
    Command(TokenCommand),
    /// The token of another service.
    Foreign(MissingToken),
}

/// A command of the configuration file that prints a token.
pub(super) struct TokenCommand {
    /// The program and its arguments, run without a shell.
    pub(super) words: Vec<OsString>,
    /// Absolute path of the configuration file in use. A `vitalwire` command in the token command reads the same file.
    pub(super) config: PathBuf,
    /// The profile in use. A `vitalwire` command in the token command uses the same profile.
    pub(super) profile: Option<String>,
}

impl TokenSource {
    /// Fails if other users can change the program of a command. A bare name is searched in PATH, which is not checked.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match self {
            Self::Command(command) => command.words.first().map(Path::new).filter(|path| is_path(path)).map_or(Ok(()), check_program),
            Self::File(_) | Self::Foreign(_) => Ok(()),
        }
    }

    /// Returns a warning if other users can read the secret.
    pub(super) fn warning(&self, secret: &str) -> Option<String> {
        match self {
            Self::File(path) => readers_warning(&format!("{secret} file"), path),
            Self::Command(_) | Self::Foreign(_) => None,
        }
    }
}

/// Returns a warning if other users can read or change a private file.
pub(crate) fn readers_warning(kind: &str, path: &Path) -> Option<String> {
    let access = others_access(path).filter(|_| path.is_file())?;
    Some(format!("other users of this machine can {access} the {kind} {}: run chmod 600 on it", path.display()))
}

impl TokenProvider for TokenSource {
    fn token(&self, _: RefreshReason) -> BoxFuture<'_, Result<Token, BoxError>> {
        Box::pin(async move {
            let text = match self {
                Self::File(path) => read_file(path).await?,
                Self::Command(command) => run_command(command).await?,
                Self::Foreign(reason) => return Err(reason.clone().into()),
            };
            // The client removes the byte order mark and the line end that files and commands add.
            Ok(Token::new(&text))
        })
    }
}

/// Reads a token file on a separate thread, because it may be a pipe without a writer.
async fn read_file(path: &Path) -> Result<Zeroizing<String>, MissingToken> {
    let name = shown_path(path);
    let path = path.to_owned();
    let read = tokio::task::spawn_blocking(move || {
        let mut bytes = Zeroizing::new(Vec::new());
        File::open(path)?.take(MAX_TOKEN_BYTES as u64 + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    let bytes = while_waiting(unread_file(&name), read).await.map_err(io::Error::other).flatten();
    let bytes = bytes.map_err(|error| MissingToken::File(format!("the token file {name} cannot be read: {error}")))?;
    if bytes.len() > MAX_TOKEN_BYTES {
        return Err(MissingToken::Other(format!("the token file {name} must not be larger than 64 KiB")));
    }
    parse_token(&bytes).ok_or_else(|| MissingToken::Other(format!("the token file {name} contains no token")))
}

/// Returns the output of a command. The command's messages go to stderr, and it may prompt on the terminal.
///
/// Without a terminal, the messages are passed on until the command ends. A process that it leaves behind would otherwise keep stderr open,
/// and a program that reads it to its end would wait.
async fn run_command(source: &TokenCommand) -> Result<Zeroizing<String>, MissingToken> {
    let failure = |text: String| MissingToken::Other(format!("the token command {text}"));
    let (program, arguments) = source.words.split_first().ok_or_else(|| failure("is empty".to_owned()))?;
    let mut command = Command::new(program);
    // The command supplies a token and needs no other.
    command.env_remove("VITALWIRE_TOKEN").env_remove("VITALWIRE_CARE_TOKEN");
    command.env("VITALWIRE_CONFIG", &source.config);
    match &source.profile {
        Some(name) => command.env("VITALWIRE_PROFILE", name),
        None => command.env_remove("VITALWIRE_PROFILE"),
    };
    // In the current folder, an argument such as `./token` could name a file of another user.
    command.current_dir(source.config.parent().unwrap_or(Path::new("/")));
    command.args(arguments).stdin(Stdio::inherit()).stdout(Stdio::piped()).kill_on_drop(true);
    command.stderr(if io::stderr().is_terminal() { Stdio::inherit() } else { Stdio::piped() });
    let token = match command.spawn() {
        Ok(mut child) => {
            let relay = child.stderr.take().map(|messages| tokio::spawn(relay(messages)));
            let token = while_waiting(running_command(&program.to_string_lossy()), read_output(child)).await.map_err(failure);
            if let Some(relay) = relay {
                let _ = tokio::time::timeout(PIPE_DELAY, relay).await;
            }
            token
        }
        Err(error) => Err(MissingToken::Command(not_started(Path::new(program), &error))),
    };
    if token.is_err() {
        // Ctrl-C on a terminal also ends the command. The interruption of this program drops this future.
        tokio::time::sleep(INTERRUPTION_DELAY).await;
    }
    token
}

fn not_started(program: &Path, error: &io::Error) -> String {
    let name = if may_be_secret_path(program) { "(name not shown: it may be a secret)".to_owned() } else { clean_path(program) };
    let rule = if is_path(program) { "" } else { "; a program beside the configuration file needs a path with /, such as ./NAME" };
    format!("the token command {name} cannot be started: {error}{rule}")
}

/// Whether a program is named with a path.
fn is_path(program: &Path) -> bool {
    program.components().nth(1).is_some()
}

/// Passes the messages of a command on to stderr.
async fn relay(mut messages: ChildStderr) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = messages.read(&mut bytes).await {
        let _ = io::stderr().lock().write_all(&bytes[..count]);
    }
}

/// Returns the token that a command has printed when it ends. A process that it leaves behind may keep its output open.
async fn read_output(mut child: Child) -> Result<Zeroizing<String>, String> {
    let unreadable = |error: io::Error| format!("has unreadable output: {error}");
    let mut stdout = child.stdout.take().ok_or("has no output")?;
    // Never reallocated: a freed buffer would keep a part of the token.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_TOKEN_BYTES + 1));
    let (mut status, mut end) = (None, Instant::now());
    while bytes.len() <= MAX_TOKEN_BYTES {
        tokio::select! {
            biased;
            read = stdout.read_buf(&mut *bytes) => {
                if read.map_err(unreadable)? == 0 {
                    break;
                }
            }
            ended = child.wait(), if status.is_none() => {
                status = Some(ended.map_err(unreadable)?);
                // What the command has printed is in the pipe already.
                end = Instant::now() + PIPE_DELAY;
            }
            () = tokio::time::sleep_until(end), if status.is_some() => break,
        }
    }
    if bytes.len() > MAX_TOKEN_BYTES {
        return Err("must not print more than 64 KiB".to_owned());
    }
    let status = match status {
        Some(status) => status,
        None => child.wait().await.map_err(unreadable)?,
    };
    if !status.success() {
        return Err(format!("failed ({status})"));
    }
    parse_token(&bytes).ok_or_else(|| "printed no token".to_owned())
}

fn parse_token(bytes: &[u8]) -> Option<Zeroizing<String>> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.trim().is_empty())?;
    Some(Zeroizing::new(text.to_owned()))
}
