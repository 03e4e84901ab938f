//! `Display` and `Debug` of errors. They show nothing that may be private.

use std::fmt;

use super::Error;

/// Maximum length of a request id in a text, in characters.
const MAX_ID_LENGTH: usize = 64;
/// Maximum length of a location in a text, in characters.
const MAX_LOCATION_LENGTH: usize = 128;
/// Maximum length of a name in a location, in characters. Most tokens are longer, and a service could echo one.
const MAX_NAME_LENGTH: usize = 40;
/// Maximum number of locations in a text.
const MAX_LOCATIONS: usize = 8;

/// Returns the request id if it has the form of an id: letters, digits and `.`, `_`, `-`.
pub(crate) fn displayable_id(id: &str) -> Option<&str> {
    let is_displayable =
        !id.is_empty() && id.len() <= MAX_ID_LENGTH && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    is_displayable.then_some(id)
}

/// Returns a location such as `body.items[3].name` if it has that form.
fn displayable_location(location: &str) -> Option<&str> {
    let is_displayable = !location.is_empty()
        && location.len() <= MAX_LOCATION_LENGTH
        && location.split(['.', '[', ']']).all(|name| name.len() <= MAX_NAME_LENGTH)
        && location.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.[]-*".contains(&b));
    is_displayable.then_some(location)
}

impl Error {
    /// Returns the distinct locations of validation errors: several invalid items may share one location.
    fn error_locations(&self) -> Vec<&str> {
        let items = self.inner.problem.iter().flat_map(|problem| &problem.errors);
        let mut locations = Vec::new();
        for location in items.filter_map(|item| displayable_location(item.location.as_deref()?)) {
            if locations.len() < MAX_LOCATIONS && !locations.contains(&location) {
                locations.push(location);
            }
        }
        locations
    }

    /// Returns the text after the kind: the details of the error, separated by commas.
    fn details(&self) -> String {
        let inner = &*self.inner;
        let mut details: Vec<String> = Vec::new();
        if let Some(reason) = inner.reason {
            details.push(reason.to_owned());
        }
        if let Some(detail) = inner.detail {
            details.push(detail.to_owned());
        }
        if let Some(argument) = &inner.argument {
            details.push(format!("argument {argument}"));
        }
        if let Some(path) = &inner.json_path {
            details.push(format!("at {path}"));
        }
        let locations = self.error_locations();
        if !locations.is_empty() {
            details.push(format!("at {}", locations.join(" and ")));
        }
        if let Some(status) = inner.status {
            details.push(format!("status {status}"));
        }
        match (inner.http_method, inner.path_template) {
            (Some(method), Some(template)) => details.push(format!("{method} {template}")),
            (None, Some(template)) => details.push(template.to_owned()),
            _ => {}
        }
        if let Some(id) = inner.request_id.as_deref().and_then(displayable_id) {
            details.push(format!("request id {id}"));
        }
        if let Some(wait) = inner.retry_after {
            details.push(format!("retry after {} s", wait.as_secs()));
        }
        if inner.attempts > 1 {
            details.push(format!("{} attempts", inner.attempts));
        }
        if self.may_have_taken_effect() {
            details.push("it may have taken effect".to_owned());
        }
        details.join(", ")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details = self.details();
        if details.is_empty() { f.write_str(self.kind().as_str()) } else { write!(f, "{}: {details}", self.kind()) }
    }
}

/// Shows the same as `Display`. The source is omitted, because its `Debug` may show private data.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

#[cfg(test)]
mod tests;
