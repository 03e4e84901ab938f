//! What a call asks for of its answer's tables. Rows that were not requested are unknown, which an empty table would hide; numbers
//! requested by name are columns even where none has a value.

/// A table whose rows a call did not request.
#[derive(Clone, Copy, Debug)]
pub struct NotRequested {
    /// The name of the table.
    pub table: &'static str,
    /// The argument that requests the rows.
    pub argument: &'static str,
    /// The member that holds them, of each record.
    pub member: &'static str,
}

/// What a call requests.
#[derive(Clone, Debug, Default)]
pub struct Projection {
    /// The tables whose rows it leaves out.
    pub(crate) left_out: Vec<NotRequested>,
    /// The numbers it names, in their order.
    pub(crate) columns: Vec<String>,
}

impl Projection {
    /// By the arguments of a call.
    pub(crate) fn new(left_out: Vec<NotRequested>, columns: Vec<String>) -> Self {
        Self { left_out, columns }
    }
}
