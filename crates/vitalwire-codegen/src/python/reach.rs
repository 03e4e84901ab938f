//! How the methods of a class come to the record that it shows.

use serde::Serialize;

/// By what a class keeps: the record's view, or an answer whose record is decoded when it is first asked for, which may fail.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) is_deferred: bool,
}

/// A method in Rust whose body is one expression of what it gives, or a result of it.
#[derive(Serialize)]
pub(super) struct Function {
    name: String,
    is_getter: bool,
    generics: &'static str,
    /// The interpreter as an argument, where it is needed.
    py: &'static str,
    gives: String,
    body: String,
}

impl Function {
    /// As a property.
    pub(super) fn getter(self) -> Self {
        Self { is_getter: true, ..self }
    }
}

impl Reach {
    /// From the field to the view.
    fn step(self) -> &'static str {
        if self.is_deferred { ".view(py)?" } else { "" }
    }

    /// A reference to the view. Where it may fail, `py` has to be there.
    pub(super) fn view(self) -> &'static str {
        if self.is_deferred { "self.view.view(py)?" } else { "&self.view" }
    }

    /// A reference to the record that an object shows. Where it may fail, `py` has to be there.
    pub(super) fn record(self, object: &str) -> String {
        format!("{object}.view{}.get()", self.step())
    }

    /// A method of the class.
    pub(super) fn function(self, name: &str, gives: &str, body: &str) -> Function {
        let bound = gives.contains("'py");
        let fails = self.is_deferred && body.contains(self.step()) && !gives.starts_with("PyResult");
        Function {
            name: name.to_owned(),
            is_getter: false,
            generics: if bound { "<'py>" } else { "" },
            py: match (bound, body.contains("(py")) {
                (true, _) => ", py: Python<'py>",
                (false, true) => ", py: Python<'_>",
                (false, false) => "",
            },
            gives: if fails { format!("PyResult<{gives}>") } else { gives.to_owned() },
            body: if fails { format!("Ok({body})") } else { body.to_owned() },
        }
    }
}
