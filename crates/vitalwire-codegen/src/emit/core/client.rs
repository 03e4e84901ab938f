//! The client: services, settings, resources, calls.

use serde::Serialize;

use crate::ir::Ir;
use crate::lang::pascal;

/// What the template needs.
#[derive(Serialize)]
pub(super) struct Client<'a> {
    services: Vec<Service<'a>>,
    details: &'a [String],
    resources: Vec<Resource<'a>>,
}

#[derive(Serialize)]
struct Service<'a> {
    name: &'a str,
    title: &'a str,
    variant: String,
    /// What its settings' names begin with: nothing for the first.
    prefix: String,
}

#[derive(Serialize)]
struct Resource<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: String,
}

impl<'a> Client<'a> {
    pub(super) fn of(ir: &'a Ir) -> Self {
        let services = ir.services.iter().enumerate().map(|(index, service)| Service {
            name: &service.name,
            title: &service.title,
            variant: pascal(&service.name),
            prefix: if index == 0 { String::new() } else { format!("{}_", service.name) },
        });
        let resources = ir.groups().into_iter().map(|name| Resource { name, ty: pascal(name) });
        Self { services: services.collect(), details: &ir.details, resources: resources.collect() }
    }
}
