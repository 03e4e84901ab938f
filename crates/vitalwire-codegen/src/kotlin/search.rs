//! The search `sleeps.between` in Kotlin.

use serde::Serialize;

use super::argument::{Argument, native};
use super::spelling::name;
use crate::ir::nights::{BOUNDS, DETAILS, GROUP, METHOD, SUMMARY};
use crate::ir::{Docs, Ir};
use crate::naming::{camel, pascal};

#[derive(Debug, Serialize)]
pub(super) struct Search<'a> {
    pub(super) name: String,
    docs: Docs,
    /// Names of the first and the last day.
    bounds: Vec<String>,
    /// Type of the options, and the optional parameters in it.
    pub(super) options: String,
    #[serde(skip)]
    pub(super) optional: Vec<Argument<'a>>,
    /// The native function, the type of its parameters, and the name and value of each.
    native: String,
    pub(super) params: String,
    native_arguments: Vec<(String, String)>,
}

impl<'a> Search<'a> {
    pub(super) fn find(ir: &'a Ir, group: &str) -> Option<Self> {
        if group != GROUP {
            return None;
        }
        let id = format!("{GROUP}_{METHOD}");
        let params = ir.night_params();
        let bounds: Vec<String> = BOUNDS.iter().map(|(bound, _)| name(bound)).collect();
        let days: Vec<_> = bounds.iter().map(|bound| (bound.clone(), format!("{bound}.toNative()"))).collect();
        let others = params.iter().map(|(operation, param)| (name(&param.member.name), native(&operation.params, param)));
        Some(Self {
            name: name(METHOD),
            docs: Docs::new(format!("{SUMMARY}\n\n{DETAILS} Both days are inclusive.")),
            bounds,
            options: format!("{}Options", pascal(&id)),
            optional: params.iter().map(|(operation, param)| Argument::new(&operation.params, param)).collect(),
            native: camel(&id),
            params: format!("{}Params", pascal(&id)),
            native_arguments: days.into_iter().chain(others).collect(),
        })
    }
}
