//! Reads which parameters form a range of time: `x-vitalwire-range`.

use serde_json::{Map, Value};

use super::location::Location;
use super::{Ir, Operation, ParamLocation, Range, RangeKind, Retry, Type, range_item};
use crate::spec::Findings;

/// Name of the extension.
pub(super) const KEY: &str = "x-vitalwire-range";

/// Types that can identify an item, because equality of values is equality of meaning.
const KEYS: [Type; 4] = [Type::Date, Type::Timestamp, Type::Id, Type::Text];

/// Reads the extension of one operation.
pub(super) fn read(operation: &Value, at: &Location<'_>, findings: &mut Findings) -> Option<Range> {
    let range = operation.get(KEY)?;
    let at = at.join(KEY);
    let word = |key: &str| range.get(key).and_then(Value::as_str).map(str::to_owned);
    let known = |name: &str| ["kind", "from", "to", "items", "key"].contains(&name);
    for name in range.as_object().into_iter().flat_map(Map::keys).filter(|name| !known(name)) {
        findings.push(at.join(name).finding("range", "is not a field of a range"));
    }
    let kind = match word("kind").as_deref() {
        Some("dates") => RangeKind::Dates,
        Some("instants") => RangeKind::Instants,
        Some(_) => {
            findings.push(at.join("kind").finding("range", "must be dates or instants"));
            return None;
        }
        None => return missing(&at, findings),
    };
    let (Some(from), Some(to), Some(key)) = (word("from"), word("to"), word("key")) else { return missing(&at, findings) };
    Some(Range { kind, from, to, items: word("items"), key })
}

fn missing(at: &Location<'_>, findings: &mut Findings) -> Option<Range> {
    findings.push(at.finding("range", "needs kind, from, to and key"));
    None
}

/// Checks that every name of a range refers to a value of the right type. `at` is the operation.
pub(super) fn check(ir: &Ir, operation: &Operation, at: &Location<'_>, findings: &mut Findings) {
    let Some(range) = &operation.range else { return };
    if operation.retry != Retry::Safe {
        findings.push(at.join("x-vitalwire-retry").finding("range", "must be safe, because a range is requested in parts"));
    }
    let at = at.join(KEY);
    for (name, wire) in [("from", &range.from), ("to", &range.to)] {
        let found =
            operation.params_in(ParamLocation::Query).any(|param| param.member.wire == *wire && param.member.ty == range.kind.bound());
        if !found {
            let format = if range.kind == RangeKind::Dates { "date" } else { "date-time" };
            findings.push(at.join(name).finding("range", format!("`{wire}` must be a query parameter of format {format}")));
        }
    }
    if range.from == range.to {
        findings.push(at.join("to").finding("range", "must not be the parameter of the other bound"));
    }
    match range_item(ir, operation, range) {
        Some(item) if item.members.iter().any(|member| member.wire == range.key && KEYS.contains(&member.ty)) => {}
        Some(item) => {
            let text = format!("`{}` must have a field `{}` that is an id, a text, a date or an instant", item.name, range.key);
            findings.push(at.join("key").finding("range", text));
        }
        None => {
            let (at, text) = match &range.items {
                Some(items) => (at.join("items"), format!("the response must have a required list of objects `{items}`")),
                None => (at.clone(), "the response must be a list of objects".to_owned()),
            };
            findings
                .push(at.finding("range", text).hint("`items` names the list in the response; leave it out if the response is the list"));
        }
    }
}
