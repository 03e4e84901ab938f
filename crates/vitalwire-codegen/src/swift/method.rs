//! Methods of resource protocols.
//!
//! Each method takes its parameters and options as one value. A fake therefore still compiles if a later release adds a parameter.

use serde::Serialize;

use super::call::{Argument, Function};
use crate::ir::nights::{ABOUT, GROUP, METHOD, SUMMARY};
use crate::ir::{Docs, Ir, Resource, Upload};
use crate::naming::pascal;

/// Methods of a resource's protocol.
#[derive(Debug, Serialize)]
pub(super) struct Methods {
    group: String,
    /// Name of the Swift type.
    name: String,
    methods: Vec<Method>,
}

/// A method of a protocol.
#[derive(Debug, Serialize)]
struct Method {
    name: String,
    plain: String,
    docs: Docs,
    /// Type of the value with all parameters and options.
    call: String,
    fields: Vec<Field>,
    /// Effects and return type, such as ` async throws -> Void`.
    gives: String,
    /// Whether the method is asynchronous.
    awaits: bool,
    /// Parameter that has both bounds of a range.
    whole: Option<Field>,
}

/// A field of the value that a method takes: a parameter or a group of options.
#[derive(Clone, Debug, Serialize)]
struct Field {
    /// External label of the argument if it differs from the field's name; `_` for none.
    label: Option<&'static str>,
    name: String,
    ty: String,
    default: Option<&'static str>,
    docs: Docs,
    /// Wire name; empty for options.
    wire: String,
    is_bound: bool,
}

impl Methods {
    pub(super) fn new(ir: &Ir, resource: &Resource<'_>) -> Self {
        let name = pascal(resource.group);
        let mut methods = Vec::new();
        for call in &resource.calls {
            let function = Function::new(resource.group, call);
            methods.push(Method::plain(&function, &name));
            methods.extend(Method::with_file(&function, &name));
            methods.extend(Method::over_range(&function, &name));
        }
        methods.extend((resource.group == GROUP).then(|| Method::nights(ir, &name)));
        Self { group: resource.group.to_owned(), name, methods }
    }
}

impl Method {
    fn plain(function: &Function<'_>, resource: &str) -> Self {
        let docs = if function.waits { waiting_docs(&function.plain, "") } else { function.docs.clone() };
        let fields = function.arguments.iter().map(Field::from_argument).chain(Field::trailing(function, resource)).collect();
        let (awaits, gives) = signature(function);
        Self {
            docs,
            call: format!("{}Call", capitalize(&function.name)),
            fields,
            gives,
            awaits,
            whole: None,
            ..Self::with_name(&function.name)
        }
    }

    fn with_file(function: &Function<'_>, resource: &str) -> Option<Self> {
        let uploads = function.uploads.as_ref()?;
        let first = match uploads.kind {
            Upload::Image => vec![
                Field::new("picture", "PictureUpload", None, "File, its bytes or the address of a picture.").labelled("_"),
                Field::new("removingMetadata", "Bool", Some("false"), "Whether to remove the picture's metadata."),
            ],
            Upload::Document => vec![Field::new("document", "DocumentUpload", None, "File or its bytes.").labelled("_")],
        };
        let others = uploads.arguments.iter().map(Field::from_argument).chain(Field::trailing(function, resource));
        let docs = if function.waits { waiting_docs(&function.plain, " with a file") } else { function.docs.clone() };
        let (awaits, gives) = signature(function);
        let fields = first.into_iter().chain(others).collect();
        let call = format!("File{}Call", capitalize(&function.name));
        Some(Self { docs, call, fields, gives, awaits, whole: None, ..Self::with_name(&function.name) })
    }

    fn over_range(function: &Function<'_>, resource: &str) -> Option<Self> {
        let ranged = function.ranged.as_ref()?;
        let mut fields: Vec<Field> = ranged.bounds.iter().map(|bound| Field { is_bound: true, ..Field::from_argument(bound) }).collect();
        fields.extend(ranged.required.iter().map(Field::from_argument));
        fields.push(Field::part_length());
        fields.extend(ranged.optional.iter().map(Field::from_argument));
        fields.extend(Field::include(function, resource));
        fields.extend([Field::range(), Field::options()]);
        let plain = &function.plain;
        let text =
            format!("Calls `{plain}` for a range, in parts. Iterate the result to read the parts, or collect them into one response.");
        Some(Self {
            docs: make_docs(text),
            call: format!("{}RangeCall", capitalize(&function.name)),
            fields,
            gives: format!(" -> RangeCall<{}>", function.answer),
            awaits: false,
            whole: Some(Field::new(ranged.whole, ranged.whole_type, None, ranged.whole_docs).labelled("_")),
            ..Self::with_name(&function.name)
        })
    }

    /// Returns the method for `sleeps.between`, whose implementation is written by hand.
    fn nights(ir: &Ir, resource: &str) -> Self {
        let mut fields = vec![Field::new("days", "ClosedRange<CalendarDate>", None, "First and last day of the range.").labelled("_")];
        let (include, others): (Vec<_>, Vec<_>) = ir.night_params().into_iter().partition(|(_, param)| super::call::is_part(param));
        // All optional parts of an operation share one argument.
        fields.extend(include.first().map(|(operation, _)| {
            let ty = format!("VitalwireClient.{resource}.{}", super::call::include_type(&operation.method));
            Field::new("include", &ty, Some("[]"), "Optional parts of each sleep to request.")
        }));
        fields.extend(others.iter().map(|(operation, param)| Field::from_argument(&Argument::new(&operation.params, param))));
        fields.extend([Field::range(), Field::options()]);
        Self {
            docs: make_docs(format!("{SUMMARY}\n\n{ABOUT}")),
            call: format!("{}Call", pascal(METHOD)),
            fields,
            gives: " -> NightSearch".to_owned(),
            awaits: false,
            whole: None,
            ..Self::with_name(METHOD)
        }
    }

    /// Creates a method with a name and nothing else.
    fn with_name(name: &str) -> Self {
        let (name, plain) = (name.to_owned(), name.replace('`', ""));
        let docs = Docs::default();
        Self { name, plain, docs, call: String::new(), fields: Vec::new(), gives: String::new(), awaits: false, whole: None }
    }
}

impl Field {
    fn new(name: &str, ty: &str, default: Option<&'static str>, about: &str) -> Self {
        let docs = make_docs(about.to_owned());
        Self { label: None, name: name.to_owned(), ty: ty.to_owned(), default, docs, wire: String::new(), is_bound: false }
    }

    fn labelled(self, label: &'static str) -> Self {
        Self { label: Some(label), ..self }
    }

    fn from_argument(argument: &Argument<'_>) -> Self {
        let (null, default) = if argument.required { ("", None) } else { ("?", Some("nil")) };
        Self {
            label: argument.label,
            name: argument.name.clone(),
            ty: format!("{}{null}", argument.ty),
            default,
            docs: argument.docs.clone(),
            wire: argument.wire.to_owned(),
            is_bound: false,
        }
    }

    /// Returns the fields after the parameters of a call: parts, wait and options.
    fn trailing(function: &Function<'_>, resource: &str) -> impl Iterator<Item = Self> {
        let wait = Self::new("wait", "WaitOptions", Some(".init()"), "Maximum time of the wait and interval between two polls.");
        let wait = function.waits.then_some(wait);
        Self::include(function, resource).into_iter().chain(wait).chain([Self::options()])
    }

    fn include(function: &Function<'_>, resource: &str) -> Option<Self> {
        let ty = format!("VitalwireClient.{resource}.{}", function.include.as_ref()?);
        Some(Self::new("include", &ty, Some("[]"), "Optional parts of the response to request."))
    }

    fn part_length() -> Self {
        Self::new("partLength", "PartLength?", None, "Time that each part covers; `nil` requests the whole range at once.")
    }

    fn range() -> Self {
        let about = "Concurrency, handling of failed parts, and resume token of an earlier run.";
        Self::new("range", "RangeOptions", Some(".init()"), about)
    }

    fn options() -> Self {
        Self::new(
            "options",
            "CallOptions",
            Some(".init()"),
            "Timeouts, retries and token. Options that are not set default to the client's settings.",
        )
    }
}

fn signature(function: &Function<'_>) -> (bool, String) {
    match function.waits {
        true => (false, format!(" -> WaitCall<{}>", function.answer)),
        false => (true, format!(" async throws -> {}", function.answer)),
    }
}

fn waiting_docs(plain: &str, file: &str) -> Docs {
    make_docs(format!("Calls `{plain}`{file} and waits until the analysis has ended."))
}

fn make_docs(text: String) -> Docs {
    Docs { text, ..Docs::default() }
}

/// Capitalizes the name of a method, for the name of a type.
fn capitalize(name: &str) -> String {
    let name = name.trim_matches('`');
    let end = name.chars().next().map_or(0, char::len_utf8);
    name[..end].to_uppercase() + &name[end..]
}
