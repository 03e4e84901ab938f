//! Shell completions: the script of a shell, and the candidates that the script asks the program for.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};

use crate::cli::Cli;
use crate::config::profiles;
use crate::environment::COMPLETION_VARIABLE;

/// The program's name, as it is called.
const NAME: &str = "vitalwire";

/// Prints candidates if a script asks for them; whether it did.
pub(crate) fn answer() -> Result<bool, clap::Error> {
    let folder = std::env::current_dir().ok();
    CompleteEnv::with_factory(definition).var(COMPLETION_VARIABLE).try_complete(std::env::args_os(), folder.as_deref())
}

/// The script of a shell. It calls the program, so that it need not be renewed with it.
pub(crate) fn script(shell: &str) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let shell = shells.completer(shell).ok_or(io::ErrorKind::Unsupported)?;
    shell.write_registration(COMPLETION_VARIABLE, NAME, NAME, NAME, &mut script)?;
    Ok(script)
}

/// The command line, with the profiles of the configuration file as candidates.
fn definition() -> clap::Command {
    let candidates = || profiles(config_option(std::env::args_os())).into_iter().map(CompletionCandidate::new).collect();
    Cli::definition().mut_arg("profile", |profile| profile.add(ArgValueCandidates::new(candidates)))
}

/// The value of `--config` in the command line that is completed.
fn config_option(words: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let mut words = words.skip_while(|word| word != "--config");
    words.nth(1).map(PathBuf::from)
}
