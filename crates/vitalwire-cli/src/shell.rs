//! Command lines in the syntax of a shell.

use crate::render::style::clean;

/// Quotes a text as one shell word. Shows control characters like `clean`.
pub(crate) fn quote(text: &str) -> String {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./:,=+@%".contains(&byte)) {
        return text.to_owned();
    }
    format!("'{}'", clean(text).replace('\'', "'\\''"))
}

/// Returns the command line of this program. None of its arguments is a secret.
pub(crate) fn command_line() -> String {
    join_words(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()))
}

/// Returns the command line with `--resume`, without a token.
pub(crate) fn resume_command_line() -> String {
    resume_command(&arguments_without_resume())
}

/// Returns the arguments of this program without `--resume`.
pub(crate) fn arguments_without_resume() -> Vec<String> {
    let mut after_resume = false;
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).filter(|word| {
        let is_token = after_resume && word.starts_with("vwr");
        after_resume = word == "--resume";
        !after_resume && !is_token && !word.starts_with("--resume=")
    });
    words.collect()
}

/// Returns the command line with these arguments and `--resume`.
pub(crate) fn resume_command(arguments: &[String]) -> String {
    join_words(arguments.iter().cloned()) + " --resume"
}

fn join_words(words: impl Iterator<Item = String>) -> String {
    words.fold("vitalwire".to_owned(), |line, word| line + " " + &quote(&word))
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
}
