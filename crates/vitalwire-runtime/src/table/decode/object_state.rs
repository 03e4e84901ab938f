//! Plans with the names of fields that were learned from earlier rows.

use super::names::Names;
use crate::table::ColumnKind;
use crate::table::read_plan::{FieldPlan, ObjectPlan, ValuePlan, ValueRole};

/// The plan of an object, with the names of its fields in the order of the rows so far.
pub(super) struct ObjectState {
    pub(super) plan: &'static ObjectPlan,
    pub(super) names: Names<()>,
    /// One for each field of the plan.
    pub(super) fields: Vec<FieldState>,
}

/// The plan of a field, with the names below it.
pub(super) struct FieldState {
    pub(super) name: &'static str,
    pub(super) value: ValueState,
}

/// The plan of a value, as in [`ValuePlan`]. The use of an undeclared name is its column.
pub(super) enum ValueState {
    Cell { kind: ColumnKind, column: Option<usize>, role: ValueRole },
    Numbers { first: usize, names: Names<Option<usize>> },
    Object(ObjectState),
    Rows(ObjectState),
    Samples(ObjectState),
    Series { column: usize },
    SeriesMap { first: usize, names: Names<Option<usize>> },
    Unread,
}

impl ObjectState {
    pub(super) fn new(plan: &'static ObjectPlan) -> Self {
        Self { plan, names: Names::new(plan.names, plan.index_of), fields: plan.fields.iter().map(FieldState::new).collect() }
    }
}

impl FieldState {
    fn new(plan: &'static FieldPlan) -> Self {
        let value = match plan.read {
            ValuePlan::Cell { kind, column, role } => ValueState::Cell { kind, column, role },
            ValuePlan::Numbers { first, names, index_of } => ValueState::Numbers { first, names: Names::new(names, index_of) },
            ValuePlan::Object(inner) => ValueState::Object(ObjectState::new(inner)),
            ValuePlan::Rows(inner) => ValueState::Rows(ObjectState::new(inner)),
            ValuePlan::Samples(inner) => ValueState::Samples(ObjectState::new(inner)),
            ValuePlan::Series { column } => ValueState::Series { column },
            ValuePlan::SeriesMap { first, names, index_of } => ValueState::SeriesMap { first, names: Names::new(names, index_of) },
            ValuePlan::Unread => ValueState::Unread,
        };
        Self { name: plan.name, value }
    }
}
