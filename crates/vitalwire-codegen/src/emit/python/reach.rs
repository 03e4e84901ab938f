//! How the methods of a class come to the record that it shows.

/// By what a class keeps: the record's view, or an answer whose record is decoded when it is first asked for, which may fail.
pub(super) struct Reach {
    /// The class of what it keeps.
    pub(super) kept: &'static str,
    /// The field of it, made of a `view` of a whole record.
    pub(super) field: &'static str,
    /// From the field to the view.
    step: &'static str,
    fallible: bool,
}

/// The record is there.
pub(super) const HELD: Reach = Reach { kept: "View", field: "view", step: "", fallible: false };
/// The record is decoded at first.
pub(super) const DEFERRED: Reach = Reach { kept: "Deferred", field: "view: Deferred::of(view)", step: ".view(py)?", fallible: true };

impl Reach {
    /// A reference to the view. Where it may fail, `py` has to be there.
    pub(super) fn view(&self) -> String {
        if self.fallible { format!("self.view{}", self.step) } else { "&self.view".to_owned() }
    }

    /// A reference to the record that an object shows. Where it may fail, `py` has to be there.
    pub(super) fn record(&self, object: &str) -> String {
        format!("{object}.view{}.get()", self.step)
    }

    /// A method whose body is one expression of the type, or a result of it; arguments are those after `self`, each with a comma before it.
    pub(super) fn method(&self, name: &str, arguments: &str, ty: &str, body: &str) -> String {
        let lifetime = if ty.contains("'py") { "<'py>" } else { "" };
        let py = match (body.contains("(py"), lifetime.is_empty()) {
            (_, false) => ", py: Python<'py>",
            (true, true) => ", py: Python<'_>",
            (false, true) => "",
        };
        let (ty, body) = if self.fallible && body.contains(self.step) && !ty.starts_with("PyResult") {
            (format!("PyResult<{ty}>"), format!("Ok({body})"))
        } else {
            (ty.to_owned(), body.to_owned())
        };
        format!("fn {name}{lifetime}(&self{py}{arguments}) -> {ty} {{\n{body}\n}}\n\n")
    }
}
