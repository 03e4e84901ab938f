//! What stands in the way of notices.

use std::fmt;

/// A package whose notices cannot be written, why, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    /// Name and version.
    pub(super) package: String,
    pub(super) what: String,
    pub(super) remedy: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n  remedy: {}", self.package, self.what, self.remedy)
    }
}

/// Prints all findings, each once.
///
/// # Errors
/// Where there is one.
pub(super) fn report(mut findings: Vec<Finding>) -> anyhow::Result<()> {
    findings.sort();
    findings.dedup();
    for finding in &findings {
        crate::say(&finding.to_string());
    }
    match findings.len() {
        0 => Ok(()),
        count => anyhow::bail!("{count} packages have no proper notices; nothing was written"),
    }
}
