//! Reads query parameters. All errors of a request are reported at once.

use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

use crate::values::text;
use crate::web::problem::{ErrorItem, ErrorList, Problem};

/// Decoded query parameters and the errors found so far.
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
    errors: ErrorList,
}

impl Query {
    pub(crate) fn parse(raw: Option<&str>) -> Self {
        let pairs = url::form_urlencoded::parse(raw.unwrap_or_default().as_bytes()).into_owned().collect();
        Self { pairs, errors: ErrorList::default() }
    }

    pub(crate) fn reject(&mut self, name: &str, message: &str, text: &str) {
        self.errors.add(|| ErrorItem::text(format!("query.{name}"), message, text));
    }

    fn reject_missing(&mut self, name: &str) {
        self.errors.add(|| ErrorItem::new(format!("query.{name}"), "required query parameter is missing", Value::Null));
    }

    /// Fails if any errors were found.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        self.errors.finish()
    }

    /// Returns the first value of a parameter.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    }

    /// Returns a boolean. Defaults to false.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        match self.text(name).as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(other) => {
                self.reject(name, "expected true or false", other);
                false
            }
        }
    }

    /// Returns a list from repeated parameters, comma-separated values, or both.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        self.pairs
            .iter()
            .filter(|(key, _)| key == name)
            .flat_map(|(_, value)| value.split(','))
            .filter(|value| !value.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// Returns a required list of at least one name from `known`, in the order of `known` and without duplicates. Other names are
    /// rejected with `message`.
    pub(crate) fn required_names(&mut self, name: &str, known: &[&'static str], message: &str) -> Vec<&'static str> {
        let names = self.names(name, known, message);
        if self.list(name).is_empty() {
            self.errors.add(|| ErrorItem::new(format!("query.{name}"), "expected at least 1 item", Value::Null));
        }
        names
    }

    /// Returns an optional list of names, otherwise like [`Self::required_names`].
    pub(crate) fn names(&mut self, name: &str, known: &[&'static str], message: &str) -> Vec<&'static str> {
        let names = self.list(name);
        for unknown in names.iter().filter(|name| !known.contains(&name.as_str())) {
            self.reject(name, message, unknown);
        }
        known.iter().copied().filter(|known| names.iter().any(|name| name == known)).collect()
    }

    /// Returns a required calendar date.
    pub(crate) fn date(&mut self, name: &str) -> Option<Date> {
        let Some(written) = self.text(name) else {
            self.reject_missing(name);
            return None;
        };
        let date = text::parse_date(&written);
        if date.is_none() {
            self.reject(name, "expected a date like 2025-01-31", &written);
        }
        date
    }

    /// Returns an optional instant.
    pub(crate) fn instant(&mut self, name: &str) -> Option<Timestamp> {
        let written = self.text(name)?;
        let instant = text::parse_instant(&written);
        if instant.is_none() {
            self.reject(name, "expected a date-time like 2025-01-31T08:00:00Z", &written);
        }
        instant
    }

    /// Returns a half-open range of instants. An absent end is `None`.
    pub(crate) fn range(&mut self) -> (Option<Timestamp>, Option<Timestamp>) {
        let from = self.instant("from_timestamp");
        let to = self.instant("to_timestamp");
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            self.reject("from_timestamp", "is after to_timestamp", &from.to_string());
        }
        (from, to)
    }

    /// Checks a required parameter that has only one valid value.
    pub(crate) fn require_value(&mut self, name: &str, only: &str) {
        match self.text(name) {
            None => self.reject_missing(name),
            Some(text) if text == only => {}
            Some(text) => self.reject(name, &format!("expected {only}"), &text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_array_styles_can_be_mixed() {
        let query = Query::parse(Some("types=a&types=b%2Cc&types=&other=d"));
        assert_eq!(query.list("types"), ["a", "b", "c"]);
    }
}
