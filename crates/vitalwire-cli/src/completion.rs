//! Shell completions: the scripts, and the candidates that they request from the program.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap_complete::engine::{ArgValueCandidates, CompletionCandidate, complete};
use clap_complete::env::{CompleteEnv, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};

use crate::cli::Cli;
use crate::config::{expand_home, profiles};
use crate::environment::COMPLETION_VARIABLE;
use crate::render::style::clean;
use crate::shell::quote;

/// Name of the program on the command line.
const NAME: &str = "vitalwire";
/// The script for bash. Unlike clap's, it splits the candidates without expanding them as file names.
const BASH_SCRIPT: &str = include_str!("completion.bash");
/// Variables of the script for bash: the index of the word to complete, its opening quote, and the separator of candidates.
const INDEX_VARIABLE: &str = "_CLAP_COMPLETE_INDEX";
const QUOTE_VARIABLE: &str = "_CLAP_COMPLETE_QUOTE";
const SEPARATOR_VARIABLE: &str = "_CLAP_IFS";

/// Prints candidates if a completion script requests them. Returns whether it did.
pub(crate) fn print_candidates() -> Result<bool, clap::Error> {
    let Some(shell) = std::env::var_os(COMPLETION_VARIABLE) else { return Ok(false) };
    let (mut words, mut bash) = (std::env::args_os().collect::<Vec<_>>(), Bash::default());
    if let Some(start) = words.iter().position(|word| word == "--").map(|at| at + 1) {
        let mut line = words.split_off(start);
        match Path::new(&shell).file_stem().and_then(|name| name.to_str()) {
            Some("bash") => {
                let index = std::env::var(INDEX_VARIABLE).ok().and_then(|index| index.parse().ok()).unwrap_or_default();
                (line, bash) = Bash::join(&line, index);
            }
            Some("zsh") => line.iter_mut().for_each(|word| *word = unquote(word)),
            // The script removes the quotes of all other words.
            Some("fish") => line.last_mut().into_iter().for_each(|word| *word = unquote(word)),
            _ => {}
        }
        words.extend(line);
    }
    let config = config_option(words.iter());
    let quotes = is_quoting(&shell);
    let definition = || definition(config.clone(), quotes);
    let shells = Shells(&[&bash, &Elvish, &Fish, &Powershell, &Zsh]);
    let folder = std::env::current_dir().ok();
    CompleteEnv::with_factory(definition).var(COMPLETION_VARIABLE).shells(shells).try_complete(words, folder.as_deref())
}

/// Returns the script of a shell. It calls the program, so it stays valid after an update.
pub(crate) fn registration_script(shell: &str) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    let bash = Bash::default();
    let shells = Shells(&[&bash, &Elvish, &Fish, &Powershell, &Zsh]);
    let shell = shells.completer(shell).ok_or(io::ErrorKind::Unsupported)?;
    shell.write_registration(COMPLETION_VARIABLE, NAME, NAME, NAME, &mut script)?;
    Ok(script)
}

/// Whether the script of a shell, or the shell itself, quotes candidates.
fn is_quoting(shell: &OsString) -> bool {
    ["bash", "zsh", "fish", "elvish"].iter().any(|name| Path::new(shell).file_stem().is_some_and(|stem| stem == *name))
}

/// Returns the command line, with the profiles of the configuration file as candidates. Leaves out names that a terminal or a shell would
/// execute.
fn definition(config: Option<PathBuf>, quotes: bool) -> clap::Command {
    let is_safe = move |name: &String| clean(name) == *name && (quotes || quote(name) == *name);
    let candidates = move || profiles(config.clone()).into_iter().filter(is_safe).map(CompletionCandidate::new).collect();
    Cli::definition().mut_arg("profile", |profile| profile.add(ArgValueCandidates::new(candidates)))
}

/// Returns the value of `--config` in the command line that is being completed.
fn config_option<'a>(mut words: impl Iterator<Item = &'a OsString>) -> Option<PathBuf> {
    let path = words.find_map(|word| match word.to_str()?.strip_prefix("--config")? {
        "" => Some(None),
        rest => rest.strip_prefix('=').map(|path| Some(path.to_owned())),
    })?;
    let path = path.map(OsString::from).or_else(|| words.next().cloned())?;
    Some(path.to_str().map_or_else(|| PathBuf::from(&path), expand_home))
}

/// Removes the quotes of a word, of which the last may be missing.
fn unquote(word: &OsString) -> OsString {
    let parts = word.to_str().and_then(|word| ["", "'", "\""].iter().find_map(|end| shlex::split(&format!("{word}{end}"))));
    parts.filter(|parts| parts.len() == 1).map_or_else(|| word.clone(), |mut parts| parts.remove(0).into())
}

/// The word that bash completes.
#[derive(Default)]
struct Bash {
    index: usize,
    /// Prefix of the word that bash splits off. Candidates are printed without it.
    prefix: String,
}

impl Bash {
    /// Removes the quotes of all words, and joins those that bash splits at `=` and `:`.
    fn join(words: &[OsString], index: usize) -> (Vec<OsString>, Self) {
        let is_break = |word: Option<&OsString>| word.is_some_and(|word| ["=", ":"].iter().any(|sign| word == sign));
        let (mut joined, mut this) = (Vec::<OsString>::new(), Self::default());
        for (at, word) in words.iter().enumerate() {
            let continues = is_break(Some(word)) || (at > 0 && is_break(words.get(at - 1)));
            match joined.last_mut().filter(|_| continues) {
                Some(last) => {
                    if at == index {
                        this.prefix = last.to_string_lossy().into_owned();
                    }
                    last.push(unquote(word));
                }
                None => joined.push(unquote(word)),
            }
            if at == index {
                this.index = joined.len() - 1;
            }
        }
        (joined, this)
    }
}

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == self.name()
    }

    fn write_registration(&self, variable: &str, _: &str, _: &str, _: &str, script: &mut dyn Write) -> io::Result<()> {
        script.write_all(BASH_SCRIPT.replace("VARIABLE", variable).as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let separator = std::env::var(SEPARATOR_VARIABLE).unwrap_or_else(|_| "\n".to_owned());
        let opening_quote = std::env::var(QUOTE_VARIABLE).unwrap_or_default();
        let candidates = complete(command, words, self.index, folder)?;
        let texts = candidates.iter().map(|candidate| {
            let text = candidate.get_value().to_string_lossy();
            quote_within(text.strip_prefix(&self.prefix).unwrap_or(&text), &opening_quote)
        });
        out.write_all(texts.collect::<Vec<_>>().join(&separator).as_bytes())
    }
}

/// Quotes a candidate after an opening quote, which bash keeps and closes.
fn quote_within(text: &str, opening_quote: &str) -> String {
    match opening_quote {
        "'" => text.replace('\'', "'\\''"),
        "\"" => text.chars().flat_map(|char| "\\\"$`".contains(char).then_some('\\').into_iter().chain([char])).collect(),
        _ => quote(text),
    }
}
