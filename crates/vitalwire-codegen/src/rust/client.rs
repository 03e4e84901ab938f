//! The client: services, settings, resources and calls.

use serde_json::{Value, json};

use crate::ir::features::{GeneratedSetting, Language, client_settings};
use crate::ir::{Docs, Ir};
use crate::naming::pascal;

/// Returns the template values of the client.
pub(super) fn client(ir: &Ir) -> Value {
    let services = ir.services.iter().enumerate().map(|(index, service)| {
        json!({
            "name": service.name,
            "title": service.title,
            "variant": pascal(&service.name),
            // Prefix of the service's settings. Empty for the first service.
            "prefix": if index == 0 { String::new() } else { format!("{}_", service.name) },
            "path_prefix": ir.path_prefix(service),
        })
    });
    json!({
        "services": services.collect::<Vec<_>>(),
        "details": ir.details,
        "resources": ir.groups().into_iter().map(|name| json!({ "name": name, "type": pascal(name) })).collect::<Vec<_>>(),
        "settings": client_settings(ir, Language::Rust).iter().map(setting).collect::<Vec<_>>(),
    })
}

/// Returns a method of the client builder. It calls the engine's function, with the service as an argument if each service has its own
/// setting.
fn setting(setting: &GeneratedSetting<'_>) -> Value {
    let parameters = setting.row.value_type.rust_parameters();
    let service = setting.row.per_service.then(|| format!("Service::{}.meta()", pascal(setting.service)));
    let arguments = service.into_iter().chain(parameters.iter().map(|(name, _)| (*name).to_owned()));
    json!({
        "name": setting.name,
        "core": setting.row.name,
        "parameters": parameters,
        "arguments": arguments.collect::<Vec<_>>(),
        "hidden": setting.row.hidden,
        "docs": Docs::new(setting.text()),
    })
}
