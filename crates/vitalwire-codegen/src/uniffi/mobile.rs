//! Rules that Swift and Kotlin share: the record's own id, durations, and argument names.

use serde::Serialize;

use crate::ir::{Docs, Member, Model, Param, ParamLocation, Type};
use crate::naming::{camel, snake};

pub(crate) fn is_duration(member: &Member) -> bool {
    member.ty == Type::Integer && member.docs.unit.as_deref() == Some("ms")
}

/// Whether a field is the id of the record itself: `record_id`, or `sleep_id` of `SleepRecord`.
pub(crate) fn is_own_id(model: &Model, member: &Member) -> bool {
    let own = member.name.strip_suffix("_id").is_some_and(|of| of == "record" || snake(&model.name).split('_').next() == Some(of));
    own && matches!(member.ty, Type::Id | Type::Text)
}

/// Returns a name without the suffix that its type implies: `start_at` for the instant `start_at_timestamp`.
pub(crate) fn without_type(member: &Member) -> &str {
    if member.ty == Type::Timestamp { member.name.trim_end_matches("_timestamp") } else { &member.name }
}

/// Whether a parameter is the only one in the path, and so identifies the subject of the call.
pub(crate) fn is_only_path_param(params: &[Param], param: &Param) -> bool {
    param.place == ParamLocation::Path && params.iter().filter(|other| other.place == ParamLocation::Path).count() == 1
}

/// Returns the name of an argument in snake case: `id` for the only path parameter, `from` and `to` for a range of instants.
pub(crate) fn argument<'a>(params: &[Param], param: &'a Param) -> &'a str {
    let name = without_type(&param.member);
    if is_only_path_param(params, param) && name.ends_with("_id") { "id" } else { name }
}

/// Returns the documentation of a field, without the unit of a duration.
pub(crate) fn docs(member: &Member) -> Docs {
    if !is_duration(member) {
        return member.docs.clone();
    }
    Docs { unit: None, text: member.docs.text.replace(", in milliseconds", ""), ..member.docs.clone() }
}

/// Names of the functions that prepare an upload for another program and read its response, and of their native functions.
#[derive(Debug, Serialize)]
pub(crate) struct PreparedFunctions {
    prepare: String,
    read: String,
    native_prepare: String,
    native_read: String,
}

impl PreparedFunctions {
    pub(crate) fn new(group: &str, method: &str, spell: fn(&str) -> String) -> Self {
        let (prepare, read) = (format!("prepare_{method}"), format!("read_{method}_response"));
        let native = |function: &str| camel(&format!("{group}_{function}"));
        Self { native_prepare: native(&prepare), native_read: native(&read), prepare: spell(&prepare), read: spell(&read) }
    }
}
