//! What Swift and Kotlin show alike: which member is the record's own id, which is a length of time, and what a parameter is called.

use crate::ir::{Member, Model, Param, ParamLocation, Type};
use crate::naming::snake;

/// Whether a member is a length of time.
pub(crate) fn is_duration(member: &Member) -> bool {
    member.ty == Type::Integer && member.docs.unit.as_deref() == Some("ms")
}

/// Whether a member identifies the record itself: `record_id`, or `sleep_id` of `SleepRecord`.
pub(crate) fn is_own_id(model: &Model, member: &Member) -> bool {
    let own = member.name.strip_suffix("_id").is_some_and(|of| of == "record" || snake(&model.name).split('_').next() == Some(of));
    own && matches!(member.ty, Type::Id | Type::Text)
}

/// The name of a member or parameter without what its type says: `start_at` of the instant `start_at_timestamp`.
pub(crate) fn without_type(member: &Member) -> &str {
    if member.ty == Type::Timestamp { member.name.trim_end_matches("_timestamp") } else { &member.name }
}

/// Whether a parameter is the only one in the path: what the call is about.
pub(crate) fn is_sole(params: &[Param], param: &Param) -> bool {
    param.place == ParamLocation::Path && params.iter().filter(|other| other.place == ParamLocation::Path).count() == 1
}

/// What an argument is called, snake case: `id` of what the call is about, `from` and `to` of a range of instants.
pub(crate) fn argument<'a>(params: &[Param], param: &'a Param) -> &'a str {
    let name = without_type(&param.member);
    if is_sole(params, param) && name.ends_with("_id") { "id" } else { name }
}
