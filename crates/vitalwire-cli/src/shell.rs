//! Command lines in the syntax of a shell.

use std::ffi::{OsStr, OsString};

use crate::render::style::clean;

/// Quotes a text or path as one shell word. Shows control characters of a text like `clean`.
pub(crate) fn quote(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref();
    let Some(text) = word.to_str() else { return quote_bytes(word.as_encoded_bytes()) };
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./:,=+@%".contains(&byte)) {
        return text.to_owned();
    }
    format!("'{}'", clean(text).replace('\'', "'\\''"))
}

/// Quotes a word that is not UTF-8.
fn quote_bytes(word: &[u8]) -> String {
    let quoted = word.iter().map(|byte| match byte {
        b' '..=b'~' if !b"'\\".contains(byte) => char::from(*byte).to_string(),
        // Three digits: a digit that follows belongs to the word.
        byte => format!("\\{byte:03o}"),
    });
    format!("$'{}'", quoted.collect::<String>())
}

/// Returns the command line of this program. None of its arguments is a secret.
pub(crate) fn command_line() -> String {
    join_words(std::env::args_os().skip(1))
}

/// Returns the command line with `--resume`, without a token.
pub(crate) fn resume_command_line() -> String {
    resume_command(arguments_without_resume())
}

/// Returns the arguments of this program without `--resume`.
pub(crate) fn arguments_without_resume() -> impl Iterator<Item = OsString> {
    let mut after_resume = false;
    std::env::args_os().skip(1).filter(move |word| {
        let begins = |start: &str| word.as_encoded_bytes().starts_with(start.as_bytes());
        let is_token = after_resume && begins("vwr");
        after_resume = word == "--resume";
        !after_resume && !is_token && !begins("--resume=")
    })
}

/// Returns the command line with these arguments and `--resume`.
pub(crate) fn resume_command(arguments: impl Iterator<Item = OsString>) -> String {
    join_words(arguments) + " --resume"
}

fn join_words(words: impl Iterator<Item = OsString>) -> String {
    words.fold("vitalwire".to_owned(), |line, word| line + " " + &quote(word))
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn a_shell_reads_the_quoted_text_unchanged() {
        assert_eq!(quote("webhook-0af3"), "webhook-0af3");
        assert_eq!(quote("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quote(""), "''");
        assert!(!quote("\u{1b}[2J").contains('\u{1b}'));
    }

    /// The printed word of a path that is not UTF-8 names the same file.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_shell_reads_the_bytes_of_a_path() {
        use std::os::unix::ffi::OsStrExt;
        let path = b"it's \\ caf\xff1\n.toml";
        let quoted = quote(std::ffi::OsStr::from_bytes(path));
        assert_eq!(quoted, r"$'it\047s \134 caf\3771\012.toml'");
        // Not every `sh` knows this form.
        let Ok(output) = std::process::Command::new("bash").args(["-c", &format!("printf %s {quoted}")]).output() else { return };
        assert_eq!(output.stdout, path);
    }
}
