//! Access from a method of a class to its record.

use serde::Serialize;

/// Kind of access. A class holds either a view of the record, or a response whose record is decoded on first use, which may fail.
#[derive(Clone, Copy)]
pub(super) struct RecordAccess {
    pub(super) is_lazy: bool,
}

/// A Rust method whose body is one expression.
#[derive(Serialize)]
pub(super) struct Function {
    name: String,
    is_getter: bool,
    generics: &'static str,
    /// The `py` argument, if the method needs it.
    py: &'static str,
    returns: String,
    body: String,
}

impl Function {
    /// Turns the method into a property.
    pub(super) fn getter(self) -> Self {
        Self { is_getter: true, ..self }
    }
}

impl RecordAccess {
    /// Returns the call that leads from the field to the view.
    fn step(self) -> &'static str {
        if self.is_lazy { ".view(py)?" } else { "" }
    }

    /// Returns a reference to the view. LazyResponse records need `py` in scope.
    pub(super) fn view(self) -> &'static str {
        if self.is_lazy { "self.view.view(py)?" } else { "&self.view" }
    }

    /// Returns a reference to the record of an object. LazyResponse records need `py` in scope.
    pub(super) fn record(self, object: &str) -> String {
        format!("{object}.view{}.get()", self.step())
    }

    /// Creates a method of the class.
    pub(super) fn function(self, name: &str, returns: &str, body: &str) -> Function {
        let bound = returns.contains("'py");
        let fails = self.is_lazy && body.contains(self.step()) && !returns.starts_with("PyResult");
        Function {
            name: name.to_owned(),
            is_getter: false,
            generics: if bound { "<'py>" } else { "" },
            py: match (bound, body.contains("(py")) {
                (true, _) => ", py: Python<'py>",
                (false, true) => ", py: Python<'_>",
                (false, false) => "",
            },
            returns: if fails { format!("PyResult<{returns}>") } else { returns.to_owned() },
            body: if fails { format!("Ok({body})") } else { body.to_owned() },
        }
    }
}
