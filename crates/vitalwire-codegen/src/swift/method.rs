//! Methods of resource protocols.
//!
//! Each method takes its parameters and options as one value. A fake therefore still compiles if a later release adds a parameter.

use serde::Serialize;
use serde_json::{Value, json};

use super::call::{self, Argument};
use crate::ir::nights::{DETAILS, GROUP, METHOD, SUMMARY};
use crate::ir::{Docs, Ir, Resource, Upload};
use crate::naming::pascal;

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
    signature: String,
    is_async: bool,
    /// Parameter that has both bounds of a range.
    bounds_argument: Option<Field>,
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

/// Returns the template values of a resource's protocol.
pub(super) fn methods(ir: &Ir, resource: &Resource<'_>) -> Value {
    let name = pascal(resource.group);
    let mut methods = Vec::new();
    for call in &resource.calls {
        let method = call::Method::new(resource.group, call);
        methods.push(Method::plain(&method, &name));
        methods.extend(Method::with_file(&method, &name));
        methods.extend(Method::with_range(&method, &name));
    }
    methods.extend((resource.group == GROUP).then(|| Method::nights(ir, &name)));
    json!({ "group": resource.group, "name": name, "methods": methods })
}

impl Method {
    fn new(name: &str, call: String, docs: Docs, fields: Vec<Field>, signature: String) -> Self {
        let is_async = signature.starts_with(" async");
        Self { name: name.to_owned(), plain: name.replace('`', ""), docs, call, fields, signature, is_async, bounds_argument: None }
    }

    fn plain(method: &call::Method<'_>, resource: &str) -> Self {
        let fields = method.arguments.iter().map(Field::from_argument).chain(Field::trailing_fields(method, resource)).collect();
        Self::new(&method.name, format!("{}Call", capitalize(&method.name)), docs(method, ""), fields, signature(method))
    }

    fn with_file(method: &call::Method<'_>, resource: &str) -> Option<Self> {
        let upload = method.upload.as_ref()?;
        let first = match upload.kind {
            Upload::Image => vec![
                Field::new("picture", "PictureUpload", None, "File, its bytes or the address of a picture.").with_label("_"),
                Field::new("removingMetadata", "Bool", Some("false"), "Whether to remove the picture's metadata."),
            ],
            Upload::Document => vec![Field::new("document", "DocumentUpload", None, "File or its bytes.").with_label("_")],
        };
        let others = upload.arguments.iter().map(Field::from_argument).chain(Field::trailing_fields(method, resource));
        let fields = first.into_iter().chain(others).collect();
        let call = format!("File{}Call", capitalize(&method.name));
        Some(Self::new(&method.name, call, docs(method, " with a file"), fields, signature(method)))
    }

    fn with_range(method: &call::Method<'_>, resource: &str) -> Option<Self> {
        let range_call = method.range_call.as_ref()?;
        let mut fields: Vec<Field> =
            range_call.bounds.iter().map(|bound| Field { is_bound: true, ..Field::from_argument(bound) }).collect();
        fields.extend(range_call.required.iter().map(Field::from_argument));
        fields.push(Field::part_length());
        fields.extend(range_call.optional.iter().map(Field::from_argument));
        fields.extend(Field::include(method, resource));
        fields.extend([Field::range(), Field::options()]);
        let plain = &method.plain;
        let text =
            format!("Calls `{plain}` for a range, in parts. Iterate the result to read the parts, or collect them into one response.");
        let call = format!("{}RangeCall", capitalize(&method.name));
        let bounds = Field::new(range_call.bounds_argument, range_call.bounds_type, None, range_call.bounds_docs).with_label("_");
        let signature = format!(" -> RangeCall<{}>", method.return_type);
        Some(Self { bounds_argument: Some(bounds), ..Self::new(&method.name, call, Docs::new(text), fields, signature) })
    }

    /// Returns the method for `sleeps.between`, whose implementation is written by hand.
    fn nights(ir: &Ir, resource: &str) -> Self {
        let mut fields = vec![Field::new("days", "ClosedRange<CalendarDate>", None, "First and last day of the range.").with_label("_")];
        let (include, others): (Vec<_>, Vec<_>) = ir.night_params().into_iter().partition(|(_, param)| call::is_part(param));
        // All optional parts of an operation share one argument.
        fields.extend(include.first().map(|(operation, _)| {
            let ty = format!("VitalwireClient.{resource}.{}", call::include_type(&operation.method));
            Field::new("include", &ty, Some("[]"), "Optional parts of each sleep to request.")
        }));
        fields.extend(others.iter().map(|(operation, param)| Field::from_argument(&Argument::new(&operation.params, param))));
        fields.extend([Field::range(), Field::options()]);
        let docs = Docs::new(format!("{SUMMARY}\n\n{DETAILS}"));
        Self::new(METHOD, format!("{}Call", pascal(METHOD)), docs, fields, " -> NightSearch".to_owned())
    }
}

impl Field {
    fn new(name: &str, ty: &str, default: Option<&'static str>, about: &str) -> Self {
        let docs = Docs::new(about);
        Self { label: None, name: name.to_owned(), ty: ty.to_owned(), default, docs, wire: String::new(), is_bound: false }
    }

    fn with_label(self, label: &'static str) -> Self {
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
    fn trailing_fields(method: &call::Method<'_>, resource: &str) -> impl Iterator<Item = Self> {
        let wait = Self::new("wait", "WaitOptions", Some(".init()"), "Maximum time of the wait and interval between two polls.");
        let wait = method.waits.then_some(wait);
        Self::include(method, resource).into_iter().chain(wait).chain([Self::options()])
    }

    fn include(method: &call::Method<'_>, resource: &str) -> Option<Self> {
        let ty = format!("VitalwireClient.{resource}.{}", method.include.as_ref()?);
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

fn signature(method: &call::Method<'_>) -> String {
    match method.waits {
        true => format!(" -> WaitCall<{}>", method.return_type),
        false => format!(" async throws -> {}", method.return_type),
    }
}

fn docs(method: &call::Method<'_>, file: &str) -> Docs {
    if !method.waits {
        return method.docs.clone();
    }
    Docs::new(format!("Calls `{}`{file} and waits until the analysis has ended.", method.plain))
}

/// Capitalizes the name of a method, for the name of a type.
fn capitalize(name: &str) -> String {
    let name = name.trim_matches('`');
    let end = name.chars().next().map_or(0, char::len_utf8);
    name[..end].to_uppercase() + &name[end..]
}
