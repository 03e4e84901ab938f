//! Simulates the API of a later release, to test callers that were compiled against the current one.

use std::collections::BTreeMap;

use super::{Docs, Ir, Member, Param, ParamLocation, Type};

/// Wire name of everything that is added.
pub const ADDED: &str = "added_later";

fn added() -> Member {
    Member {
        wire: ADDED.to_owned(),
        name: ADDED.to_owned(),
        ty: Type::Text,
        required: false,
        credential: false,
        default: None,
        limits: BTreeMap::new(),
        docs: Docs::new("Added later."),
    }
}

/// Returns the API with an optional field in the middle of every model, and an optional parameter after the required ones of every
/// operation.
#[must_use]
pub fn later_release(ir: &Ir) -> Ir {
    let mut next = ir.clone();
    for model in next.models.iter_mut().filter(|model| !model.request) {
        model.members.insert(model.members.len() / 2, added());
    }
    for operation in &mut next.operations {
        let at = operation.params.iter().filter(|param| param.member.required).count();
        operation.params.insert(
            at,
            Param {
                member: added(),
                place: ParamLocation::Query,
                minimum: None,
                maximum: None,
                min_items: None,
                max_bytes: None,
                accepts: vec![],
                names: vec![],
            },
        );
    }
    next
}
