//! Kotlin names of settings, options and parameters, for the errors of the core, which have the core's names.

use std::collections::BTreeMap;

use anyhow::ensure;

use super::argument::Argument;
use super::settings;
use crate::ir::Ir;

/// Returns the Kotlin names by the core's names. Equal names are left out.
///
/// # Errors
/// If a name has several Kotlin names, because an error could not be converted then.
pub(super) fn names(ir: &Ir) -> anyhow::Result<BTreeMap<String, String>> {
    let params = ir.operations.iter().flat_map(|operation| operation.params.iter().map(move |param| (operation, param)));
    let of_params = params.flat_map(|(operation, param)| {
        let own = Argument::new(&operation.params, param).name;
        [param.member.name.clone(), param.member.wire.clone()].map(|core| (core, own.clone()))
    });
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (core, own) in settings::names(ir).into_iter().chain(of_params) {
        if let Some(other) = names.insert(core.clone(), own.clone()) {
            ensure!(other == own, "{core} is {other} and {own} in Kotlin");
        }
    }
    names.retain(|core, own| core != own);
    Ok(names)
}
