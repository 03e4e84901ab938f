//! Finds the operations whose responses hold a record.

use super::super::{Member, Operation, ResponseType, Type};
use super::read::Reader;
use super::{Node, Slot, ValuePlan};

impl<'a> Reader<'a, '_> {
    /// Returns how an operation's response holds the record: the operation, whether in a list, and whether in a wrapper object.
    pub(super) fn find_record(&self, operation: &'a Operation, record: &str) -> Option<(&'a Operation, bool, bool)> {
        match &operation.response {
            ResponseType::Model(name) if name == record => Some((operation, false, false)),
            ResponseType::List(name) if name == record => Some((operation, true, false)),
            ResponseType::Model(name) => {
                let is_record = |member: &Member| member.ty == Type::Model(record.to_owned());
                self.ir.model(name)?.members.iter().any(is_record).then_some((operation, false, true))
            }
            _ => None,
        }
    }

    pub(super) fn wrapper(&self, operation: &Operation, record: &str, node: Node) -> Node {
        let ResponseType::Model(name) = &operation.response else { return node };
        let member = self.ir.model(name).and_then(|model| model.members.iter().find(|it| it.ty == Type::Model(record.to_owned())));
        let Some(member) = member else { return node };
        let slot = Slot { wire: member.wire.clone(), required: member.required, read: ValuePlan::Object(node) };
        Node { model: name.clone(), members: vec![slot], ..Node::default() }
    }

    /// Returns the column that identifies the items of a range call. It is used to remove duplicates in neighbouring parts.
    pub(super) fn key(&mut self, operation: &Operation, node: &Node) -> Option<usize> {
        let range = operation.range.as_ref()?;
        let slot = |node: &'_ Node, wire: &str| node.members.iter().position(|slot| slot.wire == wire);
        let item = match range.items.as_deref() {
            None => Some(node),
            Some(items) => slot(node, items).and_then(|at| match &node.members[at].read {
                ValuePlan::Rows(item) => Some(item),
                _ => None,
            }),
        };
        let key = item.and_then(|item| match item.members[slot(item, &range.key)?].read {
            ValuePlan::Cell { column, .. } => column,
            _ => None,
        });
        if key.is_none() {
            let text = format!("needs a column of `{}`, which identifies the items of `{}`", range.key, operation.id);
            self.findings.push(self.at.finding("table", text).hint("add it to `keys`"));
        }
        key
    }
}
