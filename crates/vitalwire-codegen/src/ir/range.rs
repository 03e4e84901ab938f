//! Which parameters of a call make a range of time, and how the answers to parts of it are put together.

use serde::{Deserialize, Serialize};

use super::{Answer, Ir, Model, Operation, Param, Type};

/// What the two bounds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum RangeKind {
    /// Calendar dates, both inclusive.
    Dates,
    /// Instants, the second exclusive.
    Instants,
}

impl RangeKind {
    /// The type of the parameters.
    pub fn bound(self) -> Type {
        match self {
            Self::Dates => Type::Date,
            Self::Instants => Type::Timestamp,
        }
    }
}

/// How a call's range of time is set, and its answers merged. Names are those on the wire.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Range {
    /// Dates or instants.
    pub kind: RangeKind,
    /// The parameter of the first bound.
    pub from: String,
    /// The parameter of the second bound.
    pub to: String,
    /// The member of the answer that is the list of items; `None` where the answer is the list.
    pub items: Option<String>,
    /// The member by which an item is known again.
    pub key: String,
}

impl Range {
    /// Whether a parameter is one of the two bounds.
    pub fn is_bound(&self, param: &Param) -> bool {
        [&self.from, &self.to].contains(&&param.member.wire)
    }
}

/// The model of the items.
pub fn range_item<'a>(ir: &'a Ir, operation: &Operation, range: &Range) -> Option<&'a Model> {
    match (&operation.answer, &range.items) {
        (Answer::List(name), None) => ir.model(name),
        (Answer::Model(name), Some(items)) => {
            let member = ir.model(name)?.members.iter().find(|member| member.wire == *items && member.required)?;
            match &member.ty {
                Type::List(item) => match &**item {
                    Type::Model(name) => ir.model(name),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}
