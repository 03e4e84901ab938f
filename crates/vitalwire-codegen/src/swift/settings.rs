//! Swift client settings and call options.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::setting_groups::{GROUPS, Group, group_of};
use super::spelling;
use crate::ir::features::{GeneratedSetting, Language, ValueType, call_options, client_settings};
use crate::ir::{Docs, Ir};
use crate::naming::camel;
use crate::uniffi::settings::{CALL, CLIENT};

/// A struct of settings or options.
#[derive(Debug, Serialize)]
pub(super) struct Record {
    pub(super) name: &'static str,
    /// The struct that contains it. Empty if there is none.
    parent: &'static str,
    about: &'static str,
    fields: Vec<Field>,
    initializers: Vec<Initializer>,
    /// Whether its description hides the values.
    redacted: bool,
    /// Labels and values of the arguments of the native record. Empty for a nested struct.
    native: Vec<Value>,
    /// Names in errors, by the core's names.
    names: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Serialize)]
struct Field {
    name: String,
    ty: String,
    /// Default value. Empty if an initializer requires the field.
    default: &'static str,
    docs: Docs,
    /// Whether the option is only for tests of this package. It is not public and not in the initializer.
    hidden: bool,
}

#[derive(Debug, Serialize)]
struct Initializer {
    about: &'static str,
    parameters: Vec<Field>,
    /// Names of fields, each with the value that it gets.
    assignments: Vec<(String, String)>,
}

const CLIENT_NAME: &str = "ClientOptions";
const SERVICE_NAME: &str = "Service";
const CREATES_SETTINGS: &str = "Creates settings. Settings that are not set keep their defaults.";

const CREATES_SERVICE: &str = "Creates a service. Without a token, pass a token provider to the client.";

/// Summaries that differ from the core's, where several settings or a text are one value in Swift.
const SUMMARIES: &[(&str, &str)] = &[
    ("proxy", "Proxy for all requests"),
    ("ca_certificate", "Certificate authorities to trust. Defaults to the platform's"),
    (
        "client_certificate",
        "Client certificate, for services that require one: the certificate, its chain and its private key, in PEM format",
    ),
];
/// A text of pins in the core, which is a list in Swift.
const SEPARATOR_OF_PINS: &str = " and are separated by `;`";

/// Returns the structs of client settings and of call options.
pub(super) fn records(ir: &Ir) -> Vec<Record> {
    let settings = client_settings(ir, Language::Swift);
    let mut records = vec![client_record(ir, &settings)];
    let service = settings.iter().filter(|setting| setting.row.per_service && setting.name == setting.row.name);
    records.push(nested(SERVICE_NAME, "A service that a client calls.", true, service.map(service_field).collect(), CREATES_SERVICE));
    for group in GROUPS {
        let members = settings.iter().filter(|setting| group_of(&setting.name).is_some_and(|(of, _)| of.property == group.property));
        records.push(nested(group.name, group.about, group.redacted, fields(members, client_name), CREATES_SETTINGS));
    }
    let options: Vec<_> = call_options(Language::Swift).collect();
    records.push(Record {
        name: "CallOptions",
        parent: "",
        about: CALL,
        initializers: vec![initializer(
            "Creates options. Options that are not set default to the client's settings.",
            &fields(options.iter(), own_name),
        )],
        fields: fields(options.iter(), own_name),
        redacted: true,
        native: options.iter().map(|option| native_argument(option, &own_name(option))).collect(),
        names: BTreeMap::new(),
    });
    records
}

fn client_record(ir: &Ir, settings: &[GeneratedSetting<'_>]) -> Record {
    let field = |name: String, ty: String, default, docs: String| Field { name, ty, default, docs: Docs::new(docs), hidden: false };
    let service = |name: &str| {
        let about = format!("The {name} service. `nil` if the client does not call it.");
        field(spelling::name(name), format!("{SERVICE_NAME}?"), "nil", about)
    };
    let group = |group: &Group| field(group.property.to_owned(), group.name.to_owned(), ".init()", group.about.to_owned());
    let services = ir.services.iter().map(|at| service(&at.name));
    let own = settings.iter().filter(|setting| !setting.row.per_service && group_of(&setting.name).is_none());
    let fields: Vec<Field> = services.chain(GROUPS.iter().map(group)).chain(fields(own, client_name)).collect();
    // The first service is passed as its settings, so that code with a URL that may be nil does not compile.
    let first: Vec<Field> =
        settings.iter().filter(|setting| setting.row.per_service && setting.name == setting.row.name).map(service_field).collect();
    let others = &fields[1..];
    let arguments = first.iter().map(|field| format!("{0}: {0}", field.name)).collect::<Vec<_>>().join(", ");
    let mut flat = initializer(CREATES_SETTINGS, others);
    flat.assignments.insert(0, (fields[0].name.clone(), format!("{SERVICE_NAME}({arguments})")));
    flat.parameters.splice(0..0, first);
    let without = initializer("Creates settings without the health service: for mock responses, or for the care service alone.", others);
    Record {
        name: CLIENT_NAME,
        parent: "",
        about: CLIENT,
        initializers: vec![flat, without],
        fields,
        redacted: true,
        native: settings.iter().map(|setting| native_argument(setting, &path(ir, setting, true))).collect(),
        names: settings
            .iter()
            .map(|setting| (setting.name.clone(), path(ir, setting, false)))
            .filter(|(core, path)| *path != spelling::plain(core))
            .collect(),
    }
}

fn nested(name: &'static str, about: &'static str, redacted: bool, fields: Vec<Field>, creates: &'static str) -> Record {
    let initializers = vec![initializer(creates, &fields)];
    Record { name, parent: CLIENT_NAME, about, fields, initializers, redacted, native: Vec::new(), names: BTreeMap::new() }
}

/// Returns the initializer that sets all fields.
fn initializer(about: &'static str, fields: &[Field]) -> Initializer {
    let parameters: Vec<Field> = fields.iter().filter(|field| !field.hidden).cloned().collect();
    let assignments = parameters.iter().map(|field| (field.name.clone(), field.name.clone())).collect();
    Initializer { about, parameters, assignments }
}

/// Returns the fields of settings in order. Settings that share a property have one field.
fn fields<'a>(settings: impl Iterator<Item = &'a GeneratedSetting<'a>>, name: fn(&GeneratedSetting<'_>) -> String) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for setting in settings {
        let (name, (ty, default, _)) = (name(setting), swift_type(setting));
        if !fields.iter().any(|field| field.name == name) {
            let docs = Docs::new(text(setting));
            fields.push(Field { name, ty: ty.to_owned(), default, docs, hidden: setting.row.hidden });
        }
    }
    fields
}

/// Returns a field of a service, whose base URL is required.
fn service_field(setting: &GeneratedSetting<'_>) -> Field {
    let (ty, default, _) = swift_type(setting);
    let docs = Docs::new(setting.row.text().replace("the {service} service", "the service"));
    let required = is_url(setting);
    let ty = if required { ty.trim_end_matches('?') } else { ty };
    Field { name: spelling::name(setting.row.name), ty: ty.to_owned(), default: if required { "" } else { default }, docs, hidden: false }
}

fn is_url(setting: &GeneratedSetting<'_>) -> bool {
    setting.name.ends_with("url")
}

fn text(setting: &GeneratedSetting<'_>) -> String {
    let text = setting.text().replace(SEPARATOR_OF_PINS, "");
    match SUMMARIES.iter().find(|(core, _)| *core == setting.name) {
        Some((_, summary)) => text.replace(setting.row.summary, summary),
        None => text,
    }
}

/// Returns the name of an option of `CallOptions`.
fn own_name(option: &GeneratedSetting<'_>) -> String {
    spelling::name(if option.row.value_type == ValueType::Header { option.row.keyword() } else { &option.name })
}

/// Returns the name of a client setting in its struct.
fn client_name(setting: &GeneratedSetting<'_>) -> String {
    group_of(&setting.name).map_or_else(|| spelling::name(&setting.name), |(_, property)| property.to_owned())
}

/// Returns the path of a client setting from `ClientOptions`, as an expression or as its name in errors.
fn path(ir: &Ir, setting: &GeneratedSetting<'_>, as_expression: bool) -> String {
    if !setting.row.per_service {
        return match group_of(&setting.name) {
            Some((group, property)) => format!("{}.{property}", group.property),
            None => spelling::name(&setting.name),
        };
    }
    let prefix = setting.name.trim_end_matches(setting.row.name).trim_end_matches('_');
    let property = spelling::name(setting.row.name);
    match (as_expression, prefix) {
        // The first service's settings are arguments of the initializer.
        (false, "") => property,
        (false, service) => format!("{service}.{property}"),
        (true, "") => format!("{}?.{property}", ir.services.first().map(|service| service.name.as_str()).unwrap_or_default()),
        (true, service) => format!("{service}?.{property}"),
    }
}

/// Returns the Swift type of a setting or option, its default, and the end of the expression that converts it to the native value.
fn swift_type(setting: &GeneratedSetting<'_>) -> (&'static str, &'static str, &'static str) {
    let (row, core) = (setting.row, setting.name.as_str());
    match row.value_type {
        _ if core == "pinned_keys" => ("[String]?", "nil", "?.joined(separator: \";\")"),
        ValueType::Proxy => ("Proxy?", "nil", "?.url?.absoluteString"),
        ValueType::Switch => ("Proxy?", "nil", " == .disabled"),
        _ if core == "ca_certificate" => ("Trust", ".platform", ".certificates?.pem"),
        _ if core == "ca_file" => ("Trust", ".platform", ".certificates?.file?.path"),
        _ if core == "ca_environment" => ("Trust", ".platform", ".certificates?.readsEnvironment ?? false"),
        _ if core == "only_custom_certificates" => ("Trust", ".platform", ".isOnlyCustom"),
        ValueType::Pem => ("ClientCertificate?", "nil", "?.pem"),
        ValueType::Path => ("ClientCertificate?", "nil", "?.file?.path"),
        _ if row.is_opt_in() => ("Bool", "false", ""),
        _ if is_url(setting) => ("URL?", "nil", ".absoluteString"),
        ValueType::Duration => ("Duration?", "nil", "?.unsignedMilliseconds"),
        ValueType::Count | ValueType::Size => ("Int?", "nil", ".map { UInt32(clamping: $0) }"),
        ValueType::Bytes => ("Int?", "nil", ".map { UInt64(clamping: $0) }"),
        ValueType::Flag => ("Bool?", "nil", ""),
        ValueType::Factor => ("Double?", "nil", ""),
        ValueType::Style => ("ArrayStyle?", "nil", "?.native"),
        ValueType::Header => ("[String: String]", "[:]", ".map { .init(name: $0.key, value: $0.value) }"),
        ValueType::Query => ("[URLQueryItem]", "[]", ".map { .init(name: $0.name, value: $0.value ?? \"\") }"),
        _ => ("String?", "nil", ""),
    }
}

/// Returns the argument of the native record for a setting, from the path of its property.
fn native_argument(setting: &GeneratedSetting<'_>, path: &str) -> Value {
    let row = setting.row;
    let spelled = if row.value_type == ValueType::Header { row.keyword() } else { setting.name.as_str() };
    let label = if row.value_type == ValueType::Duration { camel(&format!("{spelled}_ms")) } else { camel(spelled) };
    json!({ "label": label, "expression": format!("{path}{}", swift_type(setting).2) })
}
