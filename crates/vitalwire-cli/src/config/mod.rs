//! Settings from options, environment variables and the configuration file, in this order.
//!
//! The names come from the core: a setting in the file has the name of its variable, in lower case and without `VITALWIRE_`.

mod file;
mod permissions;
mod token_origin;
mod token_source;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use vitalwire::client::{Attempt, ClientBuilder};
use vitalwire::mock::MockResponses;
use vitalwire::{Client, Error};

use crate::cli::Connection;
use crate::environment::{self, key, text_variable, variable, variable_of};
use crate::failure::{Failure, warn};
use crate::render::style::{clean_path, may_be_secret};
use file::{File, Layer};
#[cfg(feature = "tables")]
pub(crate) use token_source::readers_warning;
use token_source::{TokenCommand, TokenSource};

pub(crate) const USER_AGENT: &str = concat!("vitalwire-cli/", env!("CARGO_PKG_VERSION"));
/// Maximum size of a file of certificates, in bytes.
const MAX_FILE_BYTES: u64 = 4 << 20;
/// Path of the configuration file in the user's configuration folder.
const CONFIG_PATH: [&str; 2] = ["vitalwire", "config.toml"];

/// All settings, by source.
pub(crate) struct Settings {
    /// Names and values of options.
    options: [(&'static str, Option<String>); 2],
    file: Option<(PathBuf, File)>,
    profile: Option<String>,
}

impl Settings {
    /// Reads the configuration file, if there is one.
    pub(crate) fn load(connection: &Connection) -> Result<Self, Failure> {
        let path = config_path(connection.config.clone());
        let changeable = path.as_deref().and_then(permissions::changeable_part);
        let file = path.map(|path| File::read(&path).map(|file| (path, file))).transpose()?;
        let profile = connection.profile.clone().map_or_else(|| text_variable("VITALWIRE_PROFILE"), |name| Ok(Some(name)))?;
        let profile = profile.or_else(|| file.as_ref().and_then(|(_, file)| file.default_profile()).map(str::to_owned));
        if let Some(name) = &profile
            && file.as_ref().is_none_or(|(_, file)| file.profile(name).is_none())
        {
            return Err(unknown_profile(name, file.as_ref().map(|(_, file)| file)));
        }
        // A name that is not Unicode is not one of ours.
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        environment::warnings(names, &file::OWN_SETTINGS).iter().for_each(|warning| warn(warning));
        if let Some((path, file)) = &file {
            permissions::check(path, file, changeable.as_deref())?.iter().for_each(|warning| warn(warning));
        }
        let options = [("base_url", connection.base_url.clone()), ("care_base_url", connection.care_base_url.clone())];
        let layer = connection.profile.as_ref().zip(file.as_ref()).and_then(|(name, (_, file))| file.profile(name));
        for (key, option) in &options {
            let name = variable_of(key);
            if option.is_none() && layer.is_some_and(|layer| layer.text(key).is_some()) && variable(&name).is_some() {
                warn(&format!(
                    "the variable {name} takes precedence over the base URL of the profile; unset the variable to use the profile's"
                ));
            }
        }
        Ok(Self { options, file, profile })
    }

    /// Creates a client from these settings. A token from a file or a command is read when a call needs it. `on_attempt` is called after
    /// every attempt.
    pub(crate) fn client(&self, on_attempt: impl Fn(&Attempt) + Send + Sync + 'static) -> Result<Client, Failure> {
        let mut builder = self.builder()?.on_attempt(on_attempt);
        if let Some(source) = self.token_source("token") {
            source.check()?;
            source.warning("token").iter().for_each(|warning| warn(warning));
            builder = builder.token_provider(source);
        }
        if let Some(source) = self.token_source("care_token") {
            source.check()?;
            source.warning("token").iter().for_each(|warning| warn(warning));
            builder = builder.care_token_provider(source);
        }
        builder.build().map_err(|error| self.with_origin(error))
    }

    /// Returns the settings of a client, without a token from a file or a command.
    pub(crate) fn builder(&self) -> Result<ClientBuilder, Failure> {
        for name in ClientBuilder::variables().filter(|name| file::is_path(&key(name))) {
            // A pipe or a device could be endless. The client reports a missing file.
            let is_usable = |path: OsString| Path::new(&path).metadata().is_err() || is_small_file(Path::new(&path));
            if !self.value(&name).is_none_or(is_usable) {
                return Err(self.with_origin(Error::invalid_setting(name, "must be a regular file of at most 4 MiB")));
            }
        }
        let key_file = self.value("VITALWIRE_CLIENT_CERTIFICATE_FILE").map(PathBuf::from).map(TokenSource::File);
        key_file.and_then(|file| file.warning("private key")).iter().for_each(|warning| warn(warning));
        ClientBuilder::from_variables(|name| self.value(name)).map_err(|error| self.with_origin(error))
    }

    /// Adds the origin of an invalid setting to its error.
    fn with_origin(&self, error: Error) -> Failure {
        let Some(key) = error.argument().map(key) else { return error.into() };
        let Some(origin) = self.origin(&key) else { return error.into() };
        // Only file names are printed; other values may be secrets.
        let value = self.value(&variable_of(&key)).filter(|_| file::is_path(&key));
        let file = value.map_or_else(String::new, |path| format!(": {}", clean_path(Path::new(&path))));
        Failure::Hinted(error, format!("{origin}{file}"))
    }

    /// Creates a client with these settings that uses mock responses.
    pub(crate) fn mock_client(&self, responses: &MockResponses) -> Result<Client, Failure> {
        Ok(ClientBuilder::from_variables(|name| self.value(name))?.mock_responses(responses).build()?)
    }

    /// Creates a client that forwards requests with credentials of their own.
    pub(crate) fn forwarding_client(&self) -> Result<Client, Failure> {
        let is_set = |service: &vitalwire::operation::ServiceMeta| self.value(&variable_of(service.base_url)).is_some();
        if !vitalwire::INTERFACE.services.iter().any(is_set) {
            return Err(Failure::Settings("no base URL is set: add --base-url or --care-base-url".to_owned()));
        }
        self.builder()?.build().map_err(|error| self.with_origin(error))
    }

    /// Whether invalid arguments are rejected before a request is sent. The client reports a value that is neither true nor false.
    pub(crate) fn client_side_validation(&self) -> bool {
        let value = self.value("VITALWIRE_CLIENT_SIDE_VALIDATION").unwrap_or_default();
        !["0", "false", "no", "off"].contains(&value.to_string_lossy().trim().to_ascii_lowercase().as_str())
    }

    /// Returns the value of a variable. A path need not be UTF-8.
    fn value(&self, name: &str) -> Option<OsString> {
        let key = key(name);
        if file::is_token(&key) && self.foreign_token(&key).is_some() {
            return None;
        }
        if let Some(value) = self.option(&key).map(OsString::from).or_else(|| variable(name)) {
            return Some(value);
        }
        let value = self
            .file_setting(&key)
            .map(|(file, text, _)| if file::is_path(&key) { file.resolve(text).into_os_string() } else { text.into() });
        // Set a default: this program has its own user agent.
        value.or_else(|| (key == "user_agent").then(|| USER_AGENT.into()))
    }

    /// Describes the source of a setting, for a hint.
    fn origin(&self, key: &str) -> Option<String> {
        let name = variable_of(key);
        if self.option(key).is_some() {
            Some(format!("the value comes from --{}", key.replace('_', "-")))
        } else if variable(&name).is_some() {
            Some(format!("the value comes from the variable {name}"))
        } else {
            let (path, _) = self.file.as_ref()?;
            let (_, _, line) = self.file_setting(key)?;
            Some(format!("the value comes from `{key}` in line {line} of {}", path.display()))
        }
    }

    fn option(&self, key: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| *name == key)?.1.as_deref()
    }

    fn file_setting(&self, key: &str) -> Option<(&File, &str, usize)> {
        let (_, file) = self.file.as_ref()?;
        let (text, line) = self.layers(key).into_iter().flatten().find_map(|layer| layer.text(key))?;
        Some((file, text, line))
    }

    /// Returns the file or command that supplies a token, unless a variable or the configuration file contains the token. The first part of
    /// the file with a setting for the token decides.
    fn token_source(&self, key: &str) -> Option<TokenSource> {
        if let Some(foreign) = self.foreign_token(key) {
            return Some(TokenSource::Foreign(foreign));
        }
        if variable(&variable_of(key)).is_some() {
            return None;
        }
        let (config, file) = self.file.as_ref()?;
        let (path, command) = (format!("{key}_file"), format!("{key}_command"));
        for layer in self.layers(key).into_iter().flatten() {
            if let Some(command) = layer.list(&command) {
                let config = std::path::absolute(config).unwrap_or_else(|_| config.clone());
                let (words, profile) = (file.resolve_program(command), self.profile.clone());
                return Some(TokenSource::Command(TokenCommand { words, config, profile }));
            }
            if let Some((path, _)) = layer.text(&path) {
                return Some(TokenSource::File(file.resolve(path)));
            }
            if layer.text(key).is_some() {
                return None;
            }
        }
        None
    }

    /// Returns the parts of the file that apply to a setting, the profile first. A profile with its own base URL is another service: the
    /// token above all profiles is not used for it.
    fn layers(&self, key: &str) -> [Option<&Layer>; 2] {
        let Some((_, file)) = &self.file else { return [None; 2] };
        let profile = self.profile.as_ref().and_then(|name| file.profile(name));
        let is_other_service = file::is_token(key) && profile.is_some_and(|profile| profile.text(base_url_of(key)).is_some());
        [profile, Some(file.common()).filter(|_| !is_other_service)]
    }
}

fn is_small_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.len() <= MAX_FILE_BYTES)
}

/// Returns the setting with the base URL of a token's service.
fn base_url_of(token: &str) -> &'static str {
    if token.starts_with("care_") { "care_base_url" } else { "base_url" }
}

/// Returns the path of the configuration file: from the option or the variable, or the default path if there is a file.
fn config_path(option: Option<PathBuf>) -> Option<PathBuf> {
    let given_path = option.or_else(|| variable("VITALWIRE_CONFIG").map(PathBuf::from));
    given_path.or_else(|| default_config_path().filter(|path| !is_missing(path)))
}

/// Whether the path is free. False for a dangling link and for a path in an unsearchable folder, because the user may have a file there.
fn is_missing(path: &Path) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let missing = path.metadata().is_err_and(|error| matches!(error.kind(), NotFound | NotADirectory));
    missing && !path.ancestors().any(|part| part.is_symlink() && !part.exists())
}

/// Returns the names of the profiles in the configuration file. Returns none if it cannot be read.
pub(crate) fn profiles(option: Option<PathBuf>) -> Vec<String> {
    let file = config_path(option).and_then(|path| File::read(&path).ok());
    file.iter().flat_map(File::profiles).map(str::to_owned).collect()
}

fn default_config_path() -> Option<PathBuf> {
    let folder = etcetera::choose_base_strategy().ok()?.config_dir();
    Some(CONFIG_PATH.iter().fold(folder, |path, part| path.join(part)))
}

fn unknown_profile(name: &str, file: Option<&File>) -> Failure {
    let known: Vec<&str> = file.into_iter().flat_map(File::profiles).collect();
    let known = if known.is_empty() { "there are no profiles".to_owned() } else { format!("known profiles are {}", known.join(", ")) };
    let name = if may_be_secret(name) { "(name not shown: it may be a secret)".to_owned() } else { format!("`{}`", name.escape_debug()) };
    Failure::Settings(format!("the configuration has no profile {name}; {known}"))
}

/// Resolves `~/` at the start of a path.
pub(crate) fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest),
        _ => Path::new(path).to_owned(),
    }
}
