//! Environment variables and files of the program. Help, manual pages and the README list them from here.

use std::ffi::OsString;

use crate::failure::Failure;
use crate::nearest::nearest;

pub(crate) const PREFIX: &str = "VITALWIRE_";

/// A variable or file, and its description.
type Entry = (&'static str, &'static str);

/// The variable with which a completion script requests candidates. It names the shell.
pub(crate) const COMPLETION_VARIABLE: &str = "VITALWIRE_COMPLETE";

pub(crate) const VARIABLES: &[Entry] = &[
    ("VITALWIRE_BASE_URL", "Base URL of the health service. --base-url overrides it"),
    ("VITALWIRE_TOKEN", "Bearer token of the health service, without `Bearer `"),
    ("VITALWIRE_CARE_BASE_URL", "Base URL of the care service. --care-base-url overrides it"),
    ("VITALWIRE_CARE_TOKEN", "Bearer token of the care service, without `Bearer `"),
    ("VITALWIRE_CONFIG", "Configuration file. --config overrides it"),
    ("VITALWIRE_PROFILE", "Profile of the configuration file. --profile overrides it"),
    ("VITALWIRE_PROXY", "URL of a proxy for all requests, or `none` to use no proxy. Defaults to HTTPS_PROXY, HTTP_PROXY and ALL_PROXY"),
    ("VITALWIRE_CA_FILE", "PEM file with certificates to trust in addition to the system's"),
    ("VITALWIRE_ONLY_CUSTOM_CERTIFICATES", "If true, only the certificates of VITALWIRE_CA_FILE are trusted. Defaults to false"),
    (
        "VITALWIRE_PINNED_KEYS",
        "Public keys, one of which a trusted server must have: sha256/ and the base64 SHA-256 hash of a key. Separated by ;",
    ),
    (
        "VITALWIRE_CLIENT_CERTIFICATE_FILE",
        "PEM file with a client certificate, its chain and its private key. Make the file readable only by its owner",
    ),
    (
        "VITALWIRE_ALLOW_PLAIN_HTTP",
        "If true, http URLs of other machines are allowed. Tokens and health data then travel unencrypted. Defaults to false",
    ),
    ("VITALWIRE_CONNECT_TIMEOUT", "Maximum time to connect, in seconds. Defaults to 10"),
    ("VITALWIRE_ATTEMPT_TIMEOUT", "Maximum time for one attempt, in seconds. Defaults to 30, and to 180 for uploads"),
    ("VITALWIRE_TIMEOUT", "Maximum time for a call with all its attempts, in seconds. Defaults to 60, and to 240 for uploads"),
    ("VITALWIRE_MAX_RETRIES", "Maximum number of retries. 0 disables retries. Defaults to 2"),
    ("VITALWIRE_MAX_CONNECTIONS", "Maximum number of requests in flight at once. Defaults to 64"),
    ("VITALWIRE_MAX_RESPONSE_BYTES", "Maximum size of a decompressed response, in bytes. Defaults to 67108864"),
    ("VITALWIRE_USER_AGENT", "Text to add to the User-Agent header. Defaults to vitalwire-cli and its version"),
    ("VITALWIRE_ARRAY_STYLE", "Encoding of lists in query strings: repeated (a=1&a=2) or comma (a=1,2). Defaults to repeated"),
    (
        "VITALWIRE_CLIENT_SIDE_VALIDATION",
        "Validate arguments before sending. If false, arguments that the service is known to reject are sent too. Defaults to true",
    ),
    ("VITALWIRE_STRICT_LISTS", "If true, a call fails on a list item that cannot be decoded. Defaults to false, which leaves the item out"),
    ("VITALWIRE_COMPLETE", "Shell to print completion candidates for. Set by the script of `vitalwire completions`"),
    ("HTTPS_PROXY, HTTP_PROXY, ALL_PROXY", "URL of a proxy, unless VITALWIRE_PROXY is set. Lower-case names are read too"),
    ("NO_PROXY", "Hosts to reach without a proxy: names, IP addresses and CIDR blocks, separated by commas"),
    ("XDG_CONFIG_HOME", "Folder of configuration files on Unix. Defaults to ~/.config"),
    ("NO_COLOR, CLICOLOR, CLICOLOR_FORCE", "Enable or disable colour, unless --color is always or never"),
    ("TERM", "`dumb` disables the progress line and colour"),
    ("LC_ALL, LC_CTYPE, LANG", "Locale. Tables and charts use ASCII if its encoding is not UTF-8. Without a locale, they use UTF-8"),
    ("COLUMNS", "Width of the output in columns if stdout is not a terminal. Defaults to 80"),
];

pub(crate) const FILES: &[Entry] = &[
    (
        "~/.config/vitalwire/config.toml",
        "Configuration file (on Windows, %APPDATA%\\vitalwire\\config.toml). Settings have the names of variables, in lower case and \
         without VITALWIRE_, such as base_url. Paths in it are relative to the file",
    ),
    (
        "token_command, care_token_command",
        "Settings of the configuration file: a program that prints a token, and its arguments. It runs in the folder of the file, and \
         only if no other user can change the configuration file, or the program if it is named with a path. It gets the file and the \
         profile in use as VITALWIRE_CONFIG and VITALWIRE_PROFILE",
    ),
    (
        "token_file, care_token_file",
        "Settings of the configuration file: the path of a file that contains a token. Make the file readable only by its owner",
    ),
];

/// Returns the section of the program's help about variables and files.
pub(crate) fn help() -> String {
    let list = |title: &str, entries: &[Entry]| {
        let lines = entries.iter().map(|(name, meaning)| format!("\n  {name}\n          {meaning}"));
        format!("{title}:{}", lines.collect::<String>())
    };
    format!("{}\n\n{}", list("Environment variables", VARIABLES), list("Files", FILES))
}

/// Returns a warning for each environment variable that looks like a misspelled setting. Other programs may use the same prefix. So unlike
/// in the configuration file, a name that resembles no setting is accepted.
///
/// `only_in_file` lists the settings that have no variable.
pub(crate) fn warnings(names: impl Iterator<Item = String>, only_in_file: &[&str]) -> Vec<String> {
    let known: Vec<String> = own_variables().map(key).collect();
    let warning = |name: String| {
        let unknown = name.strip_prefix(PREFIX)?.to_ascii_lowercase();
        if known.contains(&unknown) {
            return None;
        }
        if only_in_file.contains(&unknown.as_str()) {
            return Some(format!("the variable {name} is not read; set `{unknown}` in the configuration file"));
        }
        let near = nearest(&unknown, known.iter().map(String::as_str))?;
        Some(format!("unknown variable {}; did you mean {PREFIX}{}?", name.escape_debug(), near.to_ascii_uppercase()))
    };
    names.filter_map(warning).collect()
}

/// Returns the value of a variable, or `None` if it is unset or empty.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the value of a variable, or `None` if it is unset or empty. Fails if it is not UTF-8.
pub(crate) fn text_variable(name: &str) -> Result<Option<String>, Failure> {
    let text = variable(name).map(OsString::into_string).transpose();
    text.map_err(|_| Failure::Settings(format!("{name} must be UTF-8")))
}

/// Returns the name of a setting in the configuration file from the name of its variable.
pub(crate) fn key(variable: &str) -> String {
    variable.trim_start_matches(PREFIX).to_ascii_lowercase()
}

/// Returns the name of a variable from the name of its setting in the configuration file.
pub(crate) fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.to_ascii_uppercase())
}

/// Returns the variables with the program's prefix.
fn own_variables() -> impl Iterator<Item = &'static str> {
    VARIABLES.iter().map(|(name, _)| *name).filter(|name| name.starts_with(PREFIX))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use vitalwire::client::ClientBuilder;

    use super::*;

    /// The site's page about the command line, and the lines around the list in it.
    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/site/command-line.md");
    const MARKS: [&str; 2] = ["<!-- Written by the test the_page_lists_the_same: VITALWIRE_BLESS=1 -->\n\n", "\n<!-- End of the list -->"];

    /// Compares the page with this list. `VITALWIRE_BLESS=1` updates the page.
    #[test]
    fn the_page_lists_the_same() {
        let mut list = String::from("| variable or file | meaning |\n|---|---|\n");
        for (name, meaning) in VARIABLES.iter().chain(FILES) {
            writeln!(list, "| `{}` | {meaning} |", name.replace(", ", "`, `")).expect("a text");
        }
        let page = std::fs::read_to_string(PAGE).expect("a page").replace("\r\n", "\n");
        let (before, rest) = page.split_once(MARKS[0]).expect("the beginning of the list");
        let (found, after) = rest.split_once(MARKS[1]).expect("the end of the list");
        if std::env::var_os("VITALWIRE_BLESS").is_some() {
            std::fs::write(PAGE, [before, MARKS[0], &list, MARKS[1], after].concat()).expect("written");
        } else {
            assert_eq!(found, list);
        }
    }

    #[test]
    fn the_table_lists_every_setting_of_the_client() {
        let mut listed: Vec<&str> = own_variables().collect();
        let own = ["VITALWIRE_CONFIG", "VITALWIRE_PROFILE", COMPLETION_VARIABLE].map(str::to_owned);
        let mut read: Vec<String> = ClientBuilder::variables().chain(own).collect();
        listed.sort_unstable();
        read.sort_unstable();
        assert_eq!(listed, read);
    }

    #[test]
    fn misspelled_variables_are_named() {
        for (name, warning) in [
            ("VITALWIRE_TIMOUT", Some("unknown variable VITALWIRE_TIMOUT; did you mean VITALWIRE_TIMEOUT?")),
            ("VITALWIRE_BASEURL", Some("unknown variable VITALWIRE_BASEURL; did you mean VITALWIRE_BASE_URL?")),
            ("VITALWIRE_TOKEN_FILE", Some("the variable VITALWIRE_TOKEN_FILE is not read; set `token_file` in the configuration file")),
            // A known name, names of other programs, and a name without the prefix.
            ("VITALWIRE_TIMEOUT", None),
            ("VITALWIRE_CONFIG", None),
            ("VITALWIRE_WEBHOOK_KEY", None),
            ("VITALWIRE_SLEEP_ID", None),
            ("VITALWIRE_PROGRAM", None),
            ("TIMOUT", None),
        ] {
            assert_eq!(warnings([name.to_owned()].into_iter(), &["token_file"]).first().map(String::as_str), warning, "{name}");
        }
    }
}
