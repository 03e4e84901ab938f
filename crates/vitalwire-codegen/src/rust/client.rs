//! The client: services, settings, resources and calls.

use serde::Serialize;

use crate::ir::features::{Availability, Language, SETTINGS, Setting};
use crate::ir::{Docs, Ir};
use crate::naming::pascal;

/// Template values of the client.
#[derive(Serialize)]
pub(super) struct Client<'a> {
    services: Vec<Service<'a>>,
    details: &'a [String],
    resources: Vec<Resource<'a>>,
    settings: Vec<BuilderMethod>,
}

/// A method of the client builder. It calls the engine's function, with the service as an argument if each service has its own setting.
#[derive(Serialize)]
struct BuilderMethod {
    name: String,
    core: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    arguments: Vec<String>,
    hidden: bool,
    docs: Docs,
}

impl BuilderMethod {
    fn new(row: &'static Setting, prefix: &str, service: Option<&str>) -> Self {
        let per_service = service.map(|service| format!("Service::{}.meta()", pascal(service)));
        let text = service.map_or_else(|| row.text(), |service| row.text().replace("{service}", service));
        Self {
            name: format!("{prefix}{}", row.name),
            core: row.name,
            parameters: row.value_type.rust_parameters(),
            arguments: per_service.into_iter().chain(row.value_type.rust_parameters().iter().map(|(name, _)| (*name).to_owned())).collect(),
            hidden: row.hidden,
            docs: Docs { text, ..Docs::default() },
        }
    }
}

#[derive(Serialize)]
struct Service<'a> {
    name: &'a str,
    title: &'a str,
    variant: String,
    /// Prefix of the service's settings. Empty for the first service.
    prefix: String,
    /// Common prefix of the service's paths.
    path_prefix: String,
}

#[derive(Serialize)]
struct Resource<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: String,
}

impl<'a> Client<'a> {
    pub(super) fn new(ir: &'a Ir) -> Self {
        let prefix = |index: usize, service: &str| if index == 0 { String::new() } else { format!("{service}_") };
        let rows = || SETTINGS.iter().filter(|row| row.availability(Language::Rust) == Availability::Generated);
        let per_service = ir.services.iter().enumerate().flat_map(|(index, service)| {
            let prefix = prefix(index, &service.name);
            rows().filter(|row| row.per_service).map(move |row| BuilderMethod::new(row, &prefix, Some(&service.name)))
        });
        let settings = per_service.chain(rows().filter(|row| !row.per_service).map(|row| BuilderMethod::new(row, "", None))).collect();
        let services = ir.services.iter().enumerate().map(|(index, service)| Service {
            name: &service.name,
            title: &service.title,
            variant: pascal(&service.name),
            prefix: prefix(index, &service.name),
            path_prefix: ir.path_prefix(service),
        });
        let resources = ir.groups().into_iter().map(|name| Resource { name, ty: pascal(name) });
        Self { services: services.collect(), details: &ir.details, resources: resources.collect(), settings }
    }
}
