//! Methods over long ranges, which are asked for in parts: one for each operation that has a range, beside its call.

use crate::ir::{Answer, Docs, Operation, Param, RangeKind};
use crate::lang::rust;
use crate::lang::rust::literal;

use super::arguments::named;
use super::options::{self, CALL_OPTIONS, CallOption};
use super::resources::{self, Style, rust_name, taken};
use crate::lang::python::{docstring, given, python_name, read};

/// What a range takes besides the arguments of its operation, in the order of `Arguments` in
/// `crates/vitalwire-python/src/ranges/arguments.rs`.
pub(crate) const RANGE_OPTIONS: [CallOption; 6] = [
    CallOption {
        name: "split",
        rust: "Option<Bound<'_, PyAny>>",
        rust_default: "None",
        python: "_datetime.timedelta | str | None",
        default: "None",
        about: "How long a part is: a `timedelta`, or a text such as `30d` or `6h`. Without it one call is made for the whole range. With `resume`, \
                the length of the earlier run counts.",
    },
    CallOption {
        name: "concurrency",
        rust: "Option<Count>",
        rust_default: "None",
        python: "int | None",
        default: "None",
        about: "How many parts are asked for at once; 4 unless given.",
    },
    CallOption {
        name: "on_error",
        rust: "&str",
        rust_default: "\"stop\"",
        python: "_Literal[\"stop\", \"collect\"]",
        default: "\"stop\"",
        about: "`stop`: the first part that fails ends the range. `collect`: the others are read, and it is handed out with its error.",
    },
    CallOption {
        name: "resume",
        rust: "Option<Bound<'_, PyAny>>",
        rust_default: "None",
        python: "ResumeToken | str | None",
        default: "None",
        about: "What an earlier run of the same call left, as a token or its text.",
    },
    CallOption {
        name: "resume_key",
        rust: "Option<&str>",
        rust_default: "None",
        python: "str | None",
        default: "None",
        about: "What you know the data by, such as your own id of the person. A token made under a key is refused under another one: \
                calls for two people look alike but for their access tokens, which are in no resume token.",
    },
    CallOption {
        name: "progress",
        rust: "Option<Bound<'_, PyAny>>",
        rust_default: "None",
        python: "bool | _Callable[[RangeProgress], object] | None",
        default: "None",
        about: "`True` shows a bar, by tqdm where that is installed. A function is called after each part instead.",
    },
];

/// What every method over a range is.
const SUMMARY: &str = "For a long range, asked for in parts. Nothing is asked before what this gives is iterated, collected or read as a \
                       table; then several parts are asked for at once, and handed out in order.";

/// The method's name in Rust; Python's is made of it as that of the call is.
pub(in crate::emit) fn name(operation: &Operation) -> String {
    format!("{}_range", operation.method)
}

/// The arguments of an operation with a range: its bounds, the others that are required, and keywords.
struct Arguments<'a> {
    bounds: Vec<&'a Param>,
    required: Vec<&'a Param>,
    keywords: Vec<&'a Param>,
}

impl<'a> Arguments<'a> {
    fn of(operation: &'a Operation) -> Option<Self> {
        let range = operation.range.as_ref()?;
        let bounds: Vec<&Param> = [&range.from, &range.to]
            .into_iter()
            .filter_map(|wire| operation.params.iter().find(|param| param.member.wire == *wire))
            .collect();
        let others = operation.params.iter().filter(|param| param.member.wire != range.from && param.member.wire != range.to);
        let (required, keywords) = others.partition(|param| param.member.required);
        Some(Self { bounds, required, keywords })
    }

    /// Those that are no keywords.
    fn positional(&self) -> impl Iterator<Item = &'a Param> {
        self.bounds.iter().chain(&self.required).copied()
    }

    fn all(&self) -> impl Iterator<Item = &'a Param> {
        self.positional().chain(self.keywords.iter().copied())
    }
}

/// The method, in Rust.
pub(super) fn method(text: &mut String, operation: &Operation, comments: &str) {
    let Some(arguments) = Arguments::of(operation) else { return };
    let options = || CALL_OPTIONS.iter().chain(&RANGE_OPTIONS);
    let mut signature: Vec<String> = arguments.positional().map(rust_name).collect();
    signature.push("*".into());
    signature.extend(arguments.keywords.iter().map(|param| format!("{}=None", rust_name(param))));
    signature.extend(options().map(|option| format!("{}={}", option.name, option.rust_default)));
    let mut takes: Vec<String> = arguments.all().map(|param| format!("{}: {}", rust_name(param), taken(operation, param))).collect();
    takes.extend(options().map(|option| format!("{}: {}", option.name, option.rust)));
    let convert = match &operation.answer {
        Answer::Nothing => return,
        Answer::Model(name) => format!("ranges::record::<{name}>"),
        Answer::List(name) => format!("ranges::records::<{name}>"),
    };
    text.push_str(comments);
    text.push_str(&format!("#[pyo3(name = {}, signature = ({}))]\n", literal(&python_name(&name(operation))), signature.join(", ")));
    text.push_str(&format!("fn {}(&self, py: Python<'_>, {}) -> PyResult<Py<PyAny>> {{\n", rust::name(&name(operation)), named(&takes),));
    resources::parameters(text, operation);
    let names = |options: &[CallOption]| options.iter().map(|option| option.name).collect::<Vec<_>>().join(", ");
    text.push_str(&format!("let options = Options {{ {} }};\n", names(&CALL_OPTIONS)));
    text.push_str(&format!("let arguments = ranges::Arguments {{ {} }};\n", names(&RANGE_OPTIONS)));
    text.push_str(&format!("ranges::range(py, &self.caller, parameters, &options, &arguments, {convert})\n}}\n\n"));
}

/// The method, in the stub.
pub(super) fn stub(text: &mut String, operation: &Operation, style: &Style, answer: &str) {
    let (Some(arguments), Some(range)) = (Arguments::of(operation), &operation.range) else { return };
    let argument = |param: &Param, default: &str| format!("        {}: {}{default},\n", python_name(&param.member.name), given(param));
    text.push_str(&format!("    def {}(\n        self,\n", python_name(&name(operation))));
    text.extend(arguments.positional().map(|param| argument(param, "")));
    text.push_str("        *,\n");
    text.extend(arguments.keywords.iter().map(|param| argument(param, " = None")));
    let keywords = CALL_OPTIONS.iter().chain(&RANGE_OPTIONS);
    text.extend(keywords.map(|option| format!("        {}: {} = {},\n", option.name, option.python, option.default)));
    text.push_str(&format!("    ) -> {}[{answer}, {}]:\n", class(style), read(&range.kind.bound())));
    let mut docs = docs(operation);
    for param in arguments.all() {
        docs.text.push_str(&format!("\n\n{}: {}", python_name(&param.member.name), resources::about(param)));
    }
    docs.text.push_str(&options::about(&RANGE_OPTIONS));
    docs.text.push_str(&options::of_every_call(style));
    text.push_str(&docstring(&docs, &operation.id, "        "));
    text.push('\n');
}

/// The class that a client's methods over ranges give.
fn class(style: &Style) -> String {
    format!("{}Range", style.prefix)
}

fn docs(operation: &Operation) -> Docs {
    let bounds = match operation.range.as_ref().map(|range| range.kind) {
        Some(RangeKind::Dates) => "Both bounds belong to the range.",
        Some(RangeKind::Instants) | None => "The second bound does not belong to the range.",
    };
    let mut docs = operation.docs.clone();
    if docs.text.is_empty() {
        docs.text = format!("`{}`.", operation.id);
    }
    docs.text.push_str(&format!("\n\n{SUMMARY} {bounds}"));
    docs
}
