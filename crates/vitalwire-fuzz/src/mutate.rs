//! Mutations that keep JSON valid, which random changes of bytes rarely do.

use fastrand::Rng;
use serde_json::Value;

use crate::generate;
use crate::json::Node;
use crate::openapi::OPENAPI;

/// Upper bound of the copies added to a list at once, exclusive.
const MAX_COPIES: usize = 32;

/// Mutates an input. `root` is the schema that the input may have.
pub fn mutate(rng: &mut Rng, input: &[u8], root: Option<&Value>) -> Vec<u8> {
    let mut node = match Node::parse(input) {
        Some(node) if rng.u8(..24) > 0 => node,
        None if rng.u8(..4) > 0 => return bytes(rng, input.to_vec()),
        _ => generate::valid_or_arbitrary(rng, root, 0),
    };
    for _ in 0..=rng.usize(..3) {
        let at = rng.usize(..count(&node));
        change(rng, &mut node, root, None, at);
    }
    let text = node.write().into_bytes();
    if rng.u8(..16) == 0 { bytes(rng, text) } else { text }
}

/// Changes bytes at random positions.
pub fn bytes(rng: &mut Rng, mut input: Vec<u8>) -> Vec<u8> {
    for _ in 0..=rng.usize(..3) {
        let at = rng.usize(..=input.len());
        match rng.u8(..6) {
            0 => input.truncate(at),
            1 => input.insert(at, rng.u8(..)),
            2 => drop(input.splice(at..at, generate::name(rng).into_bytes())),
            3 if at < input.len() => input[at] ^= 1 << rng.u8(..8),
            4 if at < input.len() => drop(input.remove(at)),
            _ => {
                let end = rng.usize(at..=input.len()).min(at + 64);
                let copy = input[at..end].to_vec();
                drop(input.splice(at..at, copy));
            }
        }
    }
    input
}

/// Returns the number of values, including this one.
fn count(node: &Node) -> usize {
    1 + match node {
        Node::List(items) => items.iter().map(count).sum(),
        Node::Object(members) => members.iter().map(|(_, member)| count(member)).sum(),
        Node::Literal(_) | Node::Text(_) => 0,
    }
}

/// Changes value number `at`, counted from the outside. `schema` and `name` belong to `node`.
fn change(rng: &mut Rng, node: &mut Node, schema: Option<&Value>, name: Option<&str>, at: usize) {
    let schema = schema.map(|schema| OPENAPI.resolve(schema));
    if at == 0 {
        change_node(rng, node, schema, name);
        return;
    }
    let mut left = at - 1;
    match node {
        Node::List(items) => {
            for item in items {
                let size = count(item);
                if left < size {
                    return change(rng, item, schema.and_then(|schema| schema.get("items")), name, left);
                }
                left -= size;
            }
        }
        Node::Object(members) => {
            for (name, member) in members {
                let size = count(member);
                if left < size {
                    let declared = schema.and_then(|schema| schema.get("properties")?.get(&**name));
                    return change(rng, member, declared.or_else(|| OPENAPI.schemas_of_field(name).first()), Some(name), left);
                }
                left -= size;
            }
        }
        Node::Literal(_) | Node::Text(_) => {}
    }
}

fn change_node(rng: &mut Rng, node: &mut Node, schema: Option<&Value>, name: Option<&str>) {
    let as_declared = |rng: &mut Rng| match (schema, name) {
        (Some(schema), _) => generate::valid(rng, schema, 4),
        (None, Some(name)) => generate::field(rng, name, 4),
        (None, None) => generate::arbitrary(rng, 4),
    };
    match (rng.u8(..6), &mut *node) {
        (0, _) => *node = generate::arbitrary(rng, 4),
        (1, _) => *node = as_declared(rng),
        (_, Node::Object(members)) => change_object(rng, members, schema),
        (_, Node::List(items)) => change_list(rng, items, schema.and_then(|schema| schema.get("items"))),
        (2, Node::Text(text)) => *text = String::from_utf8_lossy(&bytes(rng, text.as_bytes().to_vec())).into_owned(),
        (3, Node::Text(text)) => *text = generate::date_time(rng),
        (_, Node::Text(_)) => *node = generate::text(rng),
        (_, Node::Literal(_)) => *node = generate::number(rng),
    }
}

fn change_object(rng: &mut Rng, members: &mut Vec<(String, Node)>, schema: Option<&Value>) {
    let declared = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object).filter(|all| !all.is_empty());
    let place = rng.usize(..=members.len());
    match rng.u8(..8) {
        0 if place < members.len() => drop(members.remove(place)),
        1 if place < members.len() => members[place].0 = generate::name(rng),
        2 if place < members.len() => {
            let (name, _) = members[place].clone();
            let again = generate::field(rng, &name, 4);
            members.push((name, again));
        }
        3 => rng.shuffle(members),
        4 => members.insert(place, (generate::name(rng), generate::arbitrary(rng, 4))),
        5 => {
            let name = generate::name(rng);
            let value = generate::field(rng, &name, 4);
            members.insert(place, (name, value));
        }
        _ => {
            let Some((name, property)) = declared.and_then(|all| all.iter().nth(rng.usize(..all.len()))) else { return };
            members.insert(place, (name.clone(), generate::value(rng, property, 4)));
        }
    }
}

fn change_list(rng: &mut Rng, items: &mut Vec<Node>, schema: Option<&Value>) {
    let place = rng.usize(..=items.len());
    match rng.u8(..5) {
        0 if place < items.len() => drop(items.remove(place)),
        1 if place < items.len() => {
            let copies = rng.usize(..MAX_COPIES);
            let copy = items[place].clone();
            items.extend(std::iter::repeat_n(copy, copies));
        }
        2 => rng.shuffle(items),
        3 => items.insert(place, generate::arbitrary(rng, 4)),
        _ => items.insert(place, generate::valid_or_arbitrary(rng, schema, 4)),
    }
}
