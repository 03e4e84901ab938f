//! Changes a document at one place.

use serde_json::Value;

use crate::MAX_DEPTH;

/// A step of a path. Items of an array are ordered by index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// Key of an object.
    Name(String),
    /// Index of an array item.
    Index(usize),
}

/// Path from the document's root to a value.
pub(super) type Place = Vec<Step>;

/// Merges the update into a place, or removes the place if there is no update. Adds the outermost places that were written to `written`.
/// Returns an upper bound of the number of values added.
pub(super) fn apply(document: &mut Value, place: &[Step], update: Option<&Value>, written: &mut Vec<Place>) -> Result<usize, String> {
    let Some(update) = update else { return remove(document, place).map(|()| 0) };
    let (size, depth) = measure(update);
    if place.len() + depth > MAX_DEPTH {
        return Err(format!("must not nest the specification deeper than {MAX_DEPTH}"));
    }
    match find(document, place) {
        // If the target is an array and the update is a single value, append it.
        Some(Value::Array(items)) if !update.is_array() => {
            written.push(below(place, Step::Index(items.len())));
            items.push(update.clone());
        }
        Some(Value::Object(_)) if !update.is_object() => return Err("must be an object, because the target is an object".into()),
        Some(value) => merge(value, update, place, written),
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

/// Merges objects, appends to arrays, and replaces all other values.
fn merge(value: &mut Value, update: &Value, place: &[Step], written: &mut Vec<Place>) {
    match (value, update) {
        (Value::Object(members), Value::Object(changes)) => {
            for (name, change) in changes {
                let place = below(place, Step::Name(name.clone()));
                match members.get_mut(name) {
                    Some(member) => merge(member, change, &place, written),
                    None => {
                        members.insert(name.clone(), change.clone());
                        written.push(place);
                    }
                }
            }
        }
        (Value::Array(items), Value::Array(more)) => {
            written.extend((items.len()..items.len() + more.len()).map(|index| below(place, Step::Index(index))));
            items.extend(more.iter().cloned());
        }
        (value, update) => {
            *value = update.clone();
            written.push(place.to_vec());
        }
    }
}

fn below(place: &[Step], step: Step) -> Place {
    place.iter().cloned().chain([step]).collect()
}

fn remove(document: &mut Value, place: &[Step]) -> Result<(), String> {
    let Some((last, parent)) = place.split_last() else { return Err("must not remove the whole specification".into()) };
    match (find(document, parent), last) {
        (Some(Value::Object(members)), Step::Name(name)) => {
            members.shift_remove(name);
        }
        (Some(Value::Array(items)), Step::Index(index)) if *index < items.len() => {
            items.remove(*index);
        }
        // The place was removed with a value that contained it.
        _ => {}
    }
    Ok(())
}

/// Returns the number of values and the nesting depth.
fn measure(value: &Value) -> (usize, usize) {
    let inner: Vec<(usize, usize)> = match value {
        Value::Object(members) => members.values().map(measure).collect(),
        Value::Array(items) => items.iter().map(measure).collect(),
        _ => Vec::new(),
    };
    (1 + inner.iter().map(|(size, _)| size).sum::<usize>(), 1 + inner.iter().map(|(_, depth)| *depth).max().unwrap_or(0))
}
