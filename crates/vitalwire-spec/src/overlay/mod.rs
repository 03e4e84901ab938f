//! Applies OpenAPI Overlay 1.0 documents: actions on the places that a JSONPath selects.

mod change;
mod claims;
mod target;

use serde_json::{Map, Value};

use super::{Finding, Findings, Pointer, SERVICES, Spec, lint};
use change::{Place, Step};
use target::Target;

/// Allowed marks of an action. The supplement overlays explain them.
const MARKS: [&str; 4] = ["D", "P", "I", "U"];

/// Allowed keys of an overlay besides `x-`.
const OVERLAY: [&str; 4] = ["overlay", "info", "extends", "actions"];

/// Allowed keys of an action. Others cause a finding, so that a typing mistake cannot go unnoticed.
const ACTION: [&str; 8] = ["target", "description", "update", "remove", "x-spec", "x-mark", "x-reason", "x-statements"];

/// Maximum number of values that the actions of an overlay may add. Ours add about 3,000.
const MAX_GROWTH: usize = 50_000;

/// Applies the actions of an overlay in order.
pub(super) fn apply(overlay: &Value, file: &str, specs: &mut [Spec], findings: &mut Findings) {
    let root = Pointer::root();
    if overlay.get("overlay").and_then(Value::as_str).is_none_or(|version| !version.starts_with("1.0.")) {
        findings.push(Finding::new("overlay-version", file, root.join("overlay"), "must be `1.0.x`").hint("begin with `overlay: 1.0.0`"));
    }
    for member in ["title", "version"] {
        if overlay.pointer(&format!("/info/{member}")).and_then(Value::as_str).is_none() {
            let text = format!("must have a {member}");
            findings.push(Finding::new("overlay", file, root.join("info"), text).hint("`info` needs a title and a version, as texts"));
        }
    }
    for name in
        overlay.as_object().into_iter().flat_map(Map::keys).filter(|name| !OVERLAY.contains(&name.as_str()) && !name.starts_with("x-"))
    {
        findings.push(Finding::new("overlay", file, root.join(name), "is not a field of an overlay"));
    }
    let Some(actions) = overlay.get("actions").and_then(Value::as_array).filter(|actions| !actions.is_empty()) else {
        findings.push(Finding::new("overlay", file, root.join("actions"), "must be a list of actions"));
        return;
    };
    let Ok(service) = extended_service(overlay).map_err(|text| findings.push(Finding::new("overlay", file, root.join("extends"), text)))
    else {
        return;
    };
    let mut growth = 0;
    for (index, action) in actions.iter().enumerate() {
        let at = root.join("actions").join(index);
        if let Some(action) = read(action, file, service, &at, findings) {
            growth += action.run(specs, file, &at, findings);
        }
        if growth > MAX_GROWTH {
            findings.push(Finding::new(
                "overlay-size",
                file,
                at,
                format!("must not add more than {MAX_GROWTH} values to the specification"),
            ));
            return;
        }
    }
}

/// Returns the service whose specification an overlay extends, if stated.
fn extended_service(overlay: &Value) -> Result<Option<&'static str>, String> {
    let Some(extends) = overlay.get("extends") else { return Ok(None) };
    let named = extends.as_str().map(|address| address.rsplit('/').next().unwrap_or(address));
    let service = SERVICES.iter().find(|(_, path)| path.rsplit('/').next() == named).map(|(service, _)| *service);
    service.map(Some).ok_or_else(|| {
        let files: Vec<&str> = SERVICES.iter().map(|(_, path)| *path).collect();
        format!("must name one of {}", files.join(", "))
    })
}

/// A validated action.
struct Action<'a> {
    target: Target<'a>,
    /// Update to merge. `None` removes the target.
    update: Option<&'a Value>,
    scope: Scope<'a>,
}

/// Specifications that an action changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope<'a> {
    /// All that have the target, because neither `extends` nor `x-spec` is stated.
    Anywhere,
    /// All, and each must have the target (`both`).
    Each,
    /// The one of this service.
    One(&'a str),
}

/// Reads an action. Reports all its errors at once.
fn read<'a>(action: &'a Value, file: &str, service: Option<&'static str>, at: &Pointer, findings: &mut Findings) -> Option<Action<'a>> {
    let before = findings.len();
    let mut report = |at: Pointer, text: &str| {
        let finding = Finding::new("overlay-action", file, at, text);
        let hint = "write a name with a hyphen or a slash in brackets: ['x-name']";
        findings.push(if text.starts_with("must be a JSONPath") { finding.hint(hint) } else { finding });
    };
    let Some(members) = action.as_object() else {
        report(at.clone(), "must be an object");
        return None;
    };
    for name in members.keys().filter(|name| !ACTION.contains(&name.as_str())) {
        report(at.join(name), "is not a field of an action");
    }
    for name in ["description", "x-reason"] {
        if members.get(name).is_some_and(|text| text.as_str().is_none_or(|text| text.trim().is_empty())) {
            report(at.join(name), "must be text");
        }
    }
    if members.get("x-mark").is_some_and(|mark| mark.as_str().is_none_or(|mark| !MARKS.contains(&mark))) {
        report(at.join("x-mark"), "must be D, P, I or U");
    }
    if members.contains_key("x-mark") != members.contains_key("x-reason") {
        report(at.clone(), "must have both a mark and a reason, or neither");
    }
    if claims::is_unmarked(file, members) {
        report(at.clone(), "must have `x-mark` and `x-reason`, because it claims something about the service");
    }
    let scope = match (members.get("x-spec").map(Value::as_str), service) {
        (None, None) => Scope::Anywhere,
        (None, Some(service)) => Scope::One(service),
        (Some(_), Some(_)) => {
            report(at.join("x-spec"), "must not be combined with the overlay's `extends`");
            Scope::Anywhere
        }
        (Some(Some("both")), None) => Scope::Each,
        (Some(Some(name)), None) if SERVICES.iter().any(|(service, _)| *service == name) => Scope::One(name),
        (Some(_), None) => {
            report(at.join("x-spec"), "must be both, health or care");
            Scope::Anywhere
        }
    };
    let update = members.get("update");
    let remove = members.get("remove").unwrap_or(&Value::Bool(false));
    if !remove.is_boolean() {
        report(at.join("remove"), "must be true or false");
    } else if update.is_some() == (remove == &Value::Bool(true)) {
        report(at.clone(), "must have either an update or `remove: true`");
    }
    let target = match members.get("target").and_then(Value::as_str).ok_or_else(|| "must be set".to_owned()).and_then(Target::parse) {
        Ok(target) => Some(target),
        Err(text) => {
            report(at.join("target"), &text);
            None
        }
    };
    lint::statements(action, file, at, findings);
    (findings.len() == before).then_some(Action { target: target?, update, scope })
}

/// Converts a path to a pointer.
fn pointer(place: &Place) -> Pointer {
    place
        .iter()
        .map(|step| match step {
            Step::Name(name) => name.clone(),
            Step::Index(index) => index.to_string(),
        })
        .collect()
}

impl Action<'_> {
    /// Changes the specifications. Returns an upper bound of the number of values added.
    fn run(&self, specs: &mut [Spec], file: &str, at: &Pointer, findings: &mut Findings) -> usize {
        let mut report = |rule: &'static str, text: String| {
            let hint = "the specification has changed, or the path has a typing mistake";
            let finding = Finding::new(rule, file, at.join("target"), text);
            findings.push(if rule == "overlay-target" { finding.hint(hint) } else { finding });
        };
        let mut found: Vec<(usize, Vec<Place>)> = Vec::new();
        for (index, spec) in specs.iter().enumerate() {
            if matches!(self.scope, Scope::One(service) if service != spec.service) {
                continue;
            }
            let places = self.target.select(&spec.document);
            if self.scope == Scope::Each && places.is_empty() {
                report("overlay-target", format!("`{}` matches nothing in {}", self.target.text, spec.path));
            }
            found.push((index, places));
        }
        if found.iter().all(|(_, places)| places.is_empty()) {
            if self.scope != Scope::Each {
                report("overlay-target", format!("`{}` matches nothing", self.target.text));
            }
            return 0;
        }
        for (selector, path) in &self.target.selectors {
            if found.iter().all(|(index, _)| path.query(&specs[*index].document).is_empty()) {
                report("overlay-target", format!("`{selector}` of `{}` matches nothing", self.target.text));
            }
        }
        let mut growth = 0;
        for (index, places) in found {
            let Spec { document, origins, .. } = &mut specs[index];
            if places.windows(2).any(|pair| pair[0] == pair[1]) {
                report("overlay-twice", format!("`{}` must not select a value twice", self.target.text));
                return growth;
            }
            // Process the last place first, so that removals do not shift the indices of the others.
            for place in places.iter().rev() {
                let mut written = Vec::new();
                let changed = change::apply(document, place, self.update, &mut written);
                written.iter().for_each(|place| origins.add(pointer(place), file, at));
                match changed {
                    Ok(values) => growth += values,
                    Err(text) => report("overlay-update", text),
                }
                if growth > MAX_GROWTH {
                    return growth;
                }
            }
        }
        growth
    }
}
