//! Projection of a call onto the tables of its response. Rows that were not requested are unknown, not absent. Statistics that were
//! requested by name become columns even if they have no value.

/// A table whose rows a call did not request.
#[derive(Clone, Copy, Debug)]
pub struct UnrequestedTable {
    /// Name of the table.
    pub table: &'static str,
    /// Name of the argument that requests the rows.
    pub argument: &'static str,
    /// Field of each record that contains the rows.
    pub field: &'static str,
}

/// The parts of a response that a call requested.
#[derive(Clone, Debug, Default)]
pub struct Projection {
    /// Tables whose rows were not requested.
    pub(crate) unrequested: Vec<UnrequestedTable>,
    /// Statistics that were requested by name, in their order.
    pub(crate) columns: Vec<String>,
}

impl Projection {
    /// Creates the projection from the parameters of a call.
    pub(crate) fn new(unrequested: Vec<UnrequestedTable>, columns: Vec<String>) -> Self {
        Self { unrequested, columns }
    }
}
