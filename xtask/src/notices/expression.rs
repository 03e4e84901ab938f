//! Licence expressions: their alternatives, and the one whose text is printed.

use std::collections::BTreeSet;

use spdx::expression::{ExprNode, Operator};
use spdx::{Expression, ParseMode};

/// Licences that apply together, by their SPDX ids. An exception stays with its licence.
pub(super) type Licences = BTreeSet<String>;

/// Preferred licences. Apache's text contains no names, so that one copy serves every package.
const PREFERRED: [&str; 2] = ["Apache-2.0", "MIT"];

/// Returns the alternatives of an expression. `A AND (B OR C)` has `A, B` and `A, C`.
///
/// # Errors
/// If the expression is invalid, with the reason.
pub(super) fn alternatives(text: &str) -> Result<Vec<Licences>, String> {
    // Old manifests have `MIT/Apache-2.0`.
    let mode = ParseMode { allow_slash_as_or_operator: true, ..ParseMode::STRICT };
    let expression = Expression::parse_mode(text, mode).map_err(|error| error.reason.to_string())?;
    let mut stack: Vec<Vec<Licences>> = Vec::new();
    for node in expression.iter() {
        let made = match node {
            ExprNode::Req(licence) => vec![Licences::from([licence.req.to_string()])],
            ExprNode::Op(operator) => {
                let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else { return Err("an operator needs two operands".to_owned()) };
                match operator {
                    Operator::Or => [left, right].concat(),
                    Operator::And => left.iter().flat_map(|left| right.iter().map(move |right| left | right)).collect(),
                }
            }
        };
        stack.push(made);
    }
    stack.pop().ok_or_else(|| "the expression must not be empty".to_owned())
}

/// Chooses an alternative: one whose texts the package has, then the shortest, then the preferred one.
pub(super) fn choose(alternatives: &[Licences], has: &Licences) -> Licences {
    let rank = |id: &String| PREFERRED.iter().position(|preferred| preferred == id).unwrap_or(PREFERRED.len());
    let cost = |licences: &Licences| {
        let mut ranks: Vec<(usize, String)> = licences.iter().map(|id| (rank(id), id.clone())).collect();
        ranks.sort();
        (licences.difference(has).count(), licences.len(), ranks)
    };
    alternatives.iter().min_by_key(|licences| cost(licences)).cloned().unwrap_or_default()
}
