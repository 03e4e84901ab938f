//! Kotlin arguments for the parameters of operations.

use serde::Serialize;

use super::record::public_type;
use super::spelling::name;
use crate::ir::{Docs, Param, Type};
use crate::uniffi::mobile::argument;

/// An argument of a call, or a value of its options.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Argument<'a> {
    pub(super) name: String,
    ty: String,
    docs: &'a Docs,
    wire: &'a str,
    /// Type in the IR, used by the conformance runner.
    ir_type: &'a Type,
}

impl<'a> Argument<'a> {
    pub(super) fn new(params: &[Param], param: &'a Param) -> Self {
        let ir_type = &param.member.ty;
        Self { name: name(argument(params, param)), ty: public_type(ir_type), docs: &param.member.docs, wire: &param.member.wire, ir_type }
    }
}

/// Returns the Kotlin expression for a field of the native parameters.
pub(super) fn native(params: &[Param], param: &Param) -> String {
    let own = name(argument(params, param));
    let (value, through) = if param.member.required { (own, ".") } else { (format!("options.{own}"), "?.") };
    match &param.member.ty {
        Type::Timestamp | Type::Date => format!("{value}{through}toNative()"),
        Type::Open(_) => format!("{value}{through}text"),
        Type::List(item) if matches!(**item, Type::Open(_)) => format!("{value}{through}map {{ it.text }}"),
        _ => value,
    }
}
