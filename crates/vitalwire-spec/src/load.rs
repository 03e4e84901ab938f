//! Reads YAML files as JSON values. Limits make sure that an unsuitable file causes a finding and not a crash.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use serde_saphyr::options::{AliasLimits, DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Error, Options};

use super::{Finding, Findings, MAX_DEPTH, Pointer};

/// Maximum size of a file, in bytes. Ours are below 100 kB.
pub(super) const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Maximum number of values in a file. Ours have about 6,000.
const MAX_VALUES: usize = 100_000;

/// Reads a file. Adds a finding if that fails.
pub(super) fn text(path: &Path, shown: &str, findings: &mut Findings) -> Option<String> {
    match read(path) {
        Ok(text) => Some(text),
        Err(error) => {
            findings.push(Finding::new("file", shown, Pointer::root(), format!("cannot be read: {error}")));
            None
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    // Read one byte more than allowed to detect larger files. This also works for pipes.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_BYTES) {
        return Err(format!("it must not be larger than {MAX_BYTES} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| format!("byte {} is not UTF-8", error.utf8_error().valid_up_to()))
}

/// Parses a document. Adds a finding if the text is not valid.
pub(super) fn document(text: &str, shown: &str, findings: &mut Findings) -> Option<Value> {
    let finding = |text: String| Finding::new("yaml", shown, Pointer::root(), text);
    match serde_saphyr::from_str_with_options::<Value>(text, options()) {
        Ok(document) if document.is_object() => return Some(document),
        Ok(_) => findings.push(finding("must be an object".into())),
        Err(error) => findings.push(finding(format!("must be plain YAML: {}", one_line(&error))).hint(hint(&error))),
    }
    None
}

/// Returns parser options for plain YAML 1.2: unique keys, `yes` is a text, no references, and limits for depth and size.
fn options() -> Options {
    let mut options = Options::default();
    options.duplicate_keys = DuplicateKeyPolicy::Error;
    options.merge_keys = MergeKeyPolicy::Error;
    options.non_finite_float_policy = NonFiniteFloatPolicy::Reject;
    options.strict_booleans = true;
    options.reject_unsupported_tags = true;
    options.with_snippet = false;
    let mut aliases = AliasLimits::default();
    aliases.max_total_replayed_events = 0;
    options.alias_limits = aliases;
    if let Some(budget) = &mut options.budget {
        budget.max_depth = MAX_DEPTH;
        budget.max_nodes = MAX_VALUES;
        budget.max_documents = 1;
        budget.max_aliases = 0;
        budget.max_anchors = 0;
    }
    options
}

fn one_line(error: &Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn hint(error: &Error) -> &'static str {
    match error.without_snippet() {
        Error::DuplicateMappingKey { .. } => "remove one of the keys; YAML would keep only one",
        Error::Budget { .. } => "anchors, aliases and deep nesting are not supported",
        _ => "",
    }
}
