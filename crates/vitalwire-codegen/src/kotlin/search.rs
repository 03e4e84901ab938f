//! The search `sleeps.between` in Kotlin.

use serde_json::{Value, json};

use super::argument::{Argument, native};
use super::call::Options;
use super::spelling::name;
use crate::ir::nights::{BOUNDS, DETAILS, GROUP, METHOD, SUMMARY};
use crate::ir::{Docs, Ir};
use crate::naming::{camel, pascal};

/// A search, with the type of its parameters and its options.
pub(super) struct Search<'a> {
    /// Template values.
    pub(super) values: Value,
    pub(super) params: String,
    pub(super) options: Options<'a>,
}

impl<'a> Search<'a> {
    pub(super) fn find(ir: &'a Ir, group: &str) -> Option<Self> {
        if group != GROUP {
            return None;
        }
        let id = format!("{GROUP}_{METHOD}");
        let params = ir.night_params();
        let bounds: Vec<String> = BOUNDS.iter().map(|(bound, _)| name(bound)).collect();
        let days = bounds.iter().map(|bound| (bound.clone(), format!("{bound}.toNative()")));
        let others = params.iter().map(|(operation, param)| (name(&param.member.name), native(&operation.params, param)));
        let optional = params.iter().map(|(operation, param)| Argument::new(&operation.params, param)).collect();
        let options = Options { name: format!("{}Options", pascal(&id)), method: name(METHOD), values: optional };
        let native_params = format!("{}Params", pascal(&id));
        let values = json!({
            "name": name(METHOD),
            "docs": Docs::new(format!("{SUMMARY}\n\n{DETAILS} Both days are inclusive.")),
            "bounds": bounds,
            "options": options.name,
            "native": camel(&id),
            "params": native_params,
            "native_arguments": days.chain(others).collect::<Vec<_>>(),
        });
        Some(Self { values, params: native_params, options })
    }
}
