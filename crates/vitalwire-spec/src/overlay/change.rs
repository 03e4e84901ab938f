//! Changing a document at one place.

use serde_json::{Map, Value};

use crate::MAX_DEPTH;

/// One step to a place. Sorted, an earlier item of an array comes before a later one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// A member.
    Name(String),
    /// An item.
    Index(usize),
}

/// The way to a value, from the document's root.
pub(super) type Place = Vec<Step>;

/// Merges the update into the place, or removes the place without one; says how many values were added at most.
pub(super) fn change(document: &mut Value, place: &[Step], update: Option<&Value>) -> Result<usize, String> {
    let Some(update) = update else { return remove(document, place).map(|()| 0) };
    let (size, depth) = measure(update);
    if place.len() + depth > MAX_DEPTH {
        return Err(format!("nests the specification deeper than {MAX_DEPTH}"));
    }
    match find(document, place) {
        // An array as target: the update is one more item.
        Some(Value::Array(items)) if !update.is_array() => items.push(update.clone()),
        Some(Value::Object(_)) if !update.is_object() => return Err("selects an object, and the update is none".into()),
        Some(value) => merge(value, update),
        None => {}
    }
    Ok(size)
}

fn find<'a>(document: &'a mut Value, place: &[Step]) -> Option<&'a mut Value> {
    place.iter().try_fold(document, |value, step| match (value, step) {
        (Value::Object(members), Step::Name(name)) => members.get_mut(name),
        (Value::Array(items), Step::Index(index)) => items.get_mut(*index),
        _ => None,
    })
}

/// Objects merge, arrays grow, everything else is replaced.
fn merge(value: &mut Value, update: &Value) {
    match (value, update) {
        (Value::Object(members), Value::Object(changes)) => {
            for (name, change) in changes {
                merge(members.entry(name.clone()).or_insert_with(|| empty_like(change)), change);
            }
        }
        (Value::Array(items), Value::Array(more)) => items.extend(more.iter().cloned()),
        (value, update) => *value = update.clone(),
    }
}

fn empty_like(value: &Value) -> Value {
    match value {
        Value::Object(_) => Value::Object(Map::new()),
        Value::Array(_) => Value::Array(Vec::new()),
        _ => Value::Null,
    }
}

fn remove(document: &mut Value, place: &[Step]) -> Result<(), String> {
    let Some((last, parent)) = place.split_last() else { return Err("would remove the whole specification".into()) };
    match (find(document, parent), last) {
        (Some(Value::Object(members)), Step::Name(name)) => {
            members.shift_remove(name);
        }
        (Some(Value::Array(items)), Step::Index(index)) if *index < items.len() => {
            items.remove(*index);
        }
        // Gone already: a place around it was selected too.
        _ => {}
    }
    Ok(())
}

/// (how many values, how deep).
fn measure(value: &Value) -> (usize, usize) {
    let inner: Vec<(usize, usize)> = match value {
        Value::Object(members) => members.values().map(measure).collect(),
        Value::Array(items) => items.iter().map(measure).collect(),
        _ => Vec::new(),
    };
    (1 + inner.iter().map(|(size, _)| size).sum::<usize>(), 1 + inner.iter().map(|(_, depth)| *depth).max().unwrap_or(0))
}
