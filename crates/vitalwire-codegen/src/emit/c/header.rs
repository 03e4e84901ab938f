//! The header of known names, one macro each.

use crate::ir::Ir;
use crate::lang::c::{lines, literal, value};

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from(
        "// Names that this version knows. The service adds names between releases, so a text that equals none of them is no mistake.\n\
         //\n\
         //   vitalwire_metrics_get(metrics, vitalwire_str_from(VITALWIRE_METRIC_NAME_HRV_RMSSD), &value)\n\n\
         #ifndef VITALWIRE_NAMES_H\n#define VITALWIRE_NAMES_H\n",
    );
    for set in &ir.open_sets {
        let about: String = lines(&set.docs, &set.name).iter().map(|line| format!(" * {line}").trim_end().to_owned() + "\n").collect();
        text.push_str(&format!("\n/*\n{about} */\n"));
        for known in &set.values {
            text.push_str(&format!("#define {} {}\n", value(set, known), literal(&known.wire)));
        }
    }
    text.push_str("\n#endif\n");
    text
}
