//! Changing a document at one place.

use serde_json::Value;

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

/// Merges the update into the place, or removes the place without one; says how many values were added at most. What was written
/// is added to `written`, each value by its outermost place.
pub(super) fn change(document: &mut Value, place: &[Step], update: Option<&Value>, written: &mut Vec<Place>) -> Result<usize, String> {
    let Some(update) = update else { return remove(document, place).map(|()| 0) };
    let (size, depth) = measure(update);
    if place.len() + depth > MAX_DEPTH {
        return Err(format!("nests the specification deeper than {MAX_DEPTH}"));
    }
    match find(document, place) {
        // An array as target: the update is one more item.
        Some(Value::Array(items)) if !update.is_array() => {
            written.push(below(place, Step::Index(items.len())));
            items.push(update.clone());
        }
        Some(Value::Object(_)) if !update.is_object() => return Err("selects an object, and the update is none".into()),
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

/// Objects merge, arrays grow, everything else is replaced.
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
