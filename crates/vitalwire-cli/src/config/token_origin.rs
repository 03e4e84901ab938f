//! A token is sent only to the origin of the base URL in the same part of the file, or in the environment.

use std::ffi::{OsStr, OsString};

use url::{Origin, Url};

use super::{Settings, base_url_of};
use crate::environment::{variable, variable_of};
use crate::failure::MissingToken;

impl Settings {
    /// Returns the error for a token whose own base URL has another origin than the selected one.
    ///
    /// A token from a variable belongs to the base URL variable, if that is set. A token from the file belongs to the base URL that
    /// the file sets.
    pub(super) fn foreign_token(&self, key: &str) -> Option<MissingToken> {
        let url_key = base_url_of(key);
        let (token_variable, url_variable) = (variable_of(key), variable_of(url_key));
        let selected = self.value(&url_variable)?;
        let selector = if self.option(url_key).is_some() { format!("--{}", url_key.replace('_', "-")) } else { url_variable.clone() };
        if variable(&token_variable).is_some() {
            let own = variable(&url_variable)?;
            let remedy = format!("unset {url_variable} and set {token_variable} to the token of the other service");
            let text = format!("{token_variable} is sent only to the origin of {url_variable}, but {selector} selects another origin");
            return (!is_same_origin(&own, &selected)).then_some(MissingToken::OtherOrigin(text, remedy));
        }
        if !self.layers(key).into_iter().flatten().any(|layer| layer.sets_token(key)) {
            return None;
        }
        // Without a base URL in the file, the token is for any service.
        let own = OsString::from(self.file_setting(url_key)?.1);
        let remedy = format!("set {token_variable} for the other service, or add a profile with its {url_key} and token");
        let text = format!(
            "the token of the configuration file is sent only to the origin of its {url_key}, but {selector} selects another origin"
        );
        (!is_same_origin(&own, &selected)).then_some(MissingToken::OtherOrigin(text, remedy))
    }
}

fn is_same_origin(one: &OsStr, other: &OsStr) -> bool {
    one == other || origin(one).is_some_and(|one| origin(other) == Some(one))
}

fn origin(url: &OsStr) -> Option<Origin> {
    // The client ignores a byte order mark too.
    Url::parse(url.to_str()?.trim_start_matches('\u{feff}')).ok().map(|url| url.origin())
}
