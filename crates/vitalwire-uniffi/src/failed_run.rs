//! Failed runs of token providers.

use std::error::Error as _;
use std::fmt;
use std::iter;

/// A failed run of a provider. The application keeps the run's exception, which may contain anything.
#[derive(Debug)]
pub(crate) struct FailedRun(pub(crate) u64);

impl fmt::Display for FailedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the token provider failed")
    }
}

impl std::error::Error for FailedRun {}

/// Returns the number of the provider's run whose failure caused an error, also that of a renewal after a 401.
pub(crate) fn failed_run(error: &vitalwire::Error) -> Option<u64> {
    let mut causes = iter::successors(error.source(), |&cause| cause.source());
    causes.find_map(|cause| cause.downcast_ref::<FailedRun>()).map(|run| run.0)
}
