//! Objects, field by field.

use serde_json::{Map, Value, json};
use vitalwire::value::{Extra, ListMember};

use super::{Bases, Canonical};
use crate::canonical::normalize;

/// The object of a record.
pub(in crate::runner) struct Object<'a> {
    fields: Map<String, Value>,
    bases: &'a mut Bases,
}

impl<'a> Object<'a> {
    pub(in crate::runner) fn new(bases: &'a mut Bases) -> Self {
        Self { fields: Map::new(), bases }
    }

    pub(in crate::runner) fn required(&mut self, name: &str, value: &impl Canonical) {
        self.fields.insert(name.to_owned(), value.canonical(self.bases));
    }

    /// Adds a field, unless it is absent.
    pub(in crate::runner) fn optional(&mut self, name: &str, value: &Option<impl Canonical>) {
        if let Some(value) = value {
            self.required(name, value);
        }
    }

    /// Adds a list that may be absent or null.
    pub(in crate::runner) fn list<T: Canonical>(&mut self, name: &str, value: &ListMember<T>) {
        let value = match value {
            ListMember::Absent => return,
            ListMember::Null => Value::Null,
            ListMember::List(items) => items.canonical(self.bases),
        };
        self.fields.insert(name.to_owned(), value);
    }

    /// Returns the object with the fields that the client does not know.
    pub(in crate::runner) fn finish(mut self, unknown: &Extra) -> Value {
        self.fields.extend(extra(unknown));
        Value::Object(self.fields)
    }
}

/// Returns fields that the client does not know or that have an unexpected type, with marks. A field that [`Value`] cannot represent is
/// its JSON text.
pub(super) fn extra(fields: &Extra) -> impl Iterator<Item = (String, Value)> {
    fields.iter().map(|(name, text)| {
        let value = fields.get(name).map_or_else(|| Value::from(text), |value| normalize(&value, None));
        (name.to_owned(), json!({ "extra": value }))
    })
}

#[cfg(test)]
mod tests {
    use vitalwire::models::WebhookEvent;

    use super::*;

    #[test]
    fn absent_fields_are_left_out() {
        let mut bases = Bases::default();
        let mut object = Object::new(&mut bases);
        object.required("a", &1_i64);
        object.optional("b", &Some(1.0));
        object.optional("c", &None::<f64>);
        object.list("d", &ListMember::<f64>::Absent);
        object.list("e", &ListMember::<f64>::Null);
        object.list("f", &ListMember::<f64>::List(Vec::new()));
        object.list("g", &ListMember::List(vec![0.5]));
        assert_eq!(object.finish(&Extra::new()), json!({"a": 1, "b": 1, "e": null, "f": [], "g": [0.5]}));
    }

    #[test]
    fn unknown_fields_are_marked() {
        let sent = json!({"event_type": 7, "colour": {"red": 1.5, "deep": [null]}, "metrics": null, "provider_slug": null});
        let event: WebhookEvent = serde_json::from_str(&sent.to_string()).unwrap();
        let expected = json!({"event_type": {"extra": 7}, "colour": {"extra": {"red": 1.5, "deep": [null]}}, "metrics": null});
        assert_eq!(super::super::to_canonical(&event).0, expected);
    }
}
