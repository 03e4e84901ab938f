//! Query parameters.

use reqwest::Url;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::{Date, Id, Timestamp};

/// A value as query texts: none if it is absent, one per item of a list.
pub trait QueryValue {
    /// Appends the texts of the value.
    fn append_texts(&self, to: &mut Vec<String>);
}

macro_rules! query_value_by_display {
    ($($name:ty),*) => {$(
        impl QueryValue for $name {
            fn append_texts(&self, to: &mut Vec<String>) {
                to.push(self.to_string());
            }
        }
    )*};
}
query_value_by_display!(bool, i64, f64, String, Timestamp, Date, Id);

impl<T: QueryValue + ?Sized> QueryValue for &T {
    fn append_texts(&self, to: &mut Vec<String>) {
        (**self).append_texts(to);
    }
}

impl<T: QueryValue> QueryValue for Option<T> {
    fn append_texts(&self, to: &mut Vec<String>) {
        if let Some(value) = self {
            value.append_texts(to);
        }
    }
}

impl<T: QueryValue> QueryValue for Vec<T> {
    fn append_texts(&self, to: &mut Vec<String>) {
        self.iter().for_each(|item| item.append_texts(to));
    }
}

/// A query parameter as name-value pairs. A list repeats the name.
pub struct QueryParam {
    name: &'static str,
    texts: Vec<String>,
}

impl QueryParam {
    /// Creates a parameter from a name and a value.
    pub fn new(name: &'static str, value: &impl QueryValue) -> Self {
        let mut texts = Vec::new();
        value.append_texts(&mut texts);
        Self { name, texts }
    }
}

impl Serialize for QueryParam {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pairs = serializer.serialize_seq(Some(self.texts.len()))?;
        for text in &self.texts {
            pairs.serialize_element(&(self.name, text))?;
        }
        pairs.end()
    }
}

/// Joins the repeated names of list parameters: `types=a&types=b` becomes `types=a,b`. A comma inside a value stays encoded.
pub(crate) fn join_lists(url: &mut Url, lists: &[&str]) {
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let mut joined: Vec<(String, String)> = Vec::new();
    for (name, value) in url.query_pairs() {
        let value = encode(&value);
        match joined.iter_mut().find(|(known, _)| lists.contains(&known.as_str()) && *known == *name) {
            Some((_, values)) => {
                values.push(',');
                values.push_str(&value);
            }
            None => joined.push((name.into_owned(), value)),
        }
    }
    let pairs: Vec<String> = joined.iter().map(|(name, value)| format!("{}={value}", encode(name))).collect();
    url.set_query((!pairs.is_empty()).then(|| pairs.join("&")).as_deref());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_are_joined_and_commas_in_values_stay_encoded() {
        let mut url = Url::parse("http://127.0.0.1/?types=a&types=b%2Cc&state=x&state=y").unwrap();
        join_lists(&mut url, &["types"]);
        assert_eq!(url.query(), Some("types=a,b%2Cc&state=x&state=y"));
        let mut url = Url::parse("http://127.0.0.1/x?").unwrap();
        join_lists(&mut url, &["types"]);
        assert_eq!(url.query(), None);
    }
}
