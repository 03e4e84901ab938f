//! Checks security schemes. Clients send one bearer token or none.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{Finding, Findings, Pointer, Spec};

const HINT: &str = "the clients support one scheme of type http, scheme bearer, without scopes; `security: []` means no token";

/// Checks all security requirements and the schemes that they name.
pub(super) fn check(spec: &Spec, findings: &mut Findings) {
    let root = Pointer::root();
    let mut stated: Vec<(Pointer, &Value)> = Vec::new();
    stated.extend(spec.document.get("security").map(|security| (root.join("security"), security)));
    for (path, item) in spec.document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let at = root.join("paths").join(path).join(method).join("security");
            stated.extend(operation.get("security").map(|security| (at, security)));
        }
    }
    let mut named = BTreeSet::new();
    for (at, security) in stated {
        match one_scheme(security) {
            Ok(name) => named.extend(name),
            Err(text) => findings.push(Finding::new("security", spec.path, at, text).hint(HINT)),
        }
    }
    for name in named {
        let at = root.join("components").join("securitySchemes").join(name);
        let scheme = at.find(&spec.document);
        let is = |key: &str, word: &str| {
            scheme.and_then(|scheme| scheme.get(key)).and_then(Value::as_str).is_some_and(|text| text.eq_ignore_ascii_case(word))
        };
        if !is("type", "http") || !is("scheme", "bearer") {
            let text = if scheme.is_some() { "must be a bearer token" } else { "must be defined, because it is required" };
            findings.push(Finding::new("security", spec.path, at, text).hint(HINT));
        }
    }
}

/// Returns the scheme of a list of requirements, if any. The error describes unsupported requirements.
fn one_scheme(security: &Value) -> Result<Option<&str>, &'static str> {
    let requirements = security.as_array().ok_or("must be a list")?;
    let requirement = match requirements.as_slice() {
        [] => return Ok(None),
        [requirement] => requirement.as_object().ok_or("must be a list of objects")?,
        _ => return Err("must not offer a choice of security schemes"),
    };
    let mut schemes = requirement.iter();
    match (schemes.next(), schemes.next()) {
        (Some((name, scopes)), None) if scopes.as_array().is_some_and(Vec::is_empty) => Ok(Some(name)),
        (Some(_), None) => Err("must not require scopes"),
        (None, _) => Err("must not make the token optional"),
        (Some(_), Some(_)) => Err("must not require several security schemes"),
    }
}
