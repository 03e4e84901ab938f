//! Shell completions: the script of a shell, and the candidates that the script asks the program for.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};

use crate::cli::Cli;
use crate::config::profiles;

/// The program's name, as it is called.
const NAME: &str = "vitalwire";
/// The variable by which a script asks for candidates: it names the shell.
pub(crate) const VARIABLE: &str = "VITALWIRE_COMPLETE";
/// Words for dates, with their meaning.
const DAYS: [(&str, &str); 4] = [("today", "today"), ("yesterday", "1 day ago"), ("-7d", "7 days ago"), ("-30d", "30 days ago")];
/// Number of dates that are offered in full.
const DATES: i64 = 7;

/// Prints candidates if a script asks for them; whether it did.
pub(crate) fn answer() -> Result<bool, clap::Error> {
    let folder = std::env::current_dir().ok();
    CompleteEnv::with_factory(Cli::definition).var(VARIABLE).try_complete(std::env::args_os(), folder.as_deref())
}

/// The script of a shell. It calls the program, so that it need not be renewed with it.
pub(crate) fn script(shell: &str) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let shell = shells.completer(shell).ok_or(io::ErrorKind::Unsupported)?;
    shell.write_registration(VARIABLE, NAME, NAME, NAME, &mut script)?;
    Ok(script)
}

/// Candidates for a date.
pub(crate) fn dates() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let words = DAYS.iter().map(|(word, meaning)| CompletionCandidate::new(*word).help(Some((*meaning).into())));
        let today = jiff::Zoned::now().date();
        let back = |days: i64| today.checked_sub(jiff::SignedDuration::from_hours(24 * days)).ok();
        let dates = (0..DATES).filter_map(back).map(|date| CompletionCandidate::new(date.to_string()));
        words.chain(dates).collect()
    })
}

/// Candidates for a profile: those of the configuration file.
pub(crate) fn profile_names() -> ArgValueCandidates {
    ArgValueCandidates::new(|| profiles(config_option(std::env::args_os())).into_iter().map(CompletionCandidate::new).collect())
}

/// The value of `--config` in the command line that is completed.
fn config_option(words: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let mut words = words.skip_while(|word| word != "--config");
    words.nth(1).map(PathBuf::from)
}
