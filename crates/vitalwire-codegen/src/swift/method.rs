//! What a resource's protocol has: each way to make a call, whose parameters and options are one value. A fake that takes it goes on
//! compiling where a later release adds a parameter.

use serde::Serialize;

use super::call::{Argument, Function};
use crate::ir::nights::{ABOUT, GROUP, METHOD, SUMMARY};
use crate::ir::{Docs, Ir, Resource, Upload};
use crate::naming::pascal;

/// The methods of a resource.
#[derive(Debug, Serialize)]
pub(super) struct Methods {
    group: String,
    /// The type's name.
    name: String,
    methods: Vec<Method>,
}

/// A method.
#[derive(Debug, Serialize)]
struct Method {
    name: String,
    plain: String,
    docs: Docs,
    /// The type of what it is given.
    call: String,
    fields: Vec<Field>,
    /// What it gives, and whether that is awaited.
    gives: String,
    awaits: bool,
    /// What both bounds of a range together are.
    whole: Option<Field>,
}

/// A parameter, an option, or what stands for some of them.
#[derive(Clone, Debug, Serialize)]
struct Field {
    /// What an argument is called that has another name than the field, `_` where that is nothing.
    label: Option<&'static str>,
    name: String,
    ty: String,
    default: Option<&'static str>,
    docs: Docs,
    /// The name on the wire, where there is one.
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
            methods.extend(Method::of_file(&function, &name));
            methods.extend(Method::over_range(&function, &name));
        }
        methods.extend((resource.group == GROUP).then(|| Method::nights(ir, &name)));
        Self { group: resource.group.to_owned(), name, methods }
    }
}

impl Method {
    fn plain(function: &Function<'_>, resource: &str) -> Self {
        let docs = if function.waits { waiting(&function.plain, "") } else { function.docs.clone() };
        let fields = function.arguments.iter().map(Field::of).chain(Field::last(function, resource)).collect();
        let (awaits, gives) = gives(function);
        Self { docs, call: format!("{}Call", title(&function.name)), fields, gives, awaits, whole: None, ..Self::named(&function.name) }
    }

    fn of_file(function: &Function<'_>, resource: &str) -> Option<Self> {
        let uploads = function.uploads.as_ref()?;
        let first = match uploads.kind {
            Upload::Image => vec![
                Field::new("picture", "PictureUpload", None, "The file, its bytes, or the address of a picture.").labelled("_"),
                Field::new("removingMetadata", "Bool", Some("false"), "Whether the picture is sent without its metadata."),
            ],
            Upload::Document => vec![Field::new("document", "DocumentUpload", None, "The file, or its bytes.").labelled("_")],
        };
        let others = uploads.arguments.iter().map(Field::of).chain(Field::last(function, resource));
        let docs = if function.waits { waiting(&function.plain, " with a file") } else { function.docs.clone() };
        let (awaits, gives) = gives(function);
        let fields = first.into_iter().chain(others).collect();
        let call = format!("File{}Call", title(&function.name));
        Some(Self { docs, call, fields, gives, awaits, whole: None, ..Self::named(&function.name) })
    }

    fn over_range(function: &Function<'_>, resource: &str) -> Option<Self> {
        let ranged = function.ranged.as_ref()?;
        let mut fields: Vec<Field> = ranged.bounds.iter().map(|bound| Field { is_bound: true, ..Field::of(bound) }).collect();
        fields.extend(ranged.required.iter().map(Field::of));
        fields.push(Field::part_length());
        fields.extend(ranged.optional.iter().map(Field::of));
        fields.extend(Field::include(function, resource));
        fields.extend([Field::range(), Field::options()]);
        let plain = &function.plain;
        let text = format!("`{plain}` over a range, requested in parts: iterate it for the parts, or collect and merge them.");
        Some(Self {
            docs: written(text),
            call: format!("{}RangeCall", title(&function.name)),
            fields,
            gives: format!(" -> RangeCall<{}>", function.answer),
            awaits: false,
            whole: Some(Field::new(ranged.whole, ranged.whole_type, None, ranged.whole_docs).labelled("_")),
            ..Self::named(&function.name)
        })
    }

    /// `sleeps.between`, whose own code is written by hand.
    fn nights(ir: &Ir, resource: &str) -> Self {
        let mut fields = vec![Field::new("days", "ClosedRange<CalendarDate>", None, "First and last day.").labelled("_")];
        let (include, others): (Vec<_>, Vec<_>) = ir.night_params().into_iter().partition(|(_, param)| super::call::is_part(param));
        // Those of one operation are one argument.
        fields.extend(include.first().map(|(operation, _)| {
            let ty = format!("VitalwireClient.{resource}.{}", super::call::include(&operation.method));
            Field::new("include", &ty, Some("[]"), "What to answer besides, of each sleep.")
        }));
        fields.extend(others.iter().map(|(operation, param)| Field::of(&Argument::new(&operation.params, param))));
        fields.extend([Field::range(), Field::options()]);
        Self {
            docs: written(format!("{SUMMARY}\n\n{ABOUT}")),
            call: format!("{}Call", pascal(METHOD)),
            fields,
            gives: " -> NightSearch".to_owned(),
            awaits: false,
            whole: None,
            ..Self::named(METHOD)
        }
    }

    /// One of this name, with nothing else.
    fn named(name: &str) -> Self {
        let (name, plain) = (name.to_owned(), name.replace('`', ""));
        let docs = Docs::default();
        Self { name, plain, docs, call: String::new(), fields: Vec::new(), gives: String::new(), awaits: false, whole: None }
    }
}

impl Field {
    fn new(name: &str, ty: &str, default: Option<&'static str>, about: &str) -> Self {
        let docs = written(about.to_owned());
        Self { label: None, name: name.to_owned(), ty: ty.to_owned(), default, docs, wire: String::new(), is_bound: false }
    }

    fn labelled(self, label: &'static str) -> Self {
        Self { label: Some(label), ..self }
    }

    fn of(argument: &Argument<'_>) -> Self {
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

    /// What follows the parameters of a call.
    fn last(function: &Function<'_>, resource: &str) -> impl Iterator<Item = Self> {
        let wait = Self::new("wait", "WaitOptions", Some(".init()"), "How long to wait in all, and between two readings.");
        let wait = function.waits.then_some(wait);
        Self::include(function, resource).into_iter().chain(wait).chain([Self::options()])
    }

    fn include(function: &Function<'_>, resource: &str) -> Option<Self> {
        let ty = format!("VitalwireClient.{resource}.{}", function.include.as_ref()?);
        Some(Self::new("include", &ty, Some("[]"), "What to answer besides."))
    }

    fn part_length() -> Self {
        Self::new("partLength", "PartLength?", None, "The length of a part; `nil` requests the whole range at once.")
    }

    fn range() -> Self {
        let about = "How many parts at once, what happens when one fails, and what an earlier run left.";
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

fn gives(function: &Function<'_>) -> (bool, String) {
    match function.waits {
        true => (false, format!(" -> WaitCall<{}>", function.answer)),
        false => (true, format!(" async throws -> {}", function.answer)),
    }
}

fn waiting(plain: &str, file: &str) -> Docs {
    written(format!("`{plain}`{file}, and waits until its analysis has ended: its progress, and the record as it is read at the end."))
}

fn written(text: String) -> Docs {
    Docs { text, ..Docs::default() }
}

/// A method's name as a type's begins.
fn title(name: &str) -> String {
    let name = name.trim_matches('`');
    let end = name.chars().next().map_or(0, char::len_utf8);
    name[..end].to_uppercase() + &name[end..]
}
