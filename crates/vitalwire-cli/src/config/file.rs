//! The configuration file: TOML, with settings above all profiles and in each one.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};
use vitalwire::client::ClientBuilder;

use super::{expand_home, key};
use crate::failure::Failure;
use crate::nearest::nearest;
use crate::render::style::may_be_secret_path;

/// Settings of this program only. All other settings are those of the client.
pub(super) const OWN_SETTINGS: [&str; 4] = ["token_file", "token_command", "care_token_file", "care_token_command"];
/// Settings of this program whose value is a list of texts.
const LIST_SETTINGS: [&str; 2] = ["token_command", "care_token_command"];
/// The sources of each service's token. At most one of them may be set.
const TOKEN_SETTINGS: [[&str; 3]; 2] = [["token", "token_file", "token_command"], ["care_token", "care_token_file", "care_token_command"]];
/// Settings that name a file.
const PATH_SETTINGS: [&str; 4] = ["ca_file", "client_certificate_file", "token_file", "care_token_file"];
/// The profile that is used if no other is named. Allowed only above all profiles.
const DEFAULT_PROFILE: &str = "default_profile";
/// Maximum size of the file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The table that contains the profiles.
const PROFILE: &str = "profile";

/// An error in the file: the line, and a text without values.
type LineError = (usize, String);

/// Settings of one part of the file, with their lines. Has no `Debug`, because they may contain a token.
#[derive(Default)]
pub(super) struct Layer {
    texts: BTreeMap<String, (String, usize)>,
    lists: BTreeMap<String, Vec<String>>,
}

impl Layer {
    /// Returns a setting and its line.
    pub(super) fn text(&self, key: &str) -> Option<(&str, usize)> {
        self.texts.get(key).map(|(text, line)| (text.as_str(), *line))
    }

    pub(super) fn list(&self, key: &str) -> Option<&[String]> {
        self.lists.get(key).map(Vec::as_slice)
    }

    /// Whether a token, or a file or command that supplies it, is set.
    pub(super) fn sets_token(&self, token: &str) -> bool {
        let sources = TOKEN_SETTINGS.iter().filter(|[plain, ..]| *plain == token).flatten();
        sources.into_iter().any(|name| self.texts.contains_key(*name) || self.lists.contains_key(*name))
    }

    fn contains_token(&self) -> bool {
        TOKEN_SETTINGS.iter().any(|[plain, ..]| self.text(plain).is_some())
    }
}

pub(super) struct File {
    folder: PathBuf,
    common: Layer,
    profiles: BTreeMap<String, Layer>,
}

impl File {
    /// Reads and checks the whole file, including unused profiles.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let mut text = String::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text));
        // The error of invalid UTF-8 contains no values.
        let name = || if may_be_secret_path(path) { "(path not shown: it may be a token)".to_owned() } else { path.display().to_string() };
        read.map_err(|error| Failure::Settings(format!("the configuration file {} cannot be read: {error}", name())))?;
        if text.len() as u64 > MAX_FILE_BYTES {
            return Err(Failure::Settings(format!("the configuration file {} must not be larger than 1 MiB", path.display())));
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        Self::parse(text, folder).map_err(|(line, message)| Failure::Settings(format!("{}, line {line}: {message}", path.display())))
    }

    fn parse(text: &str, folder: PathBuf) -> Result<Self, LineError> {
        let line = |span: Range<usize>| 1 + text.get(..span.start).unwrap_or(text).matches('\n').count();
        // The parser's full text would quote the line, which may contain a token. Its message is one of a few fixed texts.
        let table = DeTable::parse(text).map_err(|error| (error.span().map_or(1, line), format!("must be TOML: {}", error.message())))?;
        let mut file = Self { folder, common: parse_layer(table.get_ref(), &line, true)?, profiles: BTreeMap::new() };
        for (name, value) in table.get_ref().iter().filter(|(name, _)| name.get_ref() == PROFILE) {
            let invalid = || (line(name.span()), "profiles must be tables, such as [profile.test]".to_owned());
            for (name, value) in value.get_ref().as_table().ok_or_else(invalid)? {
                let profile = parse_layer(value.get_ref().as_table().ok_or_else(invalid)?, &line, false)?;
                file.profiles.insert(name.get_ref().clone().into_owned(), profile);
            }
        }
        Ok(file)
    }

    /// Returns the settings above all profiles.
    pub(super) fn common(&self) -> &Layer {
        &self.common
    }

    pub(super) fn profile(&self, name: &str) -> Option<&Layer> {
        self.profiles.get(name)
    }

    pub(super) fn profiles(&self) -> impl Iterator<Item = &str> {
        self.profiles.keys().map(String::as_str)
    }

    /// Returns the profile that is used if no other is named.
    pub(super) fn default_profile(&self) -> Option<&str> {
        self.common.text(DEFAULT_PROFILE).map(|(name, _)| name)
    }

    /// Whether any part of the file contains a token.
    pub(super) fn contains_token(&self) -> bool {
        self.common.contains_token() || self.profiles.values().any(Layer::contains_token)
    }

    /// Whether any part of the file names a program to execute.
    pub(super) fn names_command(&self) -> bool {
        !self.common.lists.is_empty() || self.profiles.values().any(|layer| !layer.lists.is_empty())
    }

    /// Resolves the program of a command like a path, unless it is a bare name. The path is absolute, because the program runs in another
    /// folder.
    pub(super) fn resolve_program(&self, command: &[String]) -> Vec<OsString> {
        let mut command: Vec<OsString> = command.iter().map(OsString::from).collect();
        if let Some(program) = command.first_mut()
            && let Some(path) = program.to_str().filter(|path| path.contains(std::path::is_separator))
        {
            let path = self.resolve(path);
            // Unless the current folder is unknown.
            *program = std::path::absolute(&path).unwrap_or(path).into_os_string();
        }
        command
    }

    /// Resolves a path in the file, relative to the home folder or to the file's own folder.
    pub(super) fn resolve(&self, path: &str) -> PathBuf {
        self.folder.join(expand_home(path))
    }
}

/// Whether a setting is a token.
pub(super) fn is_token(key: &str) -> bool {
    TOKEN_SETTINGS.iter().any(|[plain, ..]| *plain == key)
}

/// Whether a setting names a file.
pub(super) fn is_path(key: &str) -> bool {
    PATH_SETTINGS.contains(&key)
}

/// Returns every setting that is allowed in a part of the file.
fn known_settings(top: bool) -> Vec<String> {
    let own = OWN_SETTINGS.iter().map(|name| (*name).to_owned());
    let top = [DEFAULT_PROFILE, PROFILE].iter().filter(|_| top).map(|name| (*name).to_owned());
    ClientBuilder::variables().map(|name| key(&name)).chain(own).chain(top).collect()
}

fn parse_layer(table: &DeTable<'_>, line: &impl Fn(Range<usize>) -> usize, top: bool) -> Result<Layer, LineError> {
    let known = known_settings(top);
    let mut layer = Layer::default();
    for (name, value) in table {
        let (line_number, name) = (line(name.span()), name.get_ref().as_ref());
        if !known.iter().any(|known| known == name) {
            return Err((line_number, unknown_setting(name, &known)));
        }
        match value.get_ref() {
            _ if name == PROFILE => {}
            DeValue::Array(items) if LIST_SETTINGS.contains(&name) => {
                let texts: Option<Vec<String>> = items.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect();
                layer.lists.insert(name.to_owned(), texts.ok_or_else(|| (line_number, format!("`{name}` must be a list of texts")))?);
            }
            _ if LIST_SETTINGS.contains(&name) => {
                return Err((line_number, format!("`{name}` must be a list: a program and its arguments")));
            }
            DeValue::String(text) => insert(&mut layer, name, text, line_number),
            DeValue::Integer(number) => insert(&mut layer, name, &number.to_string(), line_number),
            DeValue::Float(number) => insert(&mut layer, name, number.as_str(), line_number),
            DeValue::Boolean(on) => insert(&mut layer, name, if *on { "true" } else { "false" }, line_number),
            DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
                return Err((line_number, format!("`{name}` must be a single value")));
            }
        }
    }
    for names in TOKEN_SETTINGS {
        let set: Vec<&str> = names.into_iter().filter(|name| table.keys().any(|key| key.get_ref() == name)).collect();
        if let [first, second, ..] = set[..] {
            let line_number = table.keys().find(|key| key.get_ref() == second).map_or(1, |key| line(key.span()));
            return Err((line_number, format!("`{first}` and `{second}` both set the token; remove one of them")));
        }
    }
    Ok(layer)
}

fn insert(layer: &mut Layer, name: &str, text: &str, line: usize) {
    // An empty value is unset, as in environment variables.
    if !text.is_empty() {
        layer.texts.insert(name.to_owned(), (text.to_owned(), line));
    }
}

fn unknown_setting(name: &str, known: &[String]) -> String {
    let near = nearest(name, known.iter().map(String::as_str));
    // A quoted name may contain any character, even line ends.
    let name = name.escape_debug();
    match near {
        Some(near) => format!("unknown setting `{name}`; did you mean `{near}`?"),
        None => format!("unknown setting `{name}`; known settings are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests;
