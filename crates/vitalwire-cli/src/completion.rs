//! Shell completions: the scripts, and the candidates that they request from the program.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};

use crate::cli::Cli;
use crate::config::profiles;
use crate::environment::COMPLETION_VARIABLE;

/// Name of the program on the command line.
const NAME: &str = "vitalwire";

/// Prints candidates if a completion script requests them. Returns whether it did.
pub(crate) fn print_candidates() -> Result<bool, clap::Error> {
    let folder = std::env::current_dir().ok();
    CompleteEnv::with_factory(definition).var(COMPLETION_VARIABLE).try_complete(std::env::args_os(), folder.as_deref())
}

/// Returns the script of a shell. It calls the program, so it stays valid after an update.
pub(crate) fn registration_script(shell: &str) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let shell = shells.completer(shell).ok_or(io::ErrorKind::Unsupported)?;
    shell.write_registration(COMPLETION_VARIABLE, NAME, NAME, NAME, &mut script)?;
    Ok(script)
}

/// Returns the command line, with the profiles of the configuration file as candidates.
fn definition() -> clap::Command {
    let candidates = || profiles(config_option(std::env::args_os())).into_iter().map(CompletionCandidate::new).collect();
    Cli::definition().mut_arg("profile", |profile| profile.add(ArgValueCandidates::new(candidates)))
}

/// Returns the value of `--config` in the command line that is being completed.
fn config_option(words: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let mut words = words.skip_while(|word| word != "--config");
    words.nth(1).map(PathBuf::from)
}
