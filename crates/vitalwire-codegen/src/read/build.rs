//! Builds one IR from all specifications.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Ir, Model, Service, Type, cohort, cross_checks, operations, problems, schemas, tables};
use crate::spec::{Finding, Findings, Pointer, Sources, Spec, lint};

/// Builds the IR.
///
/// # Errors
/// Returns all findings at once.
pub fn build(sources: &Sources) -> Result<Ir, Findings> {
    let mut findings = Findings::default();
    let mut ir = Ir::default();
    for spec in &sources.specs {
        lint(spec, &mut findings);
        let components = components(spec);
        ir.details.extend(problems::fixed_details(&components));
        problems::check(&components, spec.path, &mut findings);
        let read = schemas::read(&components, spec.path, &mut findings);
        ir.open_sets.extend(read.open_sets);
        ir.number_maps.extend(read.number_maps);
        ir.series_maps.extend(read.series_maps);
        for model in read.models {
            add_model(&mut ir.models, model, spec, &mut findings);
        }
        ir.operations.extend(operations::read(spec, &components, &mut findings));
        let title = spec.document.pointer("/info/title").and_then(Value::as_str).unwrap_or_default().to_owned();
        let version = spec.document.pointer("/info/version").and_then(Value::as_str).unwrap_or_default().to_owned();
        ir.services.push(Service { name: spec.service.to_owned(), title, path: spec.path.to_owned(), version });
    }
    cross_checks::check(&ir, sources, &mut findings);
    ir.tables = tables::read(&ir, sources, &mut findings);
    ir.cohort_tables = cohort::read(&ir, sources, &mut findings);
    if findings.is_empty() {
        mark_requests(&mut ir);
        mark_basis(&mut ir);
    }
    findings.attribute(&sources.specs);
    findings.into_result(ir)
}

fn components(spec: &Spec) -> Map<String, Value> {
    spec.document.pointer("/components/schemas").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Adds a model. Both services declare the error body; identical declarations become one model.
fn add_model(models: &mut Vec<Model>, model: Model, spec: &Spec, findings: &mut Findings) {
    let Some(existing) = models.iter().find(|existing| existing.name == model.name) else {
        models.push(model);
        return;
    };
    let shape =
        |model: &Model| model.members.iter().map(|member| (member.wire.clone(), member.ty.clone(), member.required)).collect::<Vec<_>>();
    if shape(existing) != shape(&model) {
        let text = "must equal the schema of this name in the other specification";
        findings.push(Finding::new("duplicate", spec.path, Pointer::schema(&model.name), text).hint("give it another name"));
    }
}

fn mark_requests(ir: &mut Ir) {
    let bodies: BTreeSet<String> = ir.operations.iter().filter_map(|operation| operation.body.clone()).collect();
    for model in &mut ir.models {
        model.request = bodies.contains(&model.name);
    }
}

/// Marks the number maps in responses that state a basis, and all models that contain them.
fn mark_basis(ir: &mut Ir) {
    let mut maps = BTreeSet::new();
    for operation in ir.operations.iter().filter(|operation| operation.basis.is_some()) {
        if let Some(name) = operation.response.record() {
            collect_maps(ir, name, &mut BTreeSet::new(), &mut maps);
        }
    }
    let names: Vec<String> = ir.models.iter().map(|model| model.name.clone()).collect();
    for name in names {
        let mut found = BTreeSet::new();
        collect_maps(ir, &name, &mut BTreeSet::new(), &mut found);
        if let Some(model) = ir.models.iter_mut().find(|model| model.name == name) {
            model.has_basis = found.iter().any(|map| maps.contains(map));
        }
    }
    for map in &mut ir.number_maps {
        map.has_basis = maps.contains(&map.name);
    }
}

fn collect_maps(ir: &Ir, name: &str, seen: &mut BTreeSet<String>, maps: &mut BTreeSet<String>) {
    if !seen.insert(name.to_owned()) {
        return;
    }
    for member in ir.model(name).into_iter().flat_map(|model| &model.members) {
        match member.ty.item() {
            Type::Numbers(map) => {
                maps.insert(map.clone());
            }
            Type::Model(model) => collect_maps(ir, model, seen, maps),
            _ => {}
        }
    }
}
