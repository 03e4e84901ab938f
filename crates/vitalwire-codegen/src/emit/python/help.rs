//! What `help()` shows: the stub's docstrings, for the native module. The stub is their only source.

use std::collections::BTreeMap;

use crate::lang::rust::literal;

use super::declared::{self, Item};

/// What begins the file; the macro's arms follow.
const HEAD: &str = "\
//! What the stub says of what is written by hand here.

/// The docstring of a class, function or member in the stub: `#[doc = docs!(Table.columns)]`.
macro_rules! docs {
";

/// Docstrings by what they are of: `sign`, `Table`, `Table.columns`.
pub(super) struct Help(BTreeMap<String, Vec<String>>);

impl Help {
    /// Of a stub.
    pub(super) fn of(stub: &str) -> Self {
        let mut help = Self(BTreeMap::new());
        for item in declared::items(stub) {
            help.0.extend(
                item.members
                    .iter()
                    .filter(|member| is_native(member))
                    .map(|member| (format!("{}.{}", item.name, member.name), member.docs.clone())),
            );
            if is_native(&item) {
                help.0.insert(item.name, item.docs);
            }
        }
        help
    }

    /// As doc comments, for what is generated.
    pub(super) fn comments(&self, of: &str) -> String {
        self.lines(of).iter().map(|line| format!("/// {line}").trim_end().to_owned() + "\n").collect()
    }

    /// As a text.
    pub(super) fn text(&self, of: &str) -> String {
        self.lines(of).join("\n")
    }

    fn lines(&self, of: &str) -> &[String] {
        self.0.get(of).map_or(&[], Vec::as_slice)
    }

    /// For what is written by hand: a macro that gives the docstrings of the public classes and functions that are not generated.
    pub(super) fn emit(&self, generated: &[String]) -> String {
        let by_hand = self.0.keys().filter(|of| !of.starts_with('_') && !generated.iter().any(|class| of.split('.').next() == Some(class)));
        let arms = by_hand.map(|of| format!("    ({of}) => {{ {} }};\n", literal(&self.text(of))));
        HEAD.to_owned() + &arms.collect::<String>() + "}\npub(crate) use docs;\n"
    }
}

/// Whether an item has a docstring that is there at run time: plain members have none then.
fn is_native(item: &Item) -> bool {
    !item.docs.is_empty() && (item.is_class() || item.is_function() || item.is_property())
}
