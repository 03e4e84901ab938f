//! Names of open sets, beside the constants that users write.

use crate::ir::OpenSet;
use crate::lang::shouty;

use super::{HEADER, literal, names};

/// One set.
pub(super) fn emit(set: &OpenSet) -> String {
    let name = &set.name;
    let mut text = format!(
        "@file:Suppress(\"DEPRECATION\")\n\n{HEADER}/** Known names of [{name}]. */\ninternal val {}: Map<String, {name}> = mapOf(\n",
        names(name)
    );
    for value in &set.values {
        text.push_str(&format!("    {} to {name}.{},\n", literal(&value.wire), shouty(&value.name)));
    }
    text.push_str(")\n");
    text
}
